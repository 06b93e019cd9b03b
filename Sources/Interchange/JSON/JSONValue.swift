/// A JSON value that keeps what a person or a tool wrote: the digits of its numbers and the order of its names.
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
    /// The value of a member of an object; nil of anything else.
    package subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
    }

    /// How deep arrays and objects stand in one another: 0 for a plain value.
    package var depth: Int {
        switch self {
        case .array(let items): 1 + (items.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }

    /// What the value is, in a word that an error may show.
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
