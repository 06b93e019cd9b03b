import FoundationEssentials
import HealthModel

/// The resources of one Patient, which become the entries of one record.
struct FHIRGroup {
    /// All resources of the document.
    let items: [FHIRItem]
    /// The places of those that become entries.
    let places: [Int]
    /// The places of all resources of the Patient.
    let all: [Int]
    let index: FHIRIndex
    let record: UUID
    let namespace: UUID
    let options: FHIROptions
    /// The resources that are kept without their meaning, and those that cannot be kept.
    private(set) var faults: [ImportFault] = []
    private var ids: [Int: UUID] = [:]
    /// The places of the resources whose entries have the id of another address.
    private var moved: Set<Int> = []
    private var held: FHIRHeld
    private var files: [Int: FHIRFile] = [:]
    private var contextBytes = 0

    init(
        items: [FHIRItem],
        places: [Int],
        all: [Int],
        index: FHIRIndex,
        record: UUID,
        namespace: UUID,
        options: FHIROptions
    ) {
        (self.items, self.places, self.all, self.index) = (items, places, all, index)
        (self.record, self.namespace, self.options) = (record, namespace, options)
        held = FHIRHeld(record, options.held)
    }

    /// The entries of the resources, in the order of the document.
    ///
    /// `providers` are the places of those who care for the Patient, and `results` those of the results of laboratory reports.
    mutating func entries(providers: Set<Int>, results: Set<Int>) throws -> [ImportedEntry] {
        try findIDs()
        var entries: [ImportedEntry] = []
        entries.reserveCapacity(places.count)
        for place in places {
            let item = items[place]
            guard let id = ids[place] else { continue }
            switch item.outcome {
            case .skipped: break
            case .deleted where item.isOlderVersion: break
            case .deleted:
                let current = try current(id)
                entries.append(ImportedEntry(retracting: current?.id ?? id, path: item.path.text))
            case .entry(var entry):
                entry.id = id
                if let fault = item.fault { faults.append(ImportFault(fault, isKept: true)) }
                entries.append(try settled(entry, place, isUnderstood: item.isUnderstood))
            case .undecided(let source):
                // What an earlier document said stays true if this one has a part of it.
                let former = try current(id)
                let known = former.map { FHIRContext($0.content.extra) }
                var context = try context(of: item, known)
                context.isOwnProvider = providers.contains(place) || former?.kind == Doctor.kind
                context.isLaboratoryResult =
                    (results.contains(place) || known?.isLaboratoryResult == true)
                    && FHIRInterpreter.dependsOnDocument(source.element, source.type)
                do {
                    let found = try source.imported(
                        as: id,
                        now: options.now,
                        source: options.source,
                        in: context
                    )
                    if let fault = found.fault { faults.append(ImportFault(fault, isKept: true)) }
                    entries.append(try settled(found.entry, place, isUnderstood: found.isUnderstood))
                } catch let error as ModelError {
                    faults.append(ImportFault(error, isKept: false))
                }
            }
        }
        return entries
    }

    // MARK: - Ids

    /// Finds the id of each entry: that of its resource's identity, or that of an entry which is the same resource.
    private mutating func findIDs() throws {
        var derived = FHIRIds(namespace: namespace)
        for place in places { ids[place] = derived.entry(of: items[place]) }
        try held.load(Array(ids.values))
        let unknown = places.filter { place in
            let item = items[place]
            return ids[place].flatMap { held[$0] } == nil && item.ownEntry == nil && !item.isOlderVersion
                && item.address?.hasPrefix("http") != true
        }
        let contents = unknown.compactMap { place in items[place].content.map { (place, $0) } }
        let taken = Set(ids.values.filter { held[$0] != nil })
        for (place, id) in try held.matches(contents, besides: taken) {
            ids[place] = id
            moved.insert(place)
            try held.load([id])
        }
    }

