import Foundation
import TestSupport
import Testing

@testable import JournalServer

@Suite("Files over a live connection")
struct LiveDocumentTests {
    @Test(
        "Concurrent uploads of an account are limited, and an unauthorized one is refused before its body is sent",
        .timeLimit(.minutes(10))
    )
    func places() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("Anna")
        let token = fixture.token
        let record = try await fixture.serve { client in try await client.person() }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "stalled_uploads.py").path
        let result = try await fixture.live { port in
            try await run("python3", [script, "\(port)", token, anna.token, record])
        }
        #expect(result.status == 0, "\(result.message)")
    }
}
