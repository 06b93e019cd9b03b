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
        // A retracted entry was wrong, so an import must not add it as a valid one.
        if item["retractedAt"].map({ !$0.isBlank }) ?? false {
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
    /// Reads the content of an entry, without an id: the body of a request that adds or corrects one.
    ///
    /// An unknown member is an error, because the sender of a request can correct it.
    package static func content(_ value: JSONValue, of kind: Kind, now: Instant) throws(ModelError) -> EntryContent {
        try content(value, of: kind, knowing: namesOfEntries[kind] ?? entryNames, at: DocumentPath(), now: now)
    }

    /// Reads the content of an entry from an external event's data, in which the journal's metadata is not allowed.
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
