/// One field of a kind or a profile, described once.
///
/// The command line, validation, forms, CSV columns and JSON all follow from this description.
package struct Field: Hashable, Sendable {
    /// The stable number under which a value is stored, never reused within one kind.
    package let number: UInt32
    /// The name in JSON and on the command line.
    package let name: String
    /// The name that a person reads.
    package let label: String
    package let type: FieldType
    package let isRequired: Bool
    /// What a text must look like besides being short enough.
    package let format: TextFormat

    package init(
        _ number: UInt32,
        _ name: String,
        _ label: String,
        _ type: FieldType,
        isRequired: Bool = false,
        format: TextFormat = .any
    ) {
        self.number = number
        self.name = name
        self.label = label
        self.type = type
        self.isRequired = isRequired
        self.format = format
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

/// A pattern that a text must match.
package enum TextFormat: Hashable, Sendable {
    case any
    /// Three capital letters, as ISO 4217 has them.
    case currency
    /// A SHA-256 in 64 lowercase hex digits.
    case digest
}
