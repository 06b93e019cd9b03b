/// A kind of entry: its code, its names, its section and its fields.
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
    package let section: Section
    /// The fields of an entry's body, in display order.
    package let fields: [Field]
    /// The rules between fields, in addition to the rules of each field.
    package let exclusions: [Exclusion]

    package init(
        code: UInt16,
        name: String,
        label: String,
        section: Section,
        fields: [Field],
        exclusions: [Exclusion] = []
    ) {
        self.code = code
        self.name = name
        self.label = label
        self.section = section
        self.fields = fields
        self.exclusions = exclusions
    }

    /// A rule between two fields: while the flag is true, the other field must have no value.
    package struct Exclusion: Hashable, Sendable {
        package let flag: Field
        package let other: Field
        package let message: String
    }
}

extension Kind: Hashable {
    package static func == (left: Kind, right: Kind) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
