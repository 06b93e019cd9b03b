import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Records as FHIR and back")
struct FHIRRoundTripTests {
    private static let stamp = Stamp(
        position: 9,
        recordedAt: Instant(microseconds: 1_771_000_000_000_001),
        actor: UUID()
    )

    /// Writes a record as a Bundle of the type collection.
    private func bundle(_ state: RecordState, _ form: RecordFHIRWriter.Form = .collection) throws -> JSONValue {
        let patient = state.entries.first { RecordFHIRWriter.isPatient($0.content) }
        let writer = RecordFHIRWriter(state, as: form, patientEntry: patient) { _ in nil }
        var items = [try writer.patientItem()]
        for entry in state.entries { items += try writer.items(entry) }
        return .object(writer.opening(asOf: Self.stamp) + [.init("entry", .array(items))])
    }

    private func read(_ bundle: JSONValue) throws -> ImportedRecord {
        let namespaces = PurusNamespaces(records: UUID()) { _ in UUID() }
        let options = FHIROptions(now: Self.stamp.recordedAt, namespaces: namespaces)
        return try #require(try FHIRDocument.read(JSONWriter.bytes(bundle), options: options).first)
    }

    @Test("Entries of every kind with random values are read back as they were written")
    func random() throws {
        var generator = SeededGenerator()
        var count = 0
        while count < 10_000 {
            var state = RandomRecord.state(&generator)
            state.entries.removeAll { (try? $0.content.validate(now: Self.stamp.recordedAt)) == nil }
            let found = try read(bundle(state))
            #expect(found.id == state.id)
            #expect(NativeDocument.profile(found.profile) == NativeDocument.profile(state.profile))
            let entries = found.entries.filter { FHIREnvelope($0.content) == nil }
            #expect(entries.map(\.id) == state.entries.map(\.id))
            for (entry, original) in zip(entries, state.entries) {
                #expect(
                    NativeDocument.write(entry.content) == NativeDocument.write(original.content),
                    "\(original.kind.name)"
                )
            }
            count += state.entries.count
        }
    }

    /// The entries of a document as a record would have them.
    private func entries(of document: JSONValue, source: String = "") throws -> [EntryState] {
        let namespaces = PurusNamespaces(records: UUID()) { _ in UUID() }
        var options = FHIROptions(now: Self.stamp.recordedAt, namespaces: namespaces)
        options.source = source
        let read = try #require(try FHIRDocument.read(JSONWriter.bytes(document), options: options).first)
        return read.entries.map { EntryState(id: $0.id, record: read.id, content: $0.content, added: Self.stamp) }
    }

    @Test(
        "A text is copied only while it says all of its entry, and copying gives what writing gives",
        arguments: ["", "clinic"]
    )
    func copied(_ source: String) throws {
        let document = FHIRTexts.bundle([
            FHIRTexts.weight("75.50"), FHIRTexts.condition("2010-05"), FHIRTexts.carePlan, FHIRTexts.consent,
            FHIRTexts.document, FHIRTexts.weight("1.2E+2", id: "w2"),
            ["resourceType": "Practitioner", "id": "p", "name": [["text": "Dr. Other"]]],
            ["resourceType": "Binary", "id": "b", "contentType": "text/plain", "data": "SGVsbG8h"],
            [
                "resourceType": "Encounter", "id": "e", "extension": [["url": "urn:x", "valueCode": "y"]],
                "status": "planned",
            ],
        ])
        let states = try entries(of: document, source: source)
        for form in [RecordFHIRWriter.Form.collection, .transaction] {
            let profile = RecordProfile(subject: .human)
            let state = RecordState(id: states[0].record, profile: profile, owners: [], created: Self.stamp)
            let writer = RecordFHIRWriter(state, as: form) { _ in Array("Hello!".utf8) }
            for entry in states {
                let expected = try writer.items(entry).map { JSONWriter.bytes($0, .pretty, level: 2) }
                #expect(try writer.written(entry, level: 2) == expected, "\(entry.content.title)")
            }
        }
        let copies = states.filter { FHIRKept.saysAll(of: $0.content) }.map(\.kind)
        #expect(copies.count { $0 == Weight.kind } == 2 && copies.contains(Illness.kind))
        // Where it came from is not in the text.
        #expect(copies.contains(Foreign.kind) == source.isEmpty)

        var corrected = try #require(states.first { $0.kind == Weight.kind })
        // The mark depends on the text, too.
        for index in corrected.content.extra.indices {
            var other = corrected.content
            other.extra[index].json = "\"other\""
            #expect(!FHIRKept.saysAll(of: other))
        }
        corrected.content.body[Weight.value] = .decimal(ExactDecimal(coefficient: 742, scale: 1))
        #expect(!FHIRKept.saysAll(of: corrected.content))
        let state = RecordState(
            id: corrected.record,
            profile: RecordProfile(subject: .human),
            owners: [],
            created: Self.stamp
        )
        let written = try RecordFHIRWriter(state) { _ in nil }.written(corrected, level: 0)
        let value = try JSONReader.read(written[0])["resource"]?["valueQuantity"]?["value"]
        #expect(value == .number("74.2"))
    }

    @Test("A resource has the meaning that version 3 of the interpreter gives it: raise the version with any change")
    func meanings() throws {
        #expect(FHIRInterpreter.version == 3)
        let document = FHIRTexts.bundle([
            FHIRTexts.weight("75.50"), FHIRTexts.condition("2010-05"), FHIRTexts.carePlan, FHIRTexts.consent,
        ])
        let marks = try entries(of: document)
            .compactMap { entry in
                entry.content.extra.first(where: FHIRKept.isMark).map { "\(entry.kind.name) \($0.json)" }
            }
        #expect(
            marks == [
                "foreign \"7d2c476e6c449fa1\"", "weight \"3dc0af41744a8cf4\"", "illness \"b3f375baeb6c7086\"",
                "foreign \"47bb18da09a6133d\"", "foreign \"c1483491a852a90\"",
            ]
        )
    }

    @Test(
        "A kept text that is no object, as a forged document may bring it, is not copied",
        arguments: ["\"x\"", "\"\"", "[]", "5"]
    )
    func forged(_ text: String) throws {
        let entries = try entries(of: FHIRTexts.bundle([FHIRTexts.weight("75.50")]))
        var entry = try #require(entries.first { $0.kind == Weight.kind })
        for index in entry.content.extra.indices where entry.content.extra[index].name == "$fhir.resource" {
            entry.content.extra[index].json = text
        }
        entry.content = FHIRKept.marking(entry.content)
        let profile = RecordProfile(subject: .human)
        let state = RecordState(id: entry.record, profile: profile, owners: [], created: Self.stamp)
        let writer = RecordFHIRWriter(state) { _ in nil }
        #expect(try writer.written(entry, level: 0) == writer.items(entry).map { JSONWriter.bytes($0, .pretty) })
    }
}
