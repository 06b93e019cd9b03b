import FoundationEssentials
import HealthModel

/// The ids of what a document gives none: derived, so that importing it again finds what it found before.
struct PurusIds {
    private let namespace: UUID
    /// How often each content has come; equal entries of one document are told apart by their order.
    private var counts: [String: Int] = [:]

    init(namespace: UUID) {
        self.namespace = namespace
    }

    /// The id of the next entry, had its source none.
    ///
    /// To be asked of every entry, whether it has an id or not.
    mutating func next(_ content: EntryContent) -> UUID {
        let canonical = Self.canonical(content)
        let ordinal = counts[canonical, default: 0]
        counts[canonical] = ordinal + 1
        return UUID(nameBased: namespace, "entry\n\(canonical)\n\(ordinal)")
    }

    /// The id of an entry or a record whose source names it in its own way.
    static func id(ofText text: String, within namespace: UUID, _ kind: String) -> UUID {
        UUID(uuidString: text) ?? UUID(nameBased: namespace, "id\n\(kind)\n\(text)")
    }

    /// The id of a record whose source names none, from what tells one subject from another.
    static func record(_ profile: RecordProfile, birthdate: JSONValue?, within namespace: UUID) -> UUID? {
        let fields = [RecordProfile.givenName, RecordProfile.familyName, RecordProfile.name, RecordProfile.animalID]
        let texts = fields.map { profile.values.text($0) ?? "" }
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
        // The birthdate as the source has it: the day would depend on the zone.
        let identity = [.string(profile.subject.name), birthdate ?? .null] + texts.map { JSONValue.string($0) }
        return UUID(nameBased: namespace, "record\n" + JSONWriter.text(.array(identity)))
    }

    /// What the entry says, written one way: as native JSON, numbers without needless zeros.
    private static func canonical(_ content: EntryContent) -> String {
        var values = content.givenValues
        if content.kind == Document.kind {
            // Whether and where the bytes are kept is the journal's business.
            values[Document.content] = nil
            values[Document.missing] = nil
        }
        for field in content.kind.fields {
            if let decimal = values.decimal(field) { values[field] = .decimal(decimal.withoutTrailingZeros) }
        }
        let extra = content.toldExtra.filter { item in
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
