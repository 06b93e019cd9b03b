import FoundationEssentials
import HealthModel

/// What the reader keeps of one resource until it has seen the whole document.
///
/// That is its names, its references, and what it becomes; its elements are not kept.
struct FHIRItem: Sendable {
    /// What a resource becomes.
    enum Outcome: Sendable {
        /// An entry, whose id is not known yet.
        case entry(ImportedEntry)
        /// A Patient, or a resource that is understood only with others of the document.
        case undecided(FHIRSource)
        /// The document says only that the resource was deleted.
        case deleted
        /// It is of a type that is not to be read, and only leads to others.
        case skipped
    }

    let path: DocumentPath
    let type: String
    let outcome: Outcome
    /// The entry of the bundle without the resource; nil if the document is no bundle.
    let around: JSONValue?
    /// Whether the document has a newer version of the resource, to which all references lead.
    let isOlderVersion: Bool
    /// What tells the resource apart from all others of its source.
    let identity: String
    /// The entry that the resource is, if a journal wrote it.
    let ownEntry: UUID?
    /// `Type/id`; nil if the resource has no id.
    let localName: String?
    let address: String?
    /// Conditional references that lead to the resource, such as `Practitioner?identifier=http://…|9999`.
    let conditionalNames: [String]
    /// The reference to the Patient that the resource is about; nil if it is about none.
    let patient: String?
    /// All references of the resource to others outside of it, each once.
    let references: [String]
    /// Those on which its meaning depends.
    let needed: [String]
    /// What others need of the resource; see ``FHIRTarget``.
    let part: JSONValue?
    /// The references of a laboratory report to its results.
    let results: [String]
    /// What of the resource cannot be read; nil if it is understood.
    let fault: ModelError?
    /// Whether its entry states what its source states.
    let isUnderstood: Bool

    /// Whether its subject must be a Patient of the document.
    ///
    /// Skipped resources and older versions do not become entries. What a journal exported belongs to one record, whatever
    /// Patients its resources name.
    var needsPatient: Bool {
        if case .skipped = outcome { return false }
        return !isOlderVersion && ownEntry == nil
    }

    /// Interprets a resource; throws for an element of a wrong JSON type.
    init(_ source: FHIRSource, _ options: FHIROptions) throws {
        path = source.path
        type = source.type
        around = source.around
        isOlderVersion = source.isOlderVersion
        identity = source.identity(options.source)
        ownEntry = source.isOlderVersion ? nil : FHIRExtension.entry(of: source.element) ?? source.deletedEntry
        localName = source.id.map { "\(source.type)/\($0)" }
        address = source.address
        conditionalNames = source.conditionalNames
        patient = source.patient
        references = source.references.filter { !$0.hasPrefix("#") }
        // What cannot be read is a fault of the resource, which is found when it is interpreted.
        let needed = source.isOlderVersion ? [] : (try? FHIRTarget.needed(by: source.element, source.type)) ?? []
        self.needed = needed
        part = source.isOlderVersion ? nil : try? FHIRTarget.part(of: source.element, source.type)
        results = source.isOlderVersion ? [] : (try? FHIRInterpreter.results(of: source.element, source.type)) ?? []
        if !options.reads(source.type) {
            (outcome, fault, isUnderstood) = (.skipped, nil, true)
        } else if source.isReferenceOnly {
            (outcome, fault, isUnderstood) = (.deleted, nil, true)
        } else if !source.isOlderVersion,
            source.type == "Patient" || !needed.isEmpty
                || FHIRInterpreter.dependsOnDocument(source.element, source.type)
        {
            (outcome, fault, isUnderstood) = (.undecided(source), nil, true)
        } else {
            let id = ownEntry ?? options.namespaces.records
            let found = try source.imported(as: id, now: options.now, source: options.source, in: FHIRContext())
            (outcome, fault, isUnderstood) = (.entry(found.entry), found.fault, found.isUnderstood)
        }
    }

    /// The file that the resource is, if it is a Binary.
    var file: FHIRFile? {
        guard type == "Binary", !isOlderVersion, case .entry(let entry) = outcome,
            let kept = FHIRKept(entry.content.extra),
            let whole = try? FHIRKept.putBack(kept.resource, { entry.attachment }),
            case .string(let data)? = whole["data"], let bytes = FHIRData.bytes(data)
        else { return nil }
        let mediaType: String? = if case .string(let type)? = whole["contentType"] { type } else { nil }
        return FHIRFile(mediaType: mediaType, bytes: bytes)
    }

