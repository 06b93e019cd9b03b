import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// A small JSON object that a request brings, its names checked.
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
            throw JournalError(.invalid, field: String(unknown.name.prefix(40)), "is not known here; \(known) are")
        }
    }

    /// A whole number; nil where there is none.
    func integer(_ name: String) throws -> Int? {
        switch value[name] {
        case nil, .null: return nil
        case .number(let text):
            // `8.0` is one too, as JSON Schema has it.
            guard let decimal = try? ExactDecimal(parsing: text).withoutTrailingZeros, decimal.scale == 0 else {
                throw JournalError(.invalid, field: name, "must be a whole number")
            }
            return Int(decimal.coefficient)
        case .some(let other):
            throw JournalError(.invalid, field: name, "must be a whole number, not \(other.typeName)")
        }
    }

    /// The object as it came, but for a member that is read by itself.
    func value(without name: String) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(members.filter { $0.name != name })
    }

    /// A text; empty where there is none.
    func text(_ name: String) throws -> String {
        switch value[name] {
        case nil, .null: return ""
        case .string(let text): return text
        case .some(let other): throw JournalError(.invalid, field: name, "must be a text, not \(other.typeName)")
        }
    }
}

extension Request {
    /// The body as a small object of the names given.
    func json(_ names: [String], atMost limit: Int = BodyLimits.jsonBytes) async throws -> RequestDocument {
        try requireMediaType(["application/json"])
        return try RequestDocument(await bytes(atMost: limit), names)
    }
}
