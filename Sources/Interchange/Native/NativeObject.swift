package import FoundationEssentials
package import HealthModel

/// An object of a native document, and its path.
package struct NativeObject {
    package let members: [JSONValue.Member]
    package let path: DocumentPath
    private let values: [String: JSONValue]

    package init(_ value: JSONValue, at path: DocumentPath = DocumentPath()) throws(ModelError) {
        guard case .object(let members) = value else {
            throw ModelError(.invalid, field: path.field, "must be an object, not \(value.typeName)")
        }
        self.members = members
        self.path = path
        values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    package func text(_ name: String) throws(ModelError) -> String? {
        switch values[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case .some(let other):
            throw ModelError(.invalid, field: path.appending(name).field, "must be text, not \(other.typeName)")
        }
    }

    package func id(_ name: String) throws(ModelError) -> UUID {
        guard let id = try text(name).flatMap(UUID.init(uuidString:)) else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be a UUID")
        }
        return id
    }

    func values(of fields: [Field]) throws(ModelError) -> FieldValues {
        var read = FieldValues()
        for field in fields {
            guard let value = values[field.name] else { continue }
            read[field] = try FieldCodec.native.value(value, as: field, at: path.appending(field.name))
        }
        return read
    }

    func content(of kind: Kind, now: Instant) throws(ModelError) -> EntryContent {
        let content = try decodeContent(of: kind)
        do { try content.validate(now: now) } catch { throw located(error) }
        return content
    }

    /// Decodes the content of an entry without validating it.
    package func decodeContent(of kind: Kind) throws(ModelError) -> EntryContent {
        var content = EntryContent(kind: kind)
        if let text = try text("date"), !text.isEmpty {
            do { content.date = try OccurredDate(parsing: text) } catch { throw error.at(path.appending("date")) }
        }
        content.body = try values(of: kind.fields)
        content.comment = try TextCheck.received(
            text("comment") ?? "",
            field: path.appending("comment").field,
            maximum: Limits.paragraphs
        )
        switch values["voiceEntryUsed"] {
        case nil, .null: break
        case .bool(let flag): content.voiceEntryUsed = flag
        case .some(let other):
            let field = path.appending("voiceEntryUsed").field
            throw ModelError(.invalid, field: field, "must be true or false, not \(other.typeName)")
        }
        content.inferred = try inferred()
        content.extra = try extra(known: NativeDocument.namesOfEntries[kind] ?? NativeDocument.entryNames)
        return content
    }

    func inferred() throws(ModelError) -> [String] {
        guard let value = values["inferred"], value != .null else { return [] }
        let place = path.appending("inferred")
        guard case .array(let items) = value else {
            throw ModelError(.invalid, field: place.field, "must be an array, not \(value.typeName)")
        }
        var names: [String] = []
        for (index, item) in items.enumerated() {
            guard case .string(let name) = item else {
                throw ModelError(.invalid, field: place.appending(index).field, "must be text, not \(item.typeName)")
            }
            names.append(name)
        }
        return names
    }

    /// The document's extra fields and all members that this version does not know, so that a newer version's fields
    /// are preserved.
    func extra(known: Set<String>) throws(ModelError) -> [Extra] {
        var kept: [JSONValue.Member] = []
        if let value = values["extra"], value != .null {
            kept = try NativeObject(value, at: path.appending("extra")).members
        }
        let names = Set(kept.map(\.name))
        kept += members.filter { !known.contains($0.name) && !names.contains($0.name) }
        for member in kept where member.value.depth > PurusSource.maximumExtraDepth {
            let field = path.appending("extra").appending(member.name).field
            throw ModelError(.invalid, field: field, "is nested more than \(PurusSource.maximumExtraDepth) deep")
        }
        return kept.map { Extra(name: $0.name, json: JSONWriter.text($0.value)) }
    }

    /// Adds the path of this object to the field of a model error.
    func located(_ error: ModelError) -> ModelError {
        guard let field = error.field else { return error.at(path) }
        return error.at(DocumentPath(path.text.isEmpty ? field : "\(path.text).\(field)"))
    }
}
