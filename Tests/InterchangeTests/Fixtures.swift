import Foundation
import HealthModel
import Testing

@testable import Interchange

/// Shared values and helpers for tests of documents.
enum Fixtures {
    /// The time 2026-03-01T12:00:00Z.
    static let now = Instant(microseconds: 1_772_366_400_000_000)
    static let zurich = TimeZone(identifier: "Europe/Zurich") ?? .gmt
    static let tokyo = TimeZone(identifier: "Asia/Tokyo") ?? .gmt

    static func options(_ epoch: PurusOptions.Epoch = .unix, zone: TimeZone = zurich) -> PurusOptions {
        PurusOptions(epoch: epoch, zone: zone, now: now, namespaces: namespaces)
    }

    static func read(_ text: String, _ options: PurusOptions = options()) throws -> ImportedRecord {
        try PurusDocument.read(Array(text.utf8), options: options)
    }

    /// Returns the record as a journal holds it after the import.
    static func state(_ record: ImportedRecord) -> RecordState {
        let actor = UUID(uuidString: "0B0E5E0C-5E5B-4E11-9C4D-3D0B8C1C7A11") ?? UUID()
        let stamp = Stamp(position: 7, recordedAt: Instant(microseconds: 1_771_000_000_000_000), actor: actor)
        var state = RecordState(id: record.id, profile: record.profile, owners: [actor], created: stamp)
        state.entries = record.entries.map { entry in
            EntryState(id: entry.id, record: record.id, content: entry.content, added: stamp)
        }
        return state
    }

    /// Exports an imported record and imports the export in another time zone.
    static func again(_ record: ImportedRecord) throws -> ImportedRecord {
        let attachments = Dictionary(uniqueKeysWithValues: record.entries.map { ($0.id, $0.attachment) })
        let document = PurusDocument.write(state(record)) { attachments[$0.id] ?? nil }
        return try PurusDocument.read(JSONWriter.bytes(document), options: options(zone: tokyo))
    }

    /// Returns the elements of an array in an exported document.
    static func array(_ name: String, of document: JSONValue) throws -> [JSONValue] {
        let value = try #require(document[name], "\(name) is missing")
        guard case .string(let text) = value, case .array(let items) = try JSONReader.read(Array(text.utf8)) else {
            throw ModelError(.invalid, field: name, "is no JSON array in a string")
        }
        return items
    }

    static let id = "3F1D7A52-8C0E-4B7B-9D53-6E0F4A1B2C3D"

    /// Returns a document of a person in the flat CloudKit shape, with the given fields.
    static func person(_ fields: String) -> String {
        #"{"uuid": "\#(id)", "isPet": false, "personalGivenName": "Ada", \#(fields)}"#
    }
}

extension Fixtures {
    /// Namespaces as in a journal: one for records, and one per record for its entries.
    static let namespaces = PurusNamespaces(records: UUID(nameBased: UUID(), "records")) { record in entries(of: record)
    }

    static func entries(of record: UUID) -> UUID { UUID(nameBased: record, "a secret of the journal") }
}

extension PurusDocument {
    static func write(
        _ state: RecordState,
        scope: ExportScope = ExportScope(),
        attachment: (EntryState) -> [UInt8]? = { _ in nil }
    ) -> JSONValue {
        write(state, namespace: Fixtures.entries(of: state.id), scope: scope, attachment: attachment)
    }
}
