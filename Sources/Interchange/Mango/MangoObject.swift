import FoundationEssentials
import HealthModel

/// An object of a document and its path, with members of the types that the format has.
///
/// A member that is null counts as missing.
struct MangoObject {
    let members: [JSONValue.Member]
    let path: DocumentPath
    private let object: NativeObject

    init(_ value: JSONValue, at path: DocumentPath) throws(ModelError) {
        object = try NativeObject(value, at: path)
        members = object.members
        self.path = path
    }

    subscript(name: String) -> JSONValue? {
        let value = members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    func place(_ name: String) -> DocumentPath { path.appending(name) }

    /// A text, with line breaks as the journal stores them; nil if it is missing or empty.
    func text(_ name: String, maximum: Int = Limits.paragraphs) throws(ModelError) -> String? {
        guard let text = try object.text(name), !text.isEmpty else { return nil }
        let received = try TextCheck.received(text, field: place(name).field, maximum: maximum)
        try TextCheck.check(received, field: place(name).text, maximum: maximum)
        return received
    }

    func flag(_ name: String) throws(ModelError) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let flag)?: return flag
        case .some(let other):
            throw ModelError(.invalid, field: place(name).field, "must be true or false, not \(other.typeName)")
        }
    }

    func instant(_ name: String) throws(ModelError) -> Instant? {
        guard let value = self[name] else { return nil }
        return try MangoDates.instant(value, at: place(name))
    }

    /// A list of texts; empty if it is missing.
    func texts(_ name: String) throws(ModelError) -> [String] {
        var texts: [String] = []
        for (index, item) in try items(name).enumerated() {
            guard case .string(let text) = item else {
                let field = place(name).appending(index).field
                throw ModelError(.invalid, field: field, "must be text, not \(item.typeName)")
            }
            texts.append(text)
        }
        return texts
    }

    /// The objects of a list; empty if it is missing.
    func objects(_ name: String) throws(ModelError) -> [MangoObject] {
        var objects: [MangoObject] = []
        for (index, item) in try items(name).enumerated() {
            objects.append(try MangoObject(item, at: place(name).appending(index)))
        }
        return objects
    }

    /// The documents of a collection, by their ids; empty if it is missing.
    func documents(_ name: String) throws(ModelError) -> [(id: String, document: MangoObject)] {
        guard let value = self[name] else { return [] }
        guard case .object(let members) = value else {
            let message: Message = "must be an object of documents by id, not \(value.typeName)"
            throw ModelError(.invalid, field: place(name).field, message)
        }
        var documents: [(id: String, document: MangoObject)] = []
        for member in members {
            documents.append((member.name, try MangoObject(member.value, at: place(name).appending(member.name))))
        }
        return documents
    }

    private func items(_ name: String) throws(ModelError) -> [JSONValue] {
        switch self[name] {
        case nil: return []
        case .array(let items)?: return items
        case .some(let other):
            throw ModelError(.invalid, field: place(name).field, "must be a list, not \(other.typeName)")
        }
    }
}
