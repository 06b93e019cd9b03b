import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

/// The Python environment that tools/python-packages creates.
private enum PythonClients {
    private static let environment = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build-python")
    static let python = environment.appending(path: "bin/python3").path

    static var areThere: Bool {
        let library = environment.appending(path: "lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        return versions.contains { version in
            ["fhirclient", "fhirpy"]
                .allSatisfy { FileManager.default.fileExists(atPath: library + "/\(version)/site-packages/\($0)") }
        }
    }
}

@Suite(
    "Clients of FHIR for Python",
    .enabled(if: PythonClients.areThere, "run: tools/python-packages .build-python fhirclient fhirpy")
)
struct LiveFHIRClientTests {
    @Test("Two unchanged clients read, search, page and count, now and as of a position in the past")
    func read() async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner, token) = (fixture.journal, fixture.owner, fixture.token)
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida")
        try profile.set("familyName", text: "Weber")
        let record = try #require(try await journal.records.createRecord(profile, owner).record)
        func add(_ kind: Kind, _ date: String, _ values: [String: String]) async throws {
            var content = EntryContent(kind: kind, date: try OccurredDate(parsing: date))
            for (name, value) in values { try content.set(name, text: value) }
            _ = try await journal.entries.addEntry(content, to: record, owner)
        }
        try await add(Weight.kind, "2026-03-01", ["value": "70.25", "unit": "kg"])
        try await add(Weight.kind, "2026-01-05", ["value": "72.5", "unit": "kg"])
        try await add(Blood.kind, "2026-02-10", ["name": "Sodium", "value": "140", "unit": "mmol/l"])
        try await add(Illness.kind, "2010-05", ["name": "Asthma"])
        let before = try journal.log.head()
        try await add(Weight.kind, "2026-02", ["value": "71", "unit": "kg"])

        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "read_fhir.py").path
        let outcomes = try await fixture.live { port in
            try await ["", "/at/\(before)"]
                .asyncMap { moment in
                    let base = "http://127.0.0.1:\(port)/fhir\(moment)"
                    return try await run(PythonClients.python, ["-B", program, base, token, record.text])
                }
        }
        let expected = [(["72.5", "71", "70.25"], 4, 6), (["72.5", "70.25"], 3, 5)]
        for (outcome, (weights, observations, everything)) in zip(outcomes, expected) {
            #expect(outcome.status == 0, "\(outcome.message)")
            let answers = try outcome.text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
            #expect(answers.count == 2)
            for answer in answers {
                #expect(answer["name"] == "Weber")
                #expect(answer["conditions"] == ["Asthma"])
                #expect(answer["observations"] == .integer(observations))
                #expect(answer["weights"] == .array(weights.map { .string($0) }))
            }
            #expect(answers.first?["version"] == "4.0.1")
            #expect(answers.first?["first page"] == 1)
            #expect(
                answers.last?["count"] == .integer(observations) && answers.last?["everything"] == .integer(everything)
            )
        }
        let reads = try await journal.trail.accesses(of: record, owner)
            .compactMap { ($0.event.data as? RecordRead)?.access }
        // Each page of one resource, of both clients, at both moments.
        #expect(reads.count { $0.entryCount == 1 && $0.action == .read } >= 2 * (4 + 3))
    }
}