    /// The id of the entry of another kind that states what an entry stated, before its source or its meaning changed.
    private static func id(_ id: UUID, as kind: Kind) -> UUID { UUID(nameBased: id, "as \(kind.name)") }

    /// The ids of the entries of other kinds that can state what an entry stated.
    static func successors(of entry: UUID) -> [UUID] {
        FHIRInterpreter.kinds.map { id(entry, as: $0) }
    }

    /// The entry that states now what an entry stated, which may have become one of another kind; nil if all were retracted.
    private mutating func current(_ former: EntryState) throws -> EntryState? {
        if !former.isRetracted { return former }
        return try relatives(of: former).first { !$0.isRetracted }
    }

    /// The entry that states now what the entry with an id stated; nil if the record has none.
    private mutating func current(_ id: UUID) throws -> EntryState? {
        guard let former = held[id] else { return nil }
        return try current(former)
    }

    private mutating func relatives(of former: EntryState) throws -> [EntryState] {
        let ids = Self.successors(of: former.id)
        try held.load(ids)
        return ids.compactMap { held[$0] }
    }

    /// Returns an entry with the id under which the record has, or can have, an entry of its kind.
    ///
    /// What a document does not say intelligibly takes nothing back: then the former entry stays.
    private mutating func settled(
        _ entry: ImportedEntry,
        _ place: Int,
        isUnderstood: Bool
    ) throws -> ImportedEntry {
        var entry = entry
        if let former = held[entry.id] {
            let current = try current(former)
            // What was retracted stays retracted, whatever kind it is now.
            var kept = former
            if let current {
                kept = current
            } else {
                for relative in try relatives(of: former) where relative.latest.position > kept.latest.position {
                    kept = relative
                }
            }
            if kept.kind != entry.content.kind, !isUnderstood || current == nil || entry.isRetracted {
                (entry.id, entry.content, entry.attachment) = (kept.id, kept.content, nil)
                ids[place] = entry.id
                return entry
            }
            entry.id =
                kept.kind == entry.content.kind
                ? kept.id
                : former.kind == entry.content.kind ? former.id : Self.id(former.id, as: entry.content.kind)
            if let current, current.id != entry.id { entry.replaces = [current.id] }
            try held.load([entry.id])
            ids[place] = entry.id
            if let same = held[entry.id] {
                if moved.contains(place), FHIRHeld.sayTheSame(same.content, entry.content) {
                    entry.content = same.content
                    return entry
                }
                entry.content = entry.content.withFile(of: same.content)
            }
        }
        let links = links(of: items[place])
        if !links.isEmpty {
            var context = FHIRContext(entry.content.extra)
            context.links = links
            entry.content = context.kept(in: entry.content)
        }
        return entry
    }

    /// The references of a resource to resources whose entries have the ids of other addresses.
    private func links(of item: FHIRItem) -> [JSONValue.Member] {
        if moved.isEmpty { return [] }
        return item.references.sorted()
            .compactMap { reference in
                guard let place = index.item(of: reference, from: item), moved.contains(place), let id = ids[place]
                else {
                    return nil
                }
                return .init(reference, .string(id.text))
            }
    }

    // MARK: - Other resources

    /// What other resources, of the document or of the record, say for the meaning of one; what neither has, as it was known.
    private mutating func context(of item: FHIRItem, _ known: FHIRContext?) throws -> FHIRContext {
        var context = FHIRContext()
        for reference in item.needed {
            if let place = index.item(of: reference, from: item) {
                if let part = items[place].part { add(part, for: reference, to: &context) }
                if let file = file(at: place) { context.add(file, for: reference) }
            } else if let content = try content(referredToBy: reference, from: item), let kept = FHIRKept(content.extra)
            {
                let element = FHIRElement(value: kept.resource, path: item.path)
                guard case .string(let type)? = kept.resource["resourceType"] else { continue }
                if let part = try? FHIRTarget.part(of: element, type) { add(part, for: reference, to: &context) }
                if type == "Binary", case .string(let data)? = kept.resource["data"], let bytes = FHIRData.bytes(data) {
                    context.add(FHIRFile(mediaType: try? element.text("contentType"), bytes: bytes), for: reference)
                }
            } else if let part = known?.targets.first(where: { $0.name == reference })?.value {
                add(part, for: reference, to: &context)
            }
        }
        return context
    }

