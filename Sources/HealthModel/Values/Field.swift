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
    /// An exact decimal within bounds that are whole numbers; an amount may also be a fraction such as 1/3.
    case decimal(ClosedRange<Int64>, fractions: Bool = false)
    case integer(ClosedRange<Int64>)
    case flag
    case day
    /// One of the given words.
    case choice([String])
    /// A moment, to the microsecond.
    case instant
    /// A time of day such as 08:00, as text.
    case wallTime
    /// A day or a time of a day without a zone, such as 2026-05-04 or 2026-05-04T12:00, as text.
    case wallMoment
    /// A day, a month or a year, such as 2026-05-04, 2026-05 or 2026, as text.
    case partialDate
    /// A day; or a month or a year such as 2026-05 or 2026, as text, if no more is known.
    case dayOrPeriod
    /// The IANA identifier of a time zone, as text.
    case zone
    /// The id of an account, a token or something else that has one.
    case id
    /// The id of an entry of one of the named kinds, in the same record.
    case entry(kinds: [String])
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
    /// A single line.
    case line
    /// The form of a BCP 47 language tag: subtags of letters and digits, the first one a language.
    case languageTag
    /// Three capital letters, as in ISO 4217 currency codes.
    case currency
    /// A SHA-256 in 64 lowercase hex digits.
    case digest
}
