import HealthModel

/// A code, with or without its system: `code`, `system|code`, `|code` or `system|`.
struct FHIRToken: Sendable {
    private let system: String?
    private let code: String?

    init(_ text: Substring) {
        guard let bar = text.firstIndex(of: "|") else {
            (system, code) = (nil, String(text))
            return
        }
        system = String(text[..<bar])
        let rest = text[text.index(after: bar)...]
        code = rest.isEmpty ? nil : String(rest)
    }

    /// Whether it matches a code, a Coding, a CodeableConcept, an Identifier, or one of several of them.
    func matches(_ element: JSONValue) -> Bool {
        switch element {
        case .string(let text): return system == nil && code == text
        case .array(let items): return items.contains { matches($0) }
        case .object:
            if let codings = element["coding"] { return matches(codings) }
            guard let found = element["code"] ?? element["value"] else { return false }
            if let code, found != .string(code) { return false }
            guard let system else { return true }
            return element["system"] ?? "" == .string(system)
        default: return false
        }
    }

    /// The codes and the values of identifiers that an element has, or else its text.
    static func codes(_ element: JSONValue) -> [String] {
        switch element {
        case .string(let text): return [text]
        case .array(let items): return items.flatMap(codes)
        case .object:
            let found = element["coding"].map(codes) ?? (element["code"] ?? element["value"])?.texts ?? []
            return found.isEmpty ? element["text"]?.texts ?? [] : found
        default: return []
        }
    }
}

extension JSONValue {
    /// The texts of a string or of a list of strings.
    var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let items): items.flatMap(\.texts)
        default: []
        }
    }
}
