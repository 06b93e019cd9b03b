import FoundationEssentials
import HealthModel

/// A resource of a document, as it was found there.
struct FHIRSource {
    let element: FHIRElement
    let type: String
    /// The `fullUrl` in its bundle.
    let address: String?
    /// The entry of the bundle without the resource; nil if the document is no bundle.
    let around: JSONValue?
    /// Whether the document says that the resource was deleted.
    let isDeleted: Bool

    var path: DocumentPath { element.path }

    init(_ element: FHIRElement, address: String?, around: JSONValue?, isDeleted: Bool) throws {
        guard case .object = element.value else {
            throw ModelError(.invalid, field: element.path.field, "must be an object, not \(element.value.typeName)")
        }
        guard let type = try element.text("resourceType") else {
            throw ModelError(.invalid, field: element.path.appending("resourceType").field, "is missing")
        }
        guard type.utf8.count <= 64, type.utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }) else {
            throw ModelError(
                .invalid,
                field: element.path.appending("resourceType").field,
                "must be the name of a type of resource, in letters"
            )
        }
        _ = try element.text("id")
        if element.value.depth > PurusSource.maximumExtraDepth - 1 {
            let maximum = PurusSource.maximumExtraDepth - 1
            throw ModelError(.invalid, field: element.path.field, "is nested more than \(maximum) deep")
        }
        self.element = element
        self.type = type
        self.address = address
        self.around = around
        self.isDeleted = isDeleted
    }

    /// A resource of which the document says only that it was deleted.
    init(deleting url: String, at path: DocumentPath, _ around: JSONValue) {
        let parts = url.split(separator: "/")
        let (type, id) = (parts.dropLast().last.map(String.init) ?? "", parts.last.map(String.init) ?? "")
        let value: JSONValue = ["resourceType": .string(type), "id": .string(id)]
        element = FHIRElement(value: value, path: path)
        self.type = type
        address = nil
        self.around = around
        isDeleted = true
    }

    /// Whether the document has only a reference to the resource, because it was deleted.
    var isReferenceOnly: Bool {
        if isDeleted, case .object(let members) = element.value { members.count == 2 } else { false }
    }

    /// Whether it is a Patient that a journal made of a record's profile: it is the profile, and no entry.
    var isOwnPatient: Bool {
        type == "Patient" && FHIRPatient.record(of: element) != nil && FHIRExtension.entry(of: element) == nil
    }

    var id: String? { if case .string(let id)? = element.value["id"] { id } else { nil } }

    /// What tells the resource apart from all others of all documents; nil if nothing does but its content.
    private var known: String? {
        if let address, address.contains(":") { return address }
        if case .string(let source)? = element.value["meta"]?["source"], source.contains(":") {
            return "\(source) \(type) \(id ?? "")"
        }
        return nil
    }

    /// What tells the resource apart from all others of a source.
    func identity(_ source: String) -> String {
        if let known { return known }
        if let id { return "\(source)\n\(type)/\(id)" }
        if case .array(let identifiers)? = element.value["identifier"], let first = identifiers.first,
            case .string(let system)? = first["system"], case .string(let value)? = first["value"]
        {
            return "\(type)\n\(system)|\(value)"
        }
        return "\(type)\n\(JSONWriter.text(element.value))"
    }

    // MARK: - References

    /// The reference to the Patient that the resource is about; nil if it is about none.
    var patient: String? {
        for name in ["subject", "patient", "beneficiary", "for", "individual"] {
            if case .string(let text)? = element.value[name]?["reference"] { return text }
        }
        // A Provenance is about what it names as its targets, which are known only among the others.
        return nil
    }

    /// All references of the resource to others.
    var references: Set<String> {
        var found: Set<String> = []
        Self.collect(element.value, into: &found)
        return found
    }

    private static func collect(_ value: JSONValue, into found: inout Set<String>) {
        switch value {
        case .array(let items): for item in items { collect(item, into: &found) }
        case .object(let members):
            for member in members {
                if member.name == "reference", case .string(let text) = member.value {
                    found.insert(text)
                } else {
                    collect(member.value, into: &found)
                }
            }
        default: break
        }
    }

    /// The references of a Patient to those who care for it.
    var providers: [String] {
        guard case .array(let items)? = element.value["generalPractitioner"] else { return [] }
        return items.compactMap { if case .string(let text)? = $0["reference"] { text } else { nil } }
    }
}

/// Finds the resources of a document to which others refer.
struct FHIRIndex {
    private var places: [String: DocumentPath] = [:]
    /// The places of the resources without an address, by type and id.
    private var unaddressed: [String: DocumentPath] = [:]

    init(_ resources: [FHIRSource]) {
        for resource in resources {
            if let address = resource.address { places[address] = resource.path }
            if let id = resource.id {
                places["\(resource.type)/\(id)"] = resource.path
                if resource.address == nil { unaddressed["\(resource.type)/\(id)"] = resource.path }
            }
            guard case .array(let identifiers)? = resource.element.value["identifier"] else { continue }
            for identifier in identifiers {
                // As a conditional reference names it, such as `Practitioner?identifier=http://…|9999`.
                if case .string(let system)? = identifier["system"], case .string(let value)? = identifier["value"] {
                    places["\(resource.type)?identifier=\(system)|\(value)"] = resource.path
                }
            }
        }
    }

    /// Returns the place in the document of the resource to which a reference leads; nil if it is not in the document.
    func place(of reference: String) -> DocumentPath? {
        if let place = places[reference] { return place }
        // An absolute address of a server, for a resource that the document identifies by its type and id.
        return unaddressed[reference.split(separator: "/").suffix(2).joined(separator: "/")]
    }
}

/// Derives the ids of entries, so that importing a document again finds the same ids.
///
/// An id of the source is never an id here, because the same file could be imported into two records.
struct FHIRIds {
    let source: String
    let namespace: UUID
    /// How many resources had the same identity so far: versions of one resource, or equal ones.
    private var counts: [String: Int] = [:]

    init(source: String, namespace: UUID) {
        (self.source, self.namespace) = (source, namespace)
    }

    mutating func entry(of resource: FHIRSource) -> UUID {
        if let own = FHIRExtension.entry(of: resource.element) { return own }
        let identity = resource.identity(source)
        let ordinal = counts[identity, default: 0]
        counts[identity] = ordinal + 1
        return UUID(nameBased: namespace, "fhir\n\(identity)" + (ordinal == 0 ? "" : "\n\(ordinal)"))
    }
}
