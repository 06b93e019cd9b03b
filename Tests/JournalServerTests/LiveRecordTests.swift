import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import HummingbirdTesting
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

/// A large record over a real connection, because a response in parts has no length.
@Suite("Large records over HTTP")
struct LiveRecordTests {
    @Test("A record with many entries is sent in parts, as the same document with its tag")
    func long() async throws {
        let fixture = try await ServiceFixture()
        let id = UUID()
        let weights = (0..<Journal.Records.maximumEntriesInMemory + 5)
            .map {
                #"{"id": "\#(UUID().uuidString.lowercased())", "value": "\#(60 + $0 % 9).5", "date": "2024-05-02"}"#
            }
        let text =
            #"{"format": "healthjournal/1", "id": "\#(id.uuidString)", "subject": "human", "#
            + #""profile": {"givenName": "Ida"}, "entries": {"weight": [\#(weights.joined(separator: ","))]}}"#
        let document = try NativeDocument.readAll(Array(text.utf8), now: fixture.journal.now)
        _ = try await fixture.journal.imports.take(document, isTrial: false, fixture.owner)
        let path = "/v1/records/\(id.uuidString.lowercased())"
        try await fixture.serve(.live) { client in
            let position = try fixture.journal.log.head()
            let answer = try await client.get("\(path)?asOf=\(position)")
            #expect(answer.status == 200)
            #expect(answer.headers[.contentLength] == nil)
            let whole = try await fixture.journal.records.read(
                id,
                ReadOptions(asOf: .position(position)),
                fixture.owner
            )
            let expected = NativeDocument.write(whole.state, asOf: whole.asOf)
            guard case .object(let members) = expected, case .object(let found) = answer.json else {
                Issue.record("not an object")
                return
            }
            #expect(found.dropLast() == members[...])
            #expect(found.last?.name == "access")
            #expect(found.last?.value["right"] == ["by": "owner"])
            #expect(answer.tag != nil)
            let known = [("If-None-Match", answer.tag ?? "")]
            #expect(try await client.get(path, known).status == 304)
            let csv = try await client.get("\(path)/export?as=csv")
            #expect(csv.status == 200)
            #expect(csv.headers[.contentLength] == nil)
            #expect(csv.text.split(separator: "\r\n").count == Journal.Records.maximumEntriesInMemory + 6)
        }
    }
}
