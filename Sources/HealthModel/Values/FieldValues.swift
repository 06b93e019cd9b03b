package import FoundationEssentials

/// The values of a set of fields, sorted by field number.
///
/// An empty text, group or list is the same as an absent field: it is not stored.
package struct FieldValues: Hashable, Sendable {
    package private(set) var items: [Item] = []

    package struct Item: Hashable, Sendable {
        package var number: UInt32
        package var value: FieldValue
    }

    package init() {}

    package subscript(_ field: Field) -> FieldValue? {
        get { self[number: field.number] }
        set { self[number: field.number] = newValue }
    }

    package subscript(number number: UInt32) -> FieldValue? {
        get { items.first { $0.number == number }?.value }
        set {
            let index = items.firstIndex { $0.number >= number } ?? items.endIndex
            let isPresent = index < items.endIndex && items[index].number == number
            switch (newValue.flatMap(\.ifNotEmpty), isPresent) {
            case (let value?, true): items[index].value = value
            case (let value?, false): items.insert(Item(number: number, value: value), at: index)
            case (nil, true): items.remove(at: index)
            case (nil, false): break
            }
        }
    }

    package var isEmpty: Bool { items.isEmpty }

    /// Appends a value; returns false, and changes nothing, if it is empty or its number is not the greatest.
    mutating func append(_ value: FieldValue, number: UInt32) -> Bool {
        guard !value.isEmpty, items.last.map({ $0.number < number }) ?? true else { return false }
        items.append(Item(number: number, value: value))
        return true
    }

    package func text(_ field: Field) -> String? {
        if case .text(let text)? = self[field] { text } else { nil }
    }

    package func decimal(_ field: Field) -> ExactDecimal? {
        if case .decimal(let decimal)? = self[field] { decimal } else { nil }
    }

    package func integer(_ field: Field) -> Int64? {
        if case .integer(let integer)? = self[field] { integer } else { nil }
    }

    package func flag(_ field: Field) -> Bool? {
        if case .flag(let flag)? = self[field] { flag } else { nil }
    }

    package func day(_ field: Field) -> Day? {
        if case .day(let day)? = self[field] { day } else { nil }
    }

    /// The value of a field of the type ``FieldType/dayOrPeriod``.
    package func partialDate(_ field: Field) -> PartialDate? {
        switch self[field] {
        case .day(let day): .day(day)
        case .text(let text): try? PartialDate(parsing: text)
        default: nil
        }
    }

    package func group(_ field: Field) -> FieldValues? {
        if case .group(let group)? = self[field] { group } else { nil }
    }
}

extension FieldValue {
    fileprivate var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .bytes(let bytes): bytes.isEmpty
        case .group(let values): values.isEmpty
        case .list(let values): values.isEmpty
        case .decimal, .integer, .flag, .day, .instant, .id: false
        }
    }

    fileprivate var ifNotEmpty: FieldValue? { isEmpty ? nil : self }
}

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
