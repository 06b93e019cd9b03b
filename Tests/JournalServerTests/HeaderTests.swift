import Foundation
import HTTPTypes
import Hummingbird
import JournalPages
import NIOCore
import Testing

@testable import JournalServer

@Suite("Long headers")
struct HeaderTests {
    @Test(
        "A header that is longer than any that the service reads is refused",
        arguments: [
            "Accept-Language", "Cookie", "Authorization", "If-None-Match", "If-Match", "traceparent", "X-Other",
        ]
    )
    func long(name: String) async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let answer = try await client.with(nil).get("/v1/session", [(name, String(repeating: "a,", count: 4_097))])
            #expect(answer.status == 400)
            #expect(answer.text("field")?.lowercased() == name.lowercased())
        }
    }

    @Test("Only the first of many languages are considered")
    func languages() throws {
        let many = (0..<4_000).map { "x\($0)" }.joined(separator: ",") + ",de"
        var headers = HTTPFields()
        headers[.acceptLanguage] = many
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer())
        )
        #expect(ReaderSettings(request).language(.builtIn).locale.identifier == "en-GB")
        headers[.acceptLanguage] = "xx-yy, de-CH;q=0.9"
        let usual = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer())
        )
        #expect(ReaderSettings(usual).language(.builtIn).locale.identifier == "de-CH")
    }
}
