import HealthModel

/// The parts of a Purus document in any shape: the fields of its record, and its entries by kind.
struct PurusSource {
    struct Entry {
        let kind: PurusKind
        let members: [JSONValue.Member]
        let path: DocumentPath
    }

    /// The largest nesting depth of fields that no shape defines; deeper ones could make an export unreadable.
    static let maximumExtraDepth = 32

    private(set) var shape = ImportShape.cloudKit
    /// The fields of the record itself, in their order.
    private(set) var members: [JSONValue.Member] = []
    /// Entries in the order of the document's arrays.
    private(set) var entries: [Entry] = []

    init(_ document: JSONValue) throws(ModelError) {
        guard case .object(let root) = document else {
            throw ModelError(.invalid, "a Purus document is a JSON object, not \(document.typeName)")
        }
        if document["format"] != nil, document["entries"] != nil {
            throw ModelError(.invalid, field: "format", "this is not a Purus document; is it a native one?")
        }
        var isKnown = false
        var hasModelsNames = false
        var hasEntries = (models: false, cloudKit: false)
        for member in try Self.flattened(root) {
            guard let (kind, isModelsName) = Self.arrays[member.name] else {
                members.append(member)
                isKnown = isKnown || PurusKeys.profileNames.contains(member.name) || member.name == "uuid"
                continue
            }
            isKnown = true
            let count = entries.count
            try read(member.value, of: kind, at: DocumentPath(member.name))
            // A kind that Purus does not have has the same name in both shapes, which is no evidence of either.
            guard kind.modelsName != kind.cloudKitName else { continue }
            hasModelsNames = hasModelsNames || isModelsName
            if entries.count > count {
                if isModelsName { hasEntries.models = true } else { hasEntries.cloudKit = true }
            }
        }
        guard isKnown else { throw ModelError(.invalid, "this is not a Purus document: it has none of its fields") }
        if hasEntries.models && hasEntries.cloudKit {
            throw ModelError(.invalid, "the document mixes two shapes, whose dates count from different years")
        }
        if document["fields"] != nil {
            shape = .webServices
        } else if hasModelsNames && !hasEntries.cloudKit {
            shape = .models
        }
    }

    /// The fields of a record, unwrapped if it came from CloudKit Web Services.
    private static func flattened(_ root: [JSONValue.Member]) throws(ModelError) -> [JSONValue.Member] {
        guard let fields = root.first(where: { $0.name == "fields" }) else { return root }
        guard case .object(let wrapped) = fields.value else {
            throw ModelError(.invalid, field: "fields", "must be an object, not \(fields.value.typeName)")
        }
        var flat: [JSONValue.Member] = []
        for member in wrapped {
            let path = DocumentPath("fields").appending(member.name)
            guard let value = member.value["value"] else {
                throw ModelError(.invalid, field: path.field, "must be an object that contains a value")
            }
            flat.append(.init(member.name, Self.isTimestamp(member.value) ? try Self.seconds(value, at: path) : value))
        }
        let names = Set(flat.map(\.name))
        for member in root where member.name != "fields" {
            guard !names.contains(member.name) else {
                throw ModelError(.invalid, field: DocumentPath().appending(member.name).field, "appears twice")
            }
            flat.append(member)
        }
        return flat
    }

    private static func isTimestamp(_ field: JSONValue) -> Bool { field["type"] == .string("TIMESTAMP") }

    /// CloudKit's own timestamps are in milliseconds; their type marks them.
    private static func seconds(_ value: JSONValue, at path: DocumentPath) throws(ModelError) -> JSONValue {
        guard case .number(let text) = value else { return value }
        let milliseconds = try FieldCodec.decimal(text, at: path)
        return .number(ExactDecimal(coefficient: milliseconds.coefficient, scale: milliseconds.scale + 3).description)
    }

    private mutating func read(_ value: JSONValue, of kind: PurusKind, at path: DocumentPath) throws(ModelError) {
        var value = value
        if case .string(let text) = value, !text.isEmpty { value = try JSONReader.read(Array(text.utf8), at: path) }
        switch value {
        case .null, .string(""): return
        case .array(let items):
            for (index, item) in items.enumerated() {
                let place = path.appending(index)
                guard case .object(let members) = item else {
                    throw ModelError(.invalid, field: place.field, "must be an object, not \(item.typeName)")
                }
                entries.append(Entry(kind: kind, members: members, path: place))
            }
        default:
            throw ModelError(.invalid, field: path.field, "must be an array of entries, or text that contains one")
        }
    }

    /// The names of the entry arrays in both shapes.
    private static let arrays: [String: (kind: PurusKind, isModels: Bool)] = Dictionary(
        PurusKind.all.flatMap { [($0.cloudKitName, ($0, false)), ($0.modelsName, ($0, true))] }
    ) { first, _ in first }
}
