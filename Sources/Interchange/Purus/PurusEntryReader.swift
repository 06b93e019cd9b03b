import FoundationEssentials
import HealthModel

/// Reads the entries of a record in order, and determines the id of each.
struct PurusEntryReader {
    private let namespace: UUID
    private let dates: PurusDates
    private var ids: PurusIds
    private var seen: [UUID: String] = [:]
    private(set) var entries: [ImportedEntry] = []
    /// The path of the first occurrence of each field that was not understood.
    private(set) var unrepresented: [String] = []
    private var named: Set<String> = []

    init(record: UUID, dates: PurusDates) throws(ModelError) {
        self.dates = dates
        do {
            namespace = try dates.options.namespaces.entries(record)
        } catch {
            throw ModelError(.conflict, field: "uuid", "the record accepts no entries: \(error)")
        }
        ids = PurusIds(namespace: namespace)
    }

    mutating func read(_ entry: PurusSource.Entry) throws(ModelError) {
        let reader = try PurusFormReader(
            entry.members,
            keys: entry.kind.keys,
            dates: dates,
            at: entry.path,
            ignored: PurusDocument.idNames
        )
        var content = EntryContent(
            kind: entry.kind.kind,
            date: reader.form.date,
            body: reader.form.values,
            comment: reader.form.comment,
            voiceEntryUsed: reader.form.voiceEntryUsed,
            inferred: reader.inferred,
            extra: reader.extra
        )
        if content.kind == Document.kind, reader.form.attachment == nil { content.body[Document.missing] = .flag(true) }
        let texts = try Self.idTexts(entry.members, at: entry.path)
        let derived = ids.next(content)
        var id = derived
        if let text = texts.first?.text {
            id = PurusIds.id(ofText: text, within: namespace, content.kind.name)
            content.extra += Self.kept(texts, id)
        }
        do throws(ModelError) { try content.validate(now: dates.options.now) } catch { throw reader.located(error) }
        if let other = seen.updateValue(entry.path.text, forKey: id) {
            let name = texts.first.map { entry.path.appending($0.name) } ?? entry.path
            throw ModelError(.invalid, field: name.field, "has the same id as \(other)")
        }
        entries.append(
            ImportedEntry(id: id, content: content, attachment: reader.form.attachment, path: entry.path.text)
        )
        for name in reader.unrepresented where named.insert("\(content.kind.name).\(name)").inserted {
            unrepresented.append(entry.path.appending(name).text)
        }
    }

    /// The ids that a source gives an entry or a record; the first one is used.
    static func idTexts(
        _ members: [JSONValue.Member],
        at path: DocumentPath
    ) throws(ModelError) -> [(name: String, text: String)] {
        var texts: [(name: String, text: String)] = []
        for name in ["uuid", "id"] {
            guard let value = members.first(where: { $0.name == name })?.value, !value.isBlank else { continue }
            guard case .string(let text) = value else {
                throw ModelError(.invalid, field: path.appending(name).field, "must be text, not \(value.typeName)")
            }
            guard text.utf8.count <= Limits.line else {
                throw ModelError(.invalid, field: path.appending(name).field, "is longer than \(Limits.line) bytes")
            }
            texts.append((name, text))
        }
        return texts
    }

    /// The original ids that are not UUIDs or that differ from the id that is used.
    static func kept(_ texts: [(name: String, text: String)], _ id: UUID) -> [Extra] {
        texts.filter { UUID(uuidString: $0.text) != id }
            .map { text in
                PurusKept(name: text.name, rendered: .string(id.uuidString), source: .string(text.text)).extra
            }
    }
}