    /// The identities of the resources to which it refers and that a document does not contain.
    ///
    /// A relative reference starts from the address of the server that the resource has itself.
    func identitiesElsewhere(_ index: FHIRIndex, source: String) -> [String] {
        let base = address.flatMap(Self.base(ofServer:))
        return references.filter { index.item(of: $0, from: self) == nil }
            .map { Self.identity(referredToBy: $0, base: base, source: source) }
    }

    /// Returns the address of the server of a resource, with a slash at its end; nil for an address of another form.
    static func base(ofServer address: String) -> String? {
        guard address.hasPrefix("http") else { return nil }
        let parts = address.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return parts.joined(separator: "/") + "/"
    }

    static func identity(referredToBy reference: String, base: String?, source: String) -> String {
        if reference.contains(":") { return reference }
        return base.map { "\($0)\(reference)" } ?? "\(source)\n\(reference)"
    }

    /// The Patient that the resource is; nil for other resources, and for one that was deleted.
    var asPatient: FHIRSource? {
        if type == "Patient", case .undecided(let source) = outcome, !source.isDeleted { source } else { nil }
    }
}

/// Finds the resources of a document to which others refer.
struct FHIRIndex {
    /// Indices of items by addresses, by types and ids, and by business identifiers; nil for a name that several resources
    /// have.
    private var places: [String: Int?] = [:]
    /// Those of the resources that have no address of a server, by type and id.
    private var unaddressed: [String: Int?] = [:]

    init(_ items: [FHIRItem]) {
        places.reserveCapacity(2 * items.count)
        func add(_ index: Int, _ name: String, to names: inout [String: Int?]) {
            if case .some(.some(let other)) = names[name], items[other].identity != items[index].identity {
                names[name] = .some(nil)
            } else if names[name] == nil {
                names[name] = index
            }
        }
        for (index, item) in items.enumerated() where !item.isOlderVersion {
            if let address = item.address { places[address] = index }
            for name in item.conditionalNames {
                add(index, name, to: &places)
                if let mark = name.firstIndex(of: "?") { add(index, String(name[mark...]), to: &places) }
            }
            guard let name = item.localName else { continue }
            add(index, name, to: &places)
            if item.address.flatMap(FHIRItem.base(ofServer:)) == nil { add(index, name, to: &unaddressed) }
        }
    }

    /// Returns the index of the resource to which a reference leads; nil if it is not in the document.
    ///
    /// A relative reference leads to the server of the resource that has it (https://hl7.org/fhir/R4/bundle.html#references),
    /// or to a resource that has no address of a server.
    func item(of reference: String, from item: FHIRItem? = nil) -> Int? {
        if !reference.contains(":"), !reference.hasPrefix("?"),
            let base = item?.address.flatMap(FHIRItem.base(ofServer:))
        {
            if case .some(.some(let place)) = places[base + reference] { return place }
        } else if case .some(.some(let place)) = places[reference] {
            return place
        }
        if let version = reference.firstRange(of: FHIRSource.versionMark) {
            return self.item(of: String(reference[..<version.lowerBound]), from: item)
        }
        // Also an absolute address of a server, for a resource that the document identifies by its type and id.
        let name = reference.split(separator: "/").suffix(2).joined(separator: "/")
        if case .some(.some(let place)) = unaddressed[name] { return place }
        return conditional(reference)
    }

    /// A conditional reference leads to the resource with an identifier, on whatever server.
    private func conditional(_ reference: String) -> Int? {
        if reference.contains("?"), case .some(.some(let place)) = places[reference] { place } else { nil }
    }
}

/// Derives the ids of entries, so that importing a document again finds the same ids.
///
/// An id of the source is never an id here, because the same file could be imported into two records.
struct FHIRIds {
    let namespace: UUID
    /// How many resources had the same identity so far: versions of one resource, or equal ones.
    private var counts: [String: Int] = [:]

    init(namespace: UUID) { self.namespace = namespace }

    mutating func entry(of item: FHIRItem) -> UUID {
        if let own = item.ownEntry { return own }
        let ordinal = counts[item.identity, default: 0]
        counts[item.identity] = ordinal + 1
        return Self.entry(of: item.identity + (ordinal == 0 ? "" : "\n\(ordinal)"), namespace)
    }

    static func entry(of identity: String, _ namespace: UUID) -> UUID {
        UUID(nameBased: namespace, "fhir\n\(identity)")
    }
}
