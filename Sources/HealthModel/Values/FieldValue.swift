package import FoundationEssentials

/// The value of one field.
package enum FieldValue: Hashable, Sendable {
    /// A text, or the word of a choice.
    case text(String)
    case decimal(ExactDecimal)
    case integer(Int64)
    case flag(Bool)
    case day(Day)
    case instant(Instant)
    case id(UUID)
    case bytes([UInt8])
    case group(FieldValues)
    case list([FieldValue])
}
