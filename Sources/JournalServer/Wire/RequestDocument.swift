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
    func json(_ names: [String]) async throws -> RequestDocument {
        try requireMediaType(["application/json"])
        return try RequestDocument(await bytes(), names)
    }
}
