import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("The published log over HTTP")
struct TileServiceTests {
    @Test("Accounts read what is published, and nobody else does unless the log is public", arguments: [false, true])
    func access(isPublic: Bool) async throws {
        let fixture = try await ServiceFixture()
        let stranger = try await fixture.account("stranger")
        var settings = ServerSettings()
        settings.publishesLog = isPublic
        try await fixture.serve(settings: settings) { client in
            #expect(try await client.get("/tlog/checkpoint").status == 404)
            let published = try await fixture.journal.publishing.publish(fixture.owner)
            let size = published.checkpoint.size
            _ = try await client.person()
            for token in [client.token, stranger.token, nil] {
                let reader = client.with(token)
                let isAllowed = isPublic || token != nil
                let checkpoint = try await reader.get("/tlog/checkpoint")
                #expect(checkpoint.status == (isAllowed ? 200 : 401))
                let tile = try await reader.get("/tlog/tile/0/000.p/\(size)")
                #expect(tile.status == (isAllowed ? 200 : 401))
                guard isAllowed else { continue }
                #expect(checkpoint.text == published.text)
                #expect(tile.bytes.count == Int(size) * 32)
                let caching = try #require(tile.headers[.cacheControl])
                #expect(caching == (isPublic ? "public" : "private") + ", max-age=31536000, immutable")
                #expect(tile.headers[.contentType] == "application/octet-stream")
                // The log has more events, but they are not published; entries never are.
                for path in ["0/000.p/\(size + 1)", "0/000", "entries/000", "entries/000.p/1", "0/0", "1/000.p/1"] {
                    #expect(try await reader.get("/tlog/tile/\(path)").status == 404, "\(path)")
                }
            }
        }
    }
}
