import FoundationEssentials
import HealthModel

/// Writes the fields of an entry or a record: the CloudKit shape's own keys first, then data for which it has no key.
struct PurusFormWriter {
    private(set) var members: [JSONValue.Member] = []
    private let kept: [String: JSONValue]
    private let unknown: [Extra]

    /// `stamps` are written between the id and the fields, as in the CloudKit shape.
    init(_ form: PurusForm, _ keys: PurusKeys, extra: [Extra], id: JSONValue.Member?, stamps: [JSONValue.Member] = []) {
        let stillValid = extra.compactMap(PurusKept.init).filter { keys.isStillValid($0, form) }
        kept = Dictionary(stillValid.map { ($0.name, $0.source) }) { first, _ in first }
        unknown = extra.filter { PurusKept($0) == nil }
        if let id { members.append(.init(id.name, kept[id.name] ?? id.value)) }
        members += stamps
        writeOwn(keys, form)
        writeFurther(keys, form)
        writeKept(stillValid)
        writeUnknown()
    }

    private mutating func writeOwn(_ keys: PurusKeys, _ form: PurusForm) {
        for key in keys.own {
            if let value = kept[key.name] ?? PurusKeys.render(key.slot, form) ?? key.slot.empty(in: keys.fields) {
                members.append(.init(key.name, value))
            }
        }
    }

    private mutating func writeFurther(_ keys: PurusKeys, _ form: PurusForm) {
        let said = Set(keys.own.map(\.slot))
        for key in keys.further where !said.contains(key.slot) {
            // The day of birth is needed only if there is no instant that determines it.
            if key.name == PurusKeys.birthdayName, kept["personalBirthdate"] == nil,
                form.values.day(RecordProfile.birthdate) != nil
            {
                continue
            }
            if let value = kept[key.name] ?? PurusKeys.renderFurther(key.slot, form) {
                members.append(.init(key.name, value))
            }
        }
    }

    /// Writes the originals whose names have not been written yet.
    private mutating func writeKept(_ stillValid: [PurusKept]) {
        let names = Set(members.map(\.name))
        for item in stillValid where !names.contains(item.name) { members.append(.init(item.name, item.source)) }
    }

    private mutating func writeUnknown() {
        var names = Set(members.map(\.name))
        for item in unknown where names.insert(item.name).inserted {
            members.append(.init(item.name, item.value))
        }
    }
}

extension Extra {
    /// The JSON value; the text itself if it is not valid JSON.
    var value: JSONValue {
        (try? JSONReader.read(Array(json.utf8))) ?? .string(json)
    }
}

extension PurusKey.Slot {
    /// The CloudKit shape's value for an absent one; nil if the key is left out.
    fileprivate func empty(in fields: [Field]) -> JSONValue? {
        switch self {
        case .date: return .null
        case .comment, .sex: return .string("")
        case .field(let path):
            if case .text? = fields.path(named: path)?.fields.last?.type { return .string("") }
            return nil
        default: return nil
        }
    }
}