    /// The maximum number of bytes of the parts of other resources that are kept with the entries of one document.
    private static let maximumContextBytes = 64 << 20

    private mutating func add(_ part: JSONValue, for reference: String, to context: inout FHIRContext) {
        contextBytes += JSONWriter.text(part).utf8.count
        if contextBytes <= Self.maximumContextBytes { context.add(part, for: reference) }
    }

    /// The file that a Binary is, which several resources may refer to.
    private mutating func file(at place: Int) -> FHIRFile? {
        if let file = files[place] { return file }
        let file = items[place].file
        if let file { files[place] = file }
        return file
    }

    /// Returns the content of the entry of the record to which a reference leads; nil if it has none.
    private mutating func content(referredToBy reference: String, from item: FHIRItem) throws -> EntryContent? {
        let base = item.address.flatMap(FHIRItem.base(ofServer:))
        let identity = FHIRItem.identity(referredToBy: reference, base: base, source: options.source)
        let id = FHIRIds.entry(of: identity, namespace)
        try held.load([id])
        return try current(id)?.content
    }

    /// The entries that resources refer to and that the document does not contain, by the ids that they would have.
    ///
    /// The first version of a resource has the id of its identity, whatever comes after it.
    var referencesElsewhere: Set<UUID> {
        var found: Set<UUID> = []
        for place in all {
            for identity in items[place].identitiesElsewhere(index, source: options.source) {
                found.insert(FHIRIds.entry(of: identity, namespace))
            }
        }
        return found
    }

    // MARK: - The bundle

    /// The entries that keep the bundle around the resources.
    mutating func envelope(_ bundle: JSONValue) throws -> [ImportedEntry] {
        let kept = places.compactMap { place in
            ids[place].map { FHIREnvelope.Item(entry: $0, around: items[place].around) }
        }
        let entries = FHIREnvelope(bundle: bundle, items: kept).entries(namespace, source: options.source)
        guard !moved.isEmpty else { return entries }
        // The same resources under new addresses are no new bundle.
        try held.load(entries.map(\.id))
        return entries.map { entry in
            var entry = entry
            if let same = held[entry.id] { entry.content = same.content }
            return entry
        }
    }
}

extension EntryContent {
    /// The content of a document with the file of a former content, if its source only refers to it now, by the same address.
    fileprivate func withFile(of former: EntryContent) -> EntryContent {
        guard kind == Document.kind, body.flag(Document.missing) == true, former.fileDigest != nil,
            let kept = FHIRKept(extra), let known = FHIRKept(former.extra),
            kept.attachmentAddress != nil, kept.attachmentAddress == known.attachmentAddress
        else { return self }
        var content = self
        content.body[Document.missing] = nil
        for field in [Document.content, Document.mediaType] { content.body[field] = former.body[field] }
        return content
    }
}

extension FHIRKept {
    fileprivate var attachmentAddress: JSONValue? {
        let first: JSONValue? =
            if case .array(let items)? = resource["content"] { items.first?["attachment"] } else { resource["content"] }
        return first?["url"]
    }
}

extension FHIRItem {
    /// The content that keeps the text of the resource; nil for a resource without one.
    fileprivate var content: EntryContent? {
        switch outcome {
        case .entry(let entry): return entry.content
        case .undecided(let source):
            var content = EntryContent(kind: Foreign.kind)
            content.extra = FHIRKept(source.element.value, address: address).extra
            return content
        case .deleted, .skipped: return nil
        }
    }
}
