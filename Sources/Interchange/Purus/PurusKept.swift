import HealthModel

/// An original value of a source that our own encoding would not reproduce, with the value that it represented.
///
/// It is stored among the extra fields, and written again only if the journal still has the value that it represented:
/// an outdated original never hides a corrected value.
struct PurusKept {
    private static let prefix = "$purus."

    let name: String
    let rendered: JSONValue
    let source: JSONValue

    init(name: String, rendered: JSONValue, source: JSONValue) {
        self.name = name
        self.rendered = rendered
        self.source = source
    }

    /// Decodes an extra field; nil if it is not a kept original.
    init?(_ extra: Extra) {
        guard Self.isReserved(extra.name), let json = try? JSONReader.read(Array(extra.json.utf8)),
            let rendered = json["rendered"], let source = json["source"]
        else { return nil }
        self.init(name: String(extra.name.dropFirst(Self.prefix.count)), rendered: rendered, source: source)
    }

    var extra: Extra {
        let json = JSONValue.object([.init("rendered", rendered), .init("source", source)])
        return Extra(name: Self.prefix + name, json: JSONWriter.text(json))
    }

    static func isReserved(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Whether two values are equivalent: numbers are compared by value; a Boolean equals 0 or 1; null, an empty text
    /// and empty containers are equal.
    static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)):
            guard left != right else { return true }
            guard let left = try? ExactDecimal(parsing: left), let right = try? ExactDecimal(parsing: right) else {
                return false
            }
            return left == right
        case (.bool(let flag), .number(let text)), (.number(let text), .bool(let flag)):
            return text == (flag ? "1" : "0")
        default: return left == right || (left.isBlank && right.isBlank)
        }
    }
}

extension JSONValue {
    var isBlank: Bool {
        switch self {
        case .null, .string(""): true
        case .array(let items): items.isEmpty
        case .object(let members): members.isEmpty
        default: false
        }
    }
}

extension PurusKeys {
    /// The extra fields that are still valid: all except originals of values that have changed since.
    func effective(_ extra: [Extra], of form: PurusForm) -> [Extra] {
        extra.filter { item in
            guard let kept = PurusKept(item) else { return true }
            return isStillValid(kept, form)
        }
    }

    func isStillValid(_ kept: PurusKept, _ form: PurusForm) -> Bool {
        // A name that is not a key of the form is that of an id, which never changes.
        guard let key = byName[kept.name] else { return true }
        return PurusKept.isSame(kept.rendered, Self.value(of: key.slot, in: form))
    }
}
