import FoundationEssentials
import HealthModel

/// A resource of a document, as it was found there.
struct FHIRSource: Sendable {
    let element: FHIRElement
    let type: String
    /// The `fullUrl` in its bundle.
    let address: String?
    /// The entry of the bundle without the resource; nil if the document is no bundle.
    let around: JSONValue?
    /// Whether the document says that the resource was deleted.
    let isDeleted: Bool
    /// Whether the document has a newer version of the resource, so that this one is kept only as it came.
    var isOlderVersion = false
    /// The entry that was retracted, if a journal wrote the document.
    var deletedEntry: UUID?

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

    /// A resource about which the document says only that it was deleted.
    init(deleting url: String, address: String?, at path: DocumentPath, _ around: JSONValue) {
        let parts = url.split(separator: "/")
        let (type, id) = (parts.dropLast().last.map(String.init) ?? "", parts.last.map(String.init) ?? "")
        let value: JSONValue = ["resourceType": .string(type), "id": .string(id)]
        element = FHIRElement(value: value, path: path)
        self.type = type
        self.address = address
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
        let identity = resourceIdentity(source)
        return isOlderVersion ? "\(identity)\nversion \(version)" : identity
    }

    /// What tells the person apart whom a Patient with an address of its document alone describes; nil for another address,
    /// and if nothing does.
    ///
    /// An id or an identifier alone does not: two systems count from one, and a family may share the number of its insurance.
    func person(_ source: String) -> String? {
        guard address?.hasPrefix("urn:") == true else { return nil }
        let birthDate = if case .string(let text)? = element.value["birthDate"] { text } else { "" }
        let name = (try? FHIRInterpreter.humanName(element)) ?? ""
        guard let known = conditionalNames.first ?? id.map({ "\(source)\n\(type)/\($0)" }),
            !birthDate.isEmpty || !name.isEmpty
        else { return nil }
        return "\(known)\n\(birthDate)\n\(name)"
    }

    /// What tells a version of the resource apart from the others.
    private var version: String {
        let named = element.value["meta"]?["versionId"] ?? around?["response"]?["etag"]
        return if case .string(let text)? = named { text } else { JSONWriter.text(element.value) }
    }

    /// The address of the resource or, without one, its type and its id; for an older version, of this version.
    var reference: String? {
        let reference = address ?? id.map { "\(type)/\($0)" }
        return isOlderVersion ? reference.map { "\($0)\(Self.versionMark)\(version.prefix(100))" } : reference
    }

    /// The path before the version in a reference to it.
    static let versionMark = "/_history/"

    private func resourceIdentity(_ source: String) -> String {
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
        Self.references(in: element.value)
    }

    static func references(in resource: JSONValue) -> Set<String> {
        var found: Set<String> = []
        collect(resource, into: &found)
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

    /// Conditional references that lead to the resource, by its identifiers.
    var conditionalNames: [String] {
        guard case .array(let identifiers)? = element.value["identifier"] else { return [] }
        return identifiers.compactMap { identifier in
            guard case .string(let system)? = identifier["system"], case .string(let value)? = identifier["value"]
            else {
                return nil
            }
            return "\(type)?identifier=\(system)|\(value)"
        }
    }

    /// The references of a Patient to those who care for it.
    var providers: [String] {
        guard case .array(let items)? = element.value["generalPractitioner"] else { return [] }
        return items.compactMap { if case .string(let text)? = $0["reference"] { text } else { nil } }
    }
}
