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
        /// A Patient, or a resource that is understood only with its Patient.
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
        if !options.reads(source.type) {
            outcome = .skipped
        } else if source.isReferenceOnly {
            outcome = .deleted
        } else if !source.isOlderVersion,
            source.type == "Patient" || FHIRInterpreter.dependsOnPatient(source.type)
        {
            outcome = .undecided(source)
        } else {
            let id = ownEntry ?? options.namespaces.records
            outcome = .entry(
                try source.imported(as: id, now: options.now, source: options.source, isOwnProvider: false)
            )
        }
    }

    /// The identities of the resources to which it refers and that a document does not contain.
    ///
    /// A relative reference starts from the address of the server that the resource has itself.
    func identitiesElsewhere(_ index: FHIRIndex, source: String) -> [String] {
        let base = address.flatMap(Self.base(ofServer:))
        return references.filter { index.item(of: $0) == nil }
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
    /// Indices of items.
    private var places: [String: Int] = [:]
    /// Those of the resources without an address, by type and id.
    private var unaddressed: [String: Int] = [:]

    init(_ items: [FHIRItem]) {
        places.reserveCapacity(2 * items.count)
        for (index, item) in items.enumerated() where !item.isOlderVersion {
            if let address = item.address { places[address] = index }
            if let name = item.localName {
                places[name] = index
                if item.address == nil { unaddressed[name] = index }
            }
            for name in item.conditionalNames { places[name] = index }
        }
    }

    /// Returns the index of the resource to which a reference leads; nil if it is not in the document.
    func item(of reference: String) -> Int? {
        if let place = places[reference] { return place }
        // An absolute address of a server, for a resource that the document identifies by its type and id.
        return unaddressed[reference.split(separator: "/").suffix(2).joined(separator: "/")]
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
