import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import JournalServer

@Suite("Responses in parts")
struct LivePartsTests {
    private struct Torn: Error {}

    @Test("Parts arrive in order, and a response that breaks off is an error for the client, not a short document")
    func brokenOff() async throws {
        let router = Router()
        router.get("whole") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(parts: { sink in for number in 0..<100 { try await sink([UInt8(number)]) } })
            )
        }
        router.get("torn") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(parts: { sink in
                    try await sink(Array("the beginning".utf8))
                    throw Torn()
                })
            )
        }
        try await Application(router: router)
            .test(.live) { client in
                let whole = try await client.execute(uri: "/whole", method: .get)
                #expect(Array(whole.body.readableBytesView) == Array(0..<100))
                await #expect(throws: (any Error).self) { try await client.execute(uri: "/torn", method: .get) }
            }
    }
}
