import Foundation

@testable import Interchange

/// Validates documents with the subset of JSON Schema that the project's schemas use.
///
/// An unknown keyword is an error. The code follows the specification, so that the schemas are also checked where no
/// other validator is installed.
struct SchemaCheck {
    struct Unknown: Error {
        let keyword: String
    }

    static func isValid(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        if case .bool(let verdict) = schema { return verdict }
        guard case .object(let keywords) = schema else { throw Unknown(keyword: "a schema is an object") }
        return try keywords.allSatisfy { try admits(value, $0, of: schema) }
    }

    private static func admits(_ value: JSONValue, _ keyword: JSONValue.Member, of schema: JSONValue) throws -> Bool {
        switch (keyword.name, keyword.value) {
        case ("$schema", _), ("$id", _), ("title", _), ("description", _), ("format", _), ("readOnly", _): return true
        case ("type", .string(let name)): return isOf(name, value)
        case ("type", .array(let names)): return names.contains { $0.text.map { isOf($0, value) } ?? false }
        case ("const", let other): return isSame(value, other)
        case ("enum", .array(let others)): return others.contains { isSame(value, $0) }
        case ("allOf", .array(let schemas)): return try schemas.allSatisfy { try isValid(value, $0) }
        case ("anyOf", .array(let schemas)): return try schemas.contains { try isValid(value, $0) }
        case ("oneOf", .array(let schemas)): return try schemas.count { try isValid(value, $0) } == 1
        case ("not", let other): return try !isValid(value, other)
        case ("minimum", .number(let text)): return number(value).map { $0 >= Decimal(string: text)! } ?? true
        case ("maximum", .number(let text)): return number(value).map { $0 <= Decimal(string: text)! } ?? true
        case ("minLength", .number(let text)): return value.text.map { $0.unicodeScalars.count >= Int(text)! } ?? true
        case ("maxLength", .number(let text)): return value.text.map { $0.unicodeScalars.count <= Int(text)! } ?? true
        case ("pattern", .string(let pattern)): return try value.text.map { try matches($0, pattern) } ?? true
        case ("maxItems", .number(let text)): return value.list.map { $0.count <= Int(text)! } ?? true
        case ("items", let inner): return try value.list?.allSatisfy { try isValid($0, inner) } ?? true
        case ("contains", let inner): return try value.list?.contains { try isValid($0, inner) } ?? true
        case ("minProperties", .number(let text)): return value.pairs.map { $0.count >= Int(text)! } ?? true
        case ("maxProperties", .number(let text)): return value.pairs.map { $0.count <= Int(text)! } ?? true
        case ("propertyNames", let inner):
            return try value.pairs?.allSatisfy { try isValid(.string($0.name), inner) } ?? true
        case ("required", .array(let names)):
            return names.allSatisfy { name in
                value.pairs?.contains { $0.name == name.text } ?? true
            }
        case ("properties", let properties):
            return try value.pairs?
                .allSatisfy { member in
                    try properties[member.name].map { try isValid(member.value, $0) } ?? true
                } ?? true
        case ("additionalProperties", let inner):
            return try value.pairs?
                .allSatisfy { member in
                    try schema["properties"]?[member.name] != nil || isValid(member.value, inner)
                } ?? true
        default: throw Unknown(keyword: keyword.name)
        }
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("number", .number):
            true
        case ("integer", .number(let text)): Decimal(string: text).map { $0 == $0.rounded } ?? false
        default: false
        }
    }

    private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool { left == right }

    private static func number(_ value: JSONValue) -> Decimal? {
        if case .number(let text) = value { Decimal(string: text) } else { nil }
    }

    private static func matches(_ text: String, _ pattern: String) throws -> Bool {
        let range = NSRange(text.startIndex..., in: text)
        return try NSRegularExpression(pattern: pattern).firstMatch(in: text, range: range) != nil
    }
}

extension Decimal {
    fileprivate var rounded: Decimal {
        var (value, result) = (self, Decimal())
        unsafe NSDecimalRound(&result, &value, 0, .plain)
        return result
    }
}

extension JSONValue {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    fileprivate var list: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    fileprivate var pairs: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}
