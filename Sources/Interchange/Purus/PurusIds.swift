package import FoundationEssentials
import HealthModel

/// Derives ids for records and entries without one, so that importing a document again finds the same ids.
struct PurusIds {
    private let namespace: UUID
    /// The number of occurrences of each content; equal entries of one document are distinguished by their order.
    private var counts: [String: Int] = [:]

    init(namespace: UUID) {
        self.namespace = namespace
    }

    /// Returns the id of the next entry as if its source gave none.
    ///
    /// It must be called for every entry, even if the entry has an id.
    mutating func next(_ content: EntryContent) -> UUID {
        let canonical = Self.canonical(content)
        let ordinal = counts[canonical, default: 0]
        counts[canonical] = ordinal + 1
        return UUID(nameBased: namespace, "entry\n\(canonical)\n\(ordinal)")
    }

    /// The id of an entry or a record from its text in the source: the UUID itself, or one derived from the text.
    static func id(ofText text: String, within namespace: UUID, _ kind: String) -> UUID {
        UUID(uuidString: text) ?? UUID(nameBased: namespace, "id\n\(kind)\n\(text)")
    }

    /// The id of a record without an id in the source, derived from what identifies its subject; nil without any name
    /// or animal id.
    static func record(_ profile: RecordProfile, birthdate: JSONValue?, within namespace: UUID) -> UUID? {
        let fields = [RecordProfile.givenName, RecordProfile.familyName, RecordProfile.name, RecordProfile.animalID]
        let texts = fields.map { profile.values.text($0) ?? "" }
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
        // The birthdate as in the source, because its day would depend on the zone.
        let identity = [.string(profile.subject.name), birthdate ?? .null] + texts.map { JSONValue.string($0) }
        return UUID(nameBased: namespace, "record\n" + JSONWriter.text(.array(identity)))
    }

    /// The entry's content in a canonical form: native JSON, with decimals without trailing zeros.
    private static func canonical(_ content: EntryContent) -> String {
        var values = content.givenValues
        if content.kind == Document.kind {
            // The state of the attachment's bytes is not part of the content.
            values[Document.content] = nil
            values[Document.missing] = nil
        }
        for field in content.kind.fields {
            if let decimal = values.decimal(field) { values[field] = .decimal(decimal.withoutTrailingZeros) }
        }
        let extra = content.identifyingExtra.filter { item in
            !(PurusKept(item).map { PurusDocument.idNames.contains($0.name) } ?? false)
        }
        let parts: [JSONValue] = [
            .string(content.kind.name),
            content.date.map { .string($0.description) } ?? .null,
            .object(FieldCodec.native.members(values, of: content.kind.fields)),
            .string(content.comment),
            .bool(content.voiceEntryUsed),
            .array(extra.map { .array([.string($0.name), .string($0.json)]) }),
        ]
        return JSONWriter.text(.array(parts))
    }
}

/// The namespaces from which ids are derived for records and entries without an id.
///
/// Ids are stored in the log in plaintext. If an id were derived from content alone, anyone with a copy of the folder
/// could test guesses of a name or of a blood value against it. Each namespace is therefore a secret of the journal,
/// and the namespace of a record's entries is destroyed when the record's subject is erased.
package struct PurusNamespaces: Sendable {
    /// The namespace of the ids of records.
    let records: UUID
    /// Returns the namespace of the ids of a record's entries.
    package let entries: @Sendable (UUID) throws -> UUID

    package init(records: UUID, entries: @escaping @Sendable (UUID) throws -> UUID) {
        self.records = records
        self.entries = entries
    }
}
