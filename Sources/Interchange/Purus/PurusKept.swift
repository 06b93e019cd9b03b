import HealthModel

/// The text of a source that our own rendering would not reproduce, together with what it stood for.
///
/// It is kept among the fields that no shape knows, and written again only while the journal still says what it stood
/// for: a corrected value is never masked by an old original.
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

    /// Reads it back; nil if the extra is a field of somebody else.
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

    /// Whether two values say the same: numbers by value, and nothing, null and an empty text alike.
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
        default: return left == right || (left.saysNothing && right.saysNothing)
        }
    }
}

extension JSONValue {
    var saysNothing: Bool {
        switch self {
        case .null, .string(""): true
        case .array(let items): items.isEmpty
        case .object(let members): members.isEmpty
        default: false
        }
    }
}

extension PurusKeys {
    /// The extras that still hold: all but the originals of values that have changed since.
    func effective(_ extra: [Extra], of form: PurusForm) -> [Extra] {
        extra.filter { item in
            guard let kept = PurusKept(item) else { return true }
            return isStanding(kept, form)
        }
    }

    func isStanding(_ kept: PurusKept, _ form: PurusForm) -> Bool {
        // What is no key of a form is an id, which never changes.
        guard let key = byName[kept.name] else { return true }
        return PurusKept.isSame(kept.rendered, Self.standing(key.slot, form))
    }
}
