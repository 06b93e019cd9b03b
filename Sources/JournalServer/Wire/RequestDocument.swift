import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// A small JSON object in a request's body; unknown member names are rejected.
struct RequestDocument {
    let bytes: [UInt8]
    private let value: JSONValue

    init(_ bytes: [UInt8], _ names: [String]) throws {
        self.bytes = bytes
        value = try JSONReader.read(bytes)
        guard case .object(let members) = value else {
            throw JournalError(.invalid, "the body must be a JSON object, not \(value.typeName)")
        }
        if let unknown = members.first(where: { !names.contains($0.name) }) {
            let known = names.joined(separator: ", ")
            throw JournalError(.invalid, field: String(unknown.name.prefix(40)), "is unknown; the members are \(known)")
        }
    }

    /// A whole number; nil if the member is missing or null.
    func integer(_ name: String) throws -> Int? {
        switch value[name] {
        case nil, .null: return nil
        case .number(let text):
            // `8.0` is a whole number too, as in JSON Schema.
            guard let decimal = try? ExactDecimal(parsing: text).withoutTrailingZeros, decimal.scale == 0 else {
                throw JournalError(.invalid, field: name, "must be a whole number")
            }
            return Int(decimal.coefficient)
        case .some(let other):
            throw JournalError(.invalid, field: name, "must be a whole number, not \(other.typeName)")
        }
    }

    /// The object as received, without a member that is parsed separately.
    func value(without name: String) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(members.filter { $0.name != name })
    }

    /// The body as received, or without a member that must not be part of a digest: a password could be guessed from
    /// it.
    func bytes(without name: String) -> [UInt8] {
        value[name] == nil ? bytes : Array(JSONWriter.text(value(without: name), .compact).utf8)
    }

    /// A secret text; nil if the member is missing, null or empty.
    func secret(_ name: String) throws -> String? {
        let text = try text(name)
        return text.isEmpty ? nil : text
    }

    /// A list of texts; empty if the member is missing or null.
    func texts(_ name: String) throws -> [String] {
        switch value[name] {
        case nil, .null: return []
        case .array(let items):
            return try items.map { item in
                guard case .string(let text) = item else {
                    throw JournalError(.invalid, field: name, "must contain texts, not \(item.typeName)")
                }
                return text
            }
        case .some(let other): throw JournalError(.invalid, field: name, "must be a list, not \(other.typeName)")
        }
    }

    /// A text; empty if the member is missing or null.
    func text(_ name: String) throws -> String {
        switch value[name] {
        case nil, .null: return ""
        case .string(let text): return text
        case .some(let other): throw JournalError(.invalid, field: name, "must be a text, not \(other.typeName)")
        }
    }
}

extension Request {
    /// Reads the body as a small object that may have the given members.
    func json(_ names: [String], atMost limit: Int = BodyLimits.jsonBytes) async throws -> RequestDocument {
        try requireMediaType(["application/json"])
        return try RequestDocument(await bytes(atMost: limit), names)
    }
}
