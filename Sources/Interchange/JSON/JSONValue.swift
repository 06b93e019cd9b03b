/// A JSON value that preserves its source: the digits of numbers and the order of members.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number as it was written: `75.50` stays `75.50`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
}

extension JSONValue {
    /// The value of a member of an object; nil if it is missing or the value is not an object.
    package subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
    }

    /// The nesting depth of arrays and objects: 0 for a scalar.
    package var depth: Int {
        switch self {
        case .array(let items): 1 + (items.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }

    /// The type of the value, as an error message names it.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }

    package static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
}

/// Literals, so that fixed documents can be written in code in the form in which they are sent.
extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }

    package init(arrayLiteral items: JSONValue...) { self = .array(items) }

    package init(stringLiteral text: String) { self = .string(text) }

    package init(booleanLiteral flag: Bool) { self = .bool(flag) }

    package init(integerLiteral number: Int) { self = .integer(number) }
}
