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
}
