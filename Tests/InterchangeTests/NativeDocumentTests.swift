import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Native documents")
struct NativeDocumentTests {
    private func read(_ text: String) throws -> ImportedRecord {
        try NativeDocument.read(Array(text.utf8), now: Fixtures.now)
    }

    private func document(_ more: String) -> String {
        #"{"format": "healthjournal/1", "id": "\#(Fixtures.id)", "subject": "animal", "profile": {"name": "Rex"}, \#(more)}"#
    }

    @Test("A record is exported in the documented format, with retracted entries only on request")
    func goldenDocument() throws {
        var state = Fixtures.state(
            try read(
                document(
                    #"""
                    "entries": {"weight": [
                      {"id": "a3b0c1d2-0000-4000-8000-000000000001", "date": "2024-02-16T00:00:00Z", "value": "75.50", "unit": "kg", "comment": "c"},
                      {"id": "a3b0c1d2-0000-4000-8000-000000000002", "date": "2024-02-17", "value": 8}]}
                    """#
                )
            )
        )
        let corrected = Stamp(position: 9, recordedAt: Fixtures.now, actor: state.owners[0])
        state.entries[0].corrected = corrected
        state.entries[0].latest = corrected
        state.entries[1].retracted = corrected
        #expect(
            JSONWriter.text(NativeDocument.write(state, asOf: corrected), .pretty) == """
                {
                  "format": "healthjournal/1",
                  "asOf": {
                    "position": 9,
                    "recordedAt": "2026-03-01T12:00:00Z"
                  },
                  "id": "3f1d7a52-8c0e-4b7b-9d53-6e0f4a1b2c3d",
                  "subject": "animal",
                  "displayName": "Rex",
                  "createdAt": "2026-02-13T16:26:40Z",
                  "updatedAt": "2026-02-13T16:26:40Z",
                  "profile": {
                    "name": "Rex"
                  },
                  "entries": {
                    "weight": [
                      {
                        "id": "a3b0c1d2-0000-4000-8000-000000000001",
                        "date": "2024-02-16T00:00:00Z",
                        "value": "75.50",
                        "unit": "kg",
                        "comment": "c",
                        "addedAt": "2026-02-13T16:26:40Z",
                        "addedBy": "0b0e5e0c-5e5b-4e11-9c4d-3d0b8c1c7a11",
                        "correctedAt": "2026-03-01T12:00:00Z",
                        "correctedBy": "0b0e5e0c-5e5b-4e11-9c4d-3d0b8c1c7a11",
                        "position": 9
                      }
                    ]
                  }
                }
                """
        )
        let all = NativeDocument.write(state, scope: ExportScope(includeRetracted: true))
        guard case .array(let weights)? = all["entries"]?["weight"] else {
            Issue.record("no weights")
            return
        }
        #expect(weights.count == 2 && weights[1]["retractedAt"] == .string("2026-03-01T12:00:00Z"))
        #expect(weights[1]["date"] == .string("2024-02-17"))
        // An import does not add a retracted entry as an active one.
        let back = try NativeDocument.read(JSONWriter.bytes(all), now: Fixtures.now)
        #expect(back.entries.count == 1 && back.unrepresented == ["entries.weight[1]"])
    }

    @Test("A random record is unchanged after an export and an import")
    func roundTrip() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<60 {
            let state = RandomRecord.state(&generator)
            let bytes = JSONWriter.bytes(NativeDocument.write(state), .pretty)
            let back = try NativeDocument.read(bytes, now: Fixtures.now)
            #expect(back.id == state.id, "seed \(seed)")
            #expect(back.profile == state.profile, "seed \(seed)")
            let contents = Dictionary(uniqueKeysWithValues: back.entries.map { ($0.id, $0.content) })
            #expect(contents.count == state.entries.count, "seed \(seed)")
            for entry in state.entries { #expect(contents[entry.id] == entry.content, "seed \(seed)") }
        }
    }

    @Test("Unknown fields of an entry are kept as extra fields")
    func keepsUnknownFields() throws {
        let record = try read(
            document(
                #""entries": {"allergy": [{"id": "a3b0c1d2-0000-4000-8000-000000000001", "name": "Nuts", "grade": 1.50, "extra": {"old": [null]}, "inferred": ["name"]}]}"#
            )
        )
        #expect(record.shape == .native)
        #expect(record.sourceName == "native")
        #expect(
            record.entries[0].content.extra == [Extra(name: "old", json: "[null]"), Extra(name: "grade", json: "1.50")]
        )
        #expect(record.entries[0].content.inferred == ["name"])
    }

    @Test("A document may contain several records, and an error names the index of the record")
    func readsSeveralRecords() throws {
        let other = document("\"entries\": {}").replacing("3F1D", with: "3F1E")
        let none = #expect(throws: ModelError.self) { try NativeDocument.readAll(Array("[]".utf8), now: Fixtures.now) }
        #expect(none?.message.contains("no record") ?? false)
        let all = try NativeDocument.readAll(Array("[\(document("\"entries\": {}")),\(other)]".utf8), now: Fixtures.now)
        #expect(all.count == 2)
        let bad = other.replacing("Rex", with: "Rex\\u0001")
        let error = #expect(throws: ModelError.self) {
            try NativeDocument.readAll(Array("[\(other),\(bad)]".utf8), now: Fixtures.now)
        }
        #expect(error?.field == "[1].profile.name")
    }

    private static let id = #""id": "a3b0c1d2-0000-4000-8000-000000000001""#

    @Test(
        "An invalid document is refused, and the error names the field",
        arguments: [
            (#""entries": {"spell": []}"#, "entries.spell"), (#""entries": []"#, "entries"),
            (#""entries": {"weight": {}}"#, "entries.weight"),
            (#""entries": {"weight": [{"value": "1"}]}"#, "entries.weight[0].id"),
            (#""entries": {"weight": [{\#(id)}]}"#, "entries.weight[0].value"),
            (#""entries": {"weight": [{\#(id), "value": "x"}]}"#, "entries.weight[0].value"),
            (#""entries": {"weight": [{\#(id), "value": "-1"}]}"#, "entries.weight[0].value"),
            (#""entries": {"weight": [{\#(id), "value": "1", "unit": "st"}]}"#, "entries.weight[0].unit"),
            (#""entries": {"weight": [{\#(id), "value": "1", "date": "soon"}]}"#, "entries.weight[0].date"),
            (#""entries": {"weight": [{\#(id), "value": "1", "date": "1850-01-01"}]}"#, "entries.weight[0].date"),
            (#""entries": {"weight": [{\#(id), "value": "1"}, {\#(id), "value": "1"}]}"#, "entries.weight[1].id"),
            (
                #""entries": {"doctor": [{\#(id), "name": "x", "address": {"planet": "Mars"}}]}"#,
                "entries.doctor[0].address.planet"
            ),
            (#""entries": {"weight": [{\#(id), "value": "1", "extra": []}]}"#, "entries.weight[0].extra"),
            (#""subject": "human""#, "subject"),
        ]
    )
    func refusesInvalidDocuments(_ more: String, _ field: String) {
        #expect(#expect(throws: ModelError.self) { try read(document(more)) }?.field == field)
    }

    @Test(
        "A document of another or an empty format is refused",
        arguments: [("healthjournal/2", "format"), ("", "format")]
    )
    func refusesAnotherFormat(_ format: String, _ field: String) {
        let text = document("\"entries\": {}").replacing("healthjournal/1", with: format)
        #expect(#expect(throws: ModelError.self) { try read(text) }?.field == field)
    }

    @Test("An export of the doctor list contains no other entries and no extra fields of the profile")
    func limitsScope() throws {
        let scope = ExportScope(sections: [.doctorlist], happenedBy: Day(daysSince1970: 10_000))
        var generator = SeededGenerator(seed: 5)
        // A record with doctors inside and outside the scope.
        let random = (0..<1_000).lazy.map { _ in RandomRecord.state(&generator) }
        var state = try #require(
            random.first { state in
                Set(state.entries.filter { $0.kind == Doctor.kind }.map { scope.includes($0) }) == [true, false]
            }
        )
        state.profile.extra = [Extra(name: "secret", json: "1")]
        let native = NativeDocument.write(state, scope: scope)
        guard case .object(let kinds)? = native["entries"] else {
            Issue.record("no entries")
            return
        }
        #expect(kinds.map(\.name) == ["doctor"])
        guard case .array(let doctors)? = kinds.first?.value else {
            Issue.record("no doctors")
            return
        }
        #expect(doctors.count == state.entries.count { scope.includes($0) })
        #expect(doctors.count < state.entries.count { $0.kind == Doctor.kind })
        for doctor in doctors {
            if case .string(let date)? = doctor["date"] { #expect(date.prefix(10) <= "1997-05-19") }
        }
        #expect(native["profile"]?["extra"] == nil)
        let purus = PurusDocument.write(state, scope: scope)
        #expect(purus["secret"] == nil)
        for kind in PurusKind.ofPurus where kind.kind != Doctor.kind {
            #expect(try Fixtures.array(kind.cloudKitName, of: purus).isEmpty)
        }
        #expect(!CSVTable.write(state, scope: scope).contains("\r\nweight,"))
    }

    @Test("Content in a request is read with its extra fields, and an unknown field is refused")
    func readsRequestContent() throws {
        func content(_ text: String) throws -> EntryContent {
            try NativeDocument.content(try JSONReader.read(Array(text.utf8)), of: Weight.kind, now: Fixtures.now)
        }
        let read = try content(
            #"{"value": "7.50", "unit": "kg", "addedAt": "2024-01-01T00:00:00Z", "extra": {"a": 1}}"#
        )
        #expect(read.body.decimal(Weight.value)?.description == "7.50")
        #expect(read.extra == [Extra(name: "a", json: "1")])
        let error = #expect(throws: ModelError.self) {
            try NativeDocument.content(.object([.init("vaule", .string("7"))]), of: Weight.kind, now: Fixtures.now)
        }
        #expect(error?.field == "vaule")
    }
}
