package import FoundationEssentials

/// A type of value that a field of an event can have.
package protocol EventValue: Hashable, Sendable {
    static var fieldType: FieldType { get }
    /// The stored form; nil if the field is absent.
    var fieldValue: FieldValue? { get }
    /// Creates the value from its stored form, or from nil for an absent field; nil if that is not a value of the type.
    init?(fieldValue: FieldValue?)
}

extension String: EventValue {
    package static var fieldType: FieldType { .text(maximum: Limits.paragraphs) }
    package var fieldValue: FieldValue? { .text(self) }

    package init?(fieldValue: FieldValue?) {
        switch fieldValue {
        case .text(let text)?: self = text
        case nil: self = ""
        default: return nil
        }
    }
}

extension Bool: EventValue {
    package static var fieldType: FieldType { .flag }
    package var fieldValue: FieldValue? { self ? .flag(true) : nil }

    package init?(fieldValue: FieldValue?) {
        switch fieldValue {
        case .flag(let flag)?: self = flag
        case nil: self = false
        default: return nil
        }
    }
}

extension Int: EventValue {
    package static var fieldType: FieldType { .integer(Int64.min...Int64.max) }
    package var fieldValue: FieldValue? { .integer(Int64(self)) }

    package init?(fieldValue: FieldValue?) {
        guard case .integer(let integer)? = fieldValue else { return nil }
        self.init(exactly: integer)
    }
}

/// A position of the log or a number of events.
extension UInt64: EventValue {
    package static var fieldType: FieldType { .integer(0...Int64.max) }
    package var fieldValue: FieldValue? { .integer(Int64(clamping: self)) }

    package init?(fieldValue: FieldValue?) {
        guard case .integer(let integer)? = fieldValue else { return nil }
        self.init(exactly: integer)
    }
}

extension Day: EventValue {
    package static var fieldType: FieldType { .day }
    package var fieldValue: FieldValue? { .day(self) }

    package init?(fieldValue: FieldValue?) {
        guard case .day(let day)? = fieldValue else { return nil }
        self = day
    }
}

extension WallTime: EventValue {
    package static var fieldType: FieldType { .wallTime }
    package var fieldValue: FieldValue? { .text(description) }

    package init?(fieldValue: FieldValue?) {
        guard case .text(let text)? = fieldValue, let time = try? WallTime(parsing: text) else { return nil }
        self = time
    }
}

extension Instant: EventValue {
    package static var fieldType: FieldType { .instant }
    package var fieldValue: FieldValue? { .instant(self) }

    package init?(fieldValue: FieldValue?) {
        guard case .instant(let instant)? = fieldValue else { return nil }
        self = instant
    }
}

extension UUID: EventValue {
    package static var fieldType: FieldType { .id }
    package var fieldValue: FieldValue? { .id(self) }

    package init?(fieldValue: FieldValue?) {
        guard case .id(let id)? = fieldValue else { return nil }
        self = id
    }
}

extension Optional: EventValue where Wrapped: EventValue {
    package static var fieldType: FieldType { Wrapped.fieldType }
    package var fieldValue: FieldValue? { self?.fieldValue }

    package init?(fieldValue: FieldValue?) {
        guard let fieldValue else {
            self = .none
            return
        }
        guard let wrapped = Wrapped(fieldValue: fieldValue) else { return nil }
        self = .some(wrapped)
    }
}

/// A list of values, or the bytes of a digest.
extension Array: EventValue where Element: EventListElement {
    package static var fieldType: FieldType { Element.listType }
    package var fieldValue: FieldValue? { isEmpty ? nil : Element.listValue(self) }

    package init?(fieldValue: FieldValue?) {
        guard let fieldValue else {
            self = []
            return
        }
        guard let elements = Element.list(fieldValue) else { return nil }
        self = elements
    }
}

/// The values of a set are stored in ascending order, because equal events must have equal bytes.
extension Set: EventValue where Element: EventListElement & Comparable {
    package static var fieldType: FieldType { [Element].fieldType }
    package var fieldValue: FieldValue? { sorted().fieldValue }

    package init?(fieldValue: FieldValue?) {
        guard let elements = [Element](fieldValue: fieldValue) else { return nil }
        self.init(elements)
    }
}

/// A type whose values a field can contain as a list.
package protocol EventListElement: Hashable, Sendable {
    static var listType: FieldType { get }
    static func listValue(_ elements: [Self]) -> FieldValue
    static func list(_ value: FieldValue) -> [Self]?
}

extension EventListElement where Self: EventValue {
    package static var listType: FieldType { .list(of: fieldType, maximum: Limits.eventList) }
    package static func listValue(_ elements: [Self]) -> FieldValue { .list(elements.compactMap(\.fieldValue)) }

    package static func list(_ value: FieldValue) -> [Self]? {
        guard case .list(let values) = value else { return nil }
        let elements = values.compactMap { Self(fieldValue: $0) }
        return elements.count == values.count ? elements : nil
    }
}

extension UInt8: EventListElement {
    package static var listType: FieldType { .bytes(maximum: Limits.externalData) }
    package static func listValue(_ elements: [UInt8]) -> FieldValue { .bytes(elements) }

    package static func list(_ value: FieldValue) -> [UInt8]? {
        if case .bytes(let bytes) = value { bytes } else { nil }
    }
}

extension UUID: EventListElement {}
