package import FoundationEssentials

/// A field of an entry that names another entry of the same record.
package struct EntryReference: Hashable, Sendable {
    /// The path of the field, such as `entries.0`.
    package let path: String
    package let id: UUID
    /// The names of the kinds that the other entry may have.
    package let kinds: [String]
}

extension EntryContent {
    /// The entries that the fields refer to.
    package var references: [EntryReference] { body.references(in: kind.fields, path: "") }
}

extension FieldValues {
    fileprivate func references(in fields: [Field], path: String) -> [EntryReference] {
        fields.flatMap { field in self[field].map { $0.references(field.type, path: path + field.name) } ?? [] }
    }
}

extension FieldValue {
    fileprivate func references(_ type: FieldType, path: String) -> [EntryReference] {
        switch (type, self) {
        case (.entry(let kinds), .id(let id)): [EntryReference(path: path, id: id, kinds: kinds)]
        case (.group(let fields), .group(let values)): values.references(in: fields, path: path + ".")
        case (.list(let element, _), .list(let values)):
            values.enumerated().flatMap { $1.references(element, path: "\(path).\($0)") }
        default: []
        }
    }
}

extension FieldValues {
    /// Returns the time zones that the values name, with the paths of their fields.
    package func zones(in fields: [Field], path: String = "") -> [(path: String, zone: String)] {
        fields.flatMap { field in self[field].map { $0.zones(field.type, path: path + field.name) } ?? [] }
    }
}

extension FieldValue {
    fileprivate func zones(_ type: FieldType, path: String) -> [(path: String, zone: String)] {
        switch (type, self) {
        case (.zone, .text(let zone)): [(path, zone)]
        case (.group(let fields), .group(let values)): values.zones(in: fields, path: path + ".")
        case (.list(let element, _), .list(let values)):
            values.enumerated().flatMap { $1.zones(element, path: "\(path).\($0)") }
        default: []
        }
    }
}
