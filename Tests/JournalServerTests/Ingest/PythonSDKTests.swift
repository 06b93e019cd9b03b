import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

/// The Python environment that tools/python-packages creates.
private enum PythonSDK {
    private static let environment = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build-python")
    static let python = environment.appending(path: "bin/python3").path

    static var isThere: Bool {
        let library = environment.appending(path: "lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        return versions.contains {
            FileManager.default.fileExists(atPath: library + "/\($0)/site-packages/cloudevents/core")
        }
    }
}

@Suite(
    "The CloudEvents SDK for Python",
    .enabled(if: PythonSDK.isThere, "run: tools/python-packages .build-python cloudevents")
)
struct PythonSDKTests {
    @Test("The unchanged SDK posts events in both modes")
    func posts() async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner) = (fixture.journal, fixture.owner)
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida")
        let record = try #require(try await journal.records.createRecord(profile, owner).record)
        let scale = try await fixture.account("scale", .tool, .append)
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await journal.sharing.grant(terms, to: scale.id, on: record, owner)
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "post_events.py").path
        let outcome = try await fixture.live { port in
            try await run(PythonSDK.python, ["-B", program, "http://127.0.0.1:\(port)", scale.token, record.text])
        }
        #expect(outcome.status == 0, "\(outcome.message)")
        let answers = try outcome.text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
        #expect(answers.map { $0["status"] } == [201, 201, 201, 201, 201, 409, 201].map { .integer($0) })
        try #require(answers.count == 7)
        #expect(answers[3] == answers[0] && answers[4] == answers[1])
        try await fixture.serve { client in
            let weights = try await client.get("/v1/records/\(record.text)/entries/weight").items("entries")
            #expect(weights.map { $0.text("value") } == ["72.5", "72.4", "72.3"])
            #expect(weights.map { $0.text("date") } == (1...3).map { "2026-03-01T07:00:0\($0)Z" })
            #expect(try await client.get("/v1/events?type=external.received").text.contains(#"Küche \"groß\""#))
        }
    }
}
