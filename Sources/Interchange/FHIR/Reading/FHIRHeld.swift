import FoundationEssentials
import HealthModel

/// The entries of a record that a document may repeat, change or refer to.
struct FHIRHeld {
    private let record: UUID
    private let read: @Sendable (_ record: UUID, _ entries: [UUID]?) throws -> [EntryState]
    private var known: [UUID: EntryState] = [:]
    private var asked: Set<UUID> = []

    init(_ record: UUID, _ read: @escaping @Sendable (_ record: UUID, _ entries: [UUID]?) throws -> [EntryState]) {
        (self.record, self.read) = (record, read)
    }

    /// Reads the entries with some ids, at once.
    mutating func load(_ entries: [UUID]) throws {
        let new = Set(entries).subtracting(asked)
        guard !new.isEmpty else { return }
        asked.formUnion(new)
        for entry in try read(record, Array(new)) { known[entry.id] = entry }
    }

    /// The entry with an id that was read; nil if the record has none.
    subscript(entry: UUID) -> EntryState? { known[entry] }

    // MARK: - The same resource under another address

    /// Finds the entries of resources that a document has under another address than a former one: a `urn:uuid` is new in
    /// each document.
    ///
    /// Two resources are the same that have a business identifier in common, or a type, an id, a title and a date. None is
    /// guessed among several; those in `taken` are other resources of the document.
    func matches(_ items: [(place: Int, content: EntryContent)], besides taken: Set<UUID>) throws -> [Int: UUID] {
        let wanted = items.compactMap { item in FHIRNames(item.content).map { (item.place, $0) } }
        guard !wanted.isEmpty else { return [:] }
        let held = try read(record, nil)
            .filter { !taken.contains($0.id) }
            .compactMap { entry in FHIRNames(entry.content).map { (entry.id, $0) } }
        var byName: [String: [Int]] = [:]
        for (index, entry) in held.enumerated() {
            for name in entry.1.all { byName[name, default: []].append(index) }
        }
        var (found, used) = ([Int: UUID](), Set<UUID>())
        for (place, names) in wanted {
            // A name that very many resources share, such as the number of an order, tells nothing.
            let candidates = Set(names.all.flatMap { (byName[$0] ?? []).prefix(Self.mostCandidates) })
                .filter { !used.contains(held[$0].0) && held[$0].1.isSame(as: names) }
            let likely = candidates.filter { held[$0].1.title == names.title && held[$0].1.date == names.date }
            guard let index = likely.count == 1 ? likely.first : candidates.count == 1 ? candidates.first : nil else {
                continue
            }
            used.insert(held[index].0)
            found[place] = held[index].0
        }
        return found
    }

    private static let mostCandidates = 20

    /// Whether the texts of two resources are the same but for the addresses that a document gives to its resources.
    static func sayTheSame(_ one: EntryContent, _ other: EntryContent) -> Bool {
        guard one.kind == other.kind, let text = FHIRKept(one.extra), let otherText = FHIRKept(other.extra) else {
            return false
        }
        return text.resource.withoutDocumentAddresses == otherText.resource.withoutDocumentAddresses
            && FHIRContext(one.extra).says(sameAs: FHIRContext(other.extra))
    }
}

/// The names by which a resource is known in whatever document: its identifiers, and its id.
private struct FHIRNames {
    let type: String
    let id: String?
    let title: String?
    let date: OccurredDate?
    let identifiers: Set<String>
    /// Whether its address is one of its document alone; otherwise its id counts only at a server, or in a source.
    let isOfDocument: Bool

    init?(_ content: EntryContent) {
        guard let kept = FHIRKept(content.extra), case .string(let type)? = kept.resource["resourceType"] else {
            return nil
        }
        self.type = type
        id = if case .string(let id)? = kept.resource["id"] { id } else { nil }
        title = FHIRSource.title(of: kept.resource)
        date = FHIRSource.date(of: kept.resource)
        isOfDocument = kept.address?.hasPrefix("urn:") ?? false
        var identifiers: Set<String> = []
        if case .array(let items)? = kept.resource["identifier"] {
            for item in items {
                guard case .string(let system)? = item["system"], case .string(let value)? = item["value"] else {
                    continue
                }
                identifiers.insert("\(type)?identifier=\(system)|\(value)")
            }
        }
        self.identifiers = identifiers
        if self.id == nil, identifiers.isEmpty { return nil }
    }

    var all: [String] { identifiers.sorted() + (id.map { ["\(type)/\($0)"] } ?? []) }

    func isSame(as other: FHIRNames) -> Bool {
        guard type == other.type else { return false }
        if !identifiers.isDisjoint(with: other.identifiers) { return true }
        // Of different identifiers, the id says nothing: two systems count from one.
        guard identifiers.isEmpty || other.identifiers.isEmpty, isOfDocument, other.isOfDocument, id != nil,
            id == other.id
        else { return false }
        // The record is that of the Patient.
        return type == "Patient" || title != nil && title == other.title && date == other.date
    }
}

extension JSONValue {
    /// The value with each reference to an address that is new in each document replaced.
    fileprivate var withoutDocumentAddresses: JSONValue {
        func replaced(_ value: JSONValue) -> JSONValue {
            if case .string(let text) = value, text.hasPrefix("urn:uuid:") || text.hasPrefix("urn:oid:") {
                "urn"
            } else {
                value
            }
        }
        return mapping(member: "reference", replaced).mapping(member: "url", replaced)
    }
}
