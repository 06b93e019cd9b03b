/// The description of one field of a kind or a profile.
///
/// The command line, validation, forms, CSV columns and JSON are all derived from it.
package struct Field: Hashable, Sendable {
    /// The stable number under which a value is stored, never reused within one kind.
    package let number: UInt32
    /// The name in JSON and on the command line.
    package let name: String
    /// The display name.
    package let label: String
    package let type: FieldType
    package let isRequired: Bool
    /// The pattern that a text must match, in addition to its maximum length.
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

/// The type of a field's value.
package indirect enum FieldType: Hashable, Sendable {
    /// Text of at most `maximum` UTF-8 bytes.
    case text(maximum: Int)
    /// An exact decimal within bounds that are whole numbers.
    case decimal(ClosedRange<Int64>)
    case integer(ClosedRange<Int64>)
    case flag
    case day
    /// One of the given words.
    case choice([String])
    /// A moment, to the microsecond.
    case instant
    /// The id of an account, a record, an entry or something else that has one.
    case id
    /// At most `maximum` bytes, such as a digest.
    case bytes(maximum: Int)
    /// A group of fields under one name, such as an address.
    case group([Field])
    /// At most `maximum` values of one type, in their order.
    case list(of: FieldType, maximum: Int)
}

/// A pattern that a text must match.
package enum TextFormat: Hashable, Sendable {
    case any
    /// Three capital letters, as in ISO 4217 currency codes.
    case currency
    /// A SHA-256 in 64 lowercase hex digits.
    case digest
}
