/// One field of a kind or a profile, described once.
///
/// The command line, validation, forms, CSV columns and JSON all follow from this description.
package struct Field: Hashable, Sendable {
    /// The stable number under which a value is stored. Never reused within one kind.
    package let number: UInt32
    /// The name in JSON and on the command line.
    package let name: String
    /// The name that a person reads.
    package let label: String
    package let type: FieldType
    package let isRequired: Bool

    package init(_ number: UInt32, _ name: String, _ label: String, _ type: FieldType, isRequired: Bool = false) {
        self.number = number
        self.name = name
        self.label = label
        self.type = type
        self.isRequired = isRequired
    }
}

/// What a field's value may be.
package indirect enum FieldType: Hashable, Sendable {
    /// Text of at most so many UTF-8 bytes.
    case text(maximum: Int)
    /// An exact decimal within the bounds, given as whole numbers.
    case decimal(ClosedRange<Int64>)
    case integer(ClosedRange<Int64>)
    case flag
    case day
    /// One of a few words.
    case choice([String])
    /// Fields of their own under one name, as an address has.
    case group([Field])
}
