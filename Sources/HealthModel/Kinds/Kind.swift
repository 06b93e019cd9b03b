package import FoundationEssentials

/// A kind of entry: all that is specific to it, except the reading and writing of foreign formats.
///
/// Each kind is defined in its own file; ``all`` lists them.
///
/// It is a class so that all entries of a kind share one instance.
package final class Kind: Sendable {
    /// The stable code in a frame's header.
    package let code: UInt16
    /// The name on the command line, in JSON and in the API.
    package let name: String
    /// The display name, in the singular.
    package let label: String
    /// The display name, in the plural.
    package let plural: String
    package let section: Section
    /// The fields of an entry's body, in display order.
    package let fields: [Field]
    /// The rules between two fields, in addition to the rules of each field.
    package let exclusions: [Exclusion]
    /// Further rules between the fields of an entry; throws an error that names the field.
    let check: @Sendable (EntryContent, _ now: Instant) throws(ModelError) -> Void
    /// Returns the id that an entry must have because its content determines it; nil if any id will do.
    package let derivedID: @Sendable (EntryContent) -> UUID?
    /// The fields that identify an entry in a list, in display order.
    package let summary: [Field]
    /// Whether the emergency view shows the entries, because they are needed to treat an unknown patient.
    package let isUrgent: Bool
    /// Whether the entries describe a lasting state, so that a new entry does not get today's date.
    package let isTimeless: Bool
    /// Whether each entry must have a date with a time of day.
    package let requiresTime: Bool
    /// The fields of a typical entry, by path and as text, for the description of the API.
    package let example: KeyValuePairs<String, String>

    /// Creates a kind; by default, the first field alone is the summary.
    package init(
        code: UInt16,
        name: String,
        label: String,
        plural: String,
        section: Section,
        fields: [Field],
        summary: [Field]? = nil,
        exclusions: [Exclusion] = [],
        isUrgent: Bool = false,
        isTimeless: Bool = false,
        requiresTime: Bool = false,
        check: @escaping @Sendable (EntryContent, _ now: Instant) throws(ModelError) -> Void = { _, _ in },
        derivedID: @escaping @Sendable (EntryContent) -> UUID? = { _ in nil },
        example: KeyValuePairs<String, String>
    ) {
        self.code = code
        self.name = name
        self.label = label
        self.plural = plural
        self.section = section
        self.fields = fields
        self.summary = summary ?? Array(fields.prefix(1))
        self.exclusions = exclusions
        self.isUrgent = isUrgent
        self.isTimeless = isTimeless
        self.requiresTime = requiresTime
        self.check = check
        self.derivedID = derivedID
        self.example = example
    }

    /// A rule between two fields: while the flag is true, the other field must have no value.
    package struct Exclusion: Hashable, Sendable {
        package let flag: Field
        package let other: Field
        package let message: Message
    }
}

extension Kind: Hashable {
    package static func == (left: Kind, right: Kind) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Kind {
    /// The part before the kind's name in the type of an external event that becomes an entry.
    private static let typePrefix = "org.healthjournal."
    /// The part after the kind's name.
    private static let typeSuffix = ".logged"

    /// The type of event with which another tool adds an entry of the kind, such as `org.healthjournal.weight.logged`.
    package var eventType: String { Kind.typePrefix + name + Kind.typeSuffix }

    /// Returns the kind of entry that an event of a type becomes, or nil if such an event is stored as received.
    package static func ofEvent(type: String) -> Kind? {
        guard type.hasPrefix(typePrefix), type.hasSuffix(typeSuffix) else { return nil }
        return named(String(type.dropFirst(typePrefix.count).dropLast(typeSuffix.count)))
    }
}
