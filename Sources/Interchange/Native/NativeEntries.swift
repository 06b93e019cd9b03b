import FoundationEssentials
package import HealthModel

/// Reads the entries of a native document.
struct NativeEntries {
    let now: Instant
    private var seen: [UUID: String] = [:]
    private(set) var entries: [ImportedEntry] = []
    private(set) var unrepresented: [String] = []

    init(now: Instant) {
        self.now = now
    }

    mutating func read(_ value: JSONValue, at path: DocumentPath) throws(ModelError) {
        for member in try NativeObject(value, at: path).members {
            let place = path.appending(member.name)
            guard let kind = Kind.named(member.name) else {
                throw ModelError(.invalid, field: place.field, "there is no such kind of entry")
            }
            guard case .array(let items) = member.value else {
                throw ModelError(.invalid, field: place.field, "must be an array, not \(member.value.typeName)")
            }
            for (index, item) in items.enumerated() { try read(item, kind, at: place.appending(index)) }
        }
    }

    private mutating func read(_ item: JSONValue, _ kind: Kind, at path: DocumentPath) throws(ModelError) {
        let object = try NativeObject(item, at: path)
        // What was never true must not come back as true.
        if item["retractedAt"].map({ !$0.saysNothing }) ?? false {
            unrepresented.append(path.text)
            return
        }
        let id = try object.id("id")
        let content = try object.content(of: kind, now: now)
        if let other = seen.updateValue(path.text, forKey: id) {
            throw ModelError(.invalid, field: path.appending("id").field, "has the same id as \(other)")
        }
        entries.append(ImportedEntry(id: id, content: content, path: path.text))
    }
}

extension NativeDocument {
    /// Reads what an entry says, without an id: the body of a request that adds or corrects one.
    ///
    /// Here a name that no field has is refused: whoever writes a request can mend it.
    package static func content(_ value: JSONValue, of kind: Kind, now: Instant) throws(ModelError) -> EntryContent {
        try content(value, of: kind, knowing: namesOfEntries[kind] ?? entryNames, at: DocumentPath(), now: now)
    }

    /// The same of the data of another tool's event, which cannot speak for the journal.
    static func content(
        ofEvent data: JSONValue,
        kind: Kind,
        at path: DocumentPath,
        now: Instant
    ) throws(ModelError) -> EntryContent {
        try content(data, of: kind, knowing: namesOfContents[kind] ?? contentNames, at: path, now: now)
    }

    private static func content(
        _ value: JSONValue,
        of kind: Kind,
        knowing known: Set<String>,
        at path: DocumentPath,
        now: Instant
    ) throws(ModelError) -> EntryContent {
        let object = try NativeObject(value, at: path)
        if let unknown = object.members.first(where: { !known.contains($0.name) }) {
            throw ModelError(.invalid, field: path.appending(unknown.name).field, "\(kind.name) has no such field")
        }
        return try object.content(of: kind, now: now)
    }
}
