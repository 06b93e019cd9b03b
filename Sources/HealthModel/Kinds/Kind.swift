/// A kind of entry: what it is called, where it belongs, which fields it has.
///
/// Each kind is made in a file of its own; ``all`` is the one list of them.
///
/// There is one of each, which thousands of entries share.
package final class Kind: Sendable {
    /// The stable code in a frame's header.
    package let code: UInt16
    /// The name on the command line, in JSON and in the API.
    package let name: String
    /// The name that a person reads, in the singular.
    package let label: String
    package let section: Section
    /// The fields of its body, in the order in which they are shown.
    package let fields: [Field]
    /// What the fields must be together, besides what each must be alone.
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

    /// Two fields of which one, when it is set, says that the other has no value.
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
