import HealthModel

/// What the rest of a document says for the meaning of one of its resources.
///
/// The parts of other resources are kept with the entry, so that the kept text has the same meaning without its document.
struct FHIRContext: Sendable {
    /// The parts of other resources that are needed, by the references that lead to them; see ``FHIRTarget``.
    private(set) var targets: [JSONValue.Member] = []
    /// The files to which attachments refer, by their addresses.
    private var files: [String: FHIRFile] = [:]
    /// The entries of references that do not lead to them by their text, because a resource has another address now.
    var links: [JSONValue.Member] = []
    /// Whether a laboratory report lists the resource among its results.
    var isLaboratoryResult = false
    /// Whether the Patient names the practitioner or the organization as theirs.
    var isOwnProvider = false
    /// Whether a journal made the resource of an entry.
    var isWrittenHere = false

    init() {}

    /// The largest part of another resource, in bytes of JSON.
    private static let maximumTargetBytes = 64 << 10

    mutating func add(_ target: JSONValue, for reference: String) {
        if targets.contains(where: { $0.name == reference }) { return }
        guard JSONWriter.text(target).utf8.count <= Self.maximumTargetBytes else { return }
        targets.append(.init(reference, target))
    }

    /// Forgets the parts of other resources, which a resource without a meaning does not need.
    mutating func removeTargets() { targets = [] }

    mutating func add(_ file: FHIRFile, for address: String) { files[address] = file }

    /// What is known of the resource to which an element refers: one that is contained in the resource, or another one.
    func target(of reference: FHIRElement, in resource: FHIRElement) throws -> FHIRElement? {
        if let name = try reference.text("reference"), name.hasPrefix("#") {
            return try resource.objects("contained").first { item in try item.text("id") == String(name.dropFirst()) }
        }
        guard let key = try FHIRTarget.key(of: reference), let found = targets.first(where: { $0.name == key }) else {
            return nil
        }
        return FHIRElement(value: found.value, path: reference.path)
    }

    /// The file to which an attachment refers; nil if the document does not contain it.
    func file(of attachment: FHIRElement) throws -> FHIRFile? { try attachment.text("url").flatMap { files[$0] } }

    // MARK: - What is kept of it

    private static let name = FHIRKept.prefix + "context"

    /// Reads what is kept with an entry.
    init(_ extra: [Extra]) {
        // Only a practitioner of the patient became an entry of another kind.
        isOwnProvider = true
        guard let item = extra.first(where: { $0.name == Self.name }),
            let kept = try? JSONReader.read(Array(item.json.utf8))
        else { return }
        targets = kept["targets"]?.members ?? []
        links = kept["links"]?.members ?? []
        isLaboratoryResult = kept["laboratory"] == .bool(true)
    }

    /// Reads the context that a journal wrote beside a resource; the files are those of the document.
    init(ofOwn resource: FHIRElement, files: FHIRContext) throws {
        let text = try FHIRExtension.own(FHIRExtension.context, of: resource)?.text("valueString")
        self.init(text.map { [Extra(name: Self.name, json: $0)] } ?? [])
        self.files = files.files
    }

    /// The extension that contains the context of an entry beside its resource; nil if the text alone has the same meaning.
    static func mark(of extra: [Extra]) -> JSONValue? {
        extra.first { $0.name == name }
            .map { FHIR.ownExtension(FHIRExtension.context, "String", .string($0.json)) }
    }

    /// The field to keep; nil if the text alone has the same meaning.
    var extra: Extra? {
        if targets.isEmpty, links.isEmpty, !isLaboratoryResult { return nil }
        let kept = JSONValue.present([
            "targets": targets.isEmpty ? nil : .object(targets), "links": links.isEmpty ? nil : .object(links),
            "laboratory": isLaboratoryResult ? .bool(true) : nil,
        ])
        return Extra(name: Self.name, json: JSONWriter.text(kept))
    }

    /// The content of an entry with this context kept in it.
    func kept(in content: EntryContent) -> EntryContent {
        let isMarked = FHIRKept.saysAll(of: content)
        var content = content
        content.extra.removeAll { $0.name == Self.name }
        let place = content.extra.firstIndex(where: FHIRKept.isMark) ?? content.extra.endIndex
        if let extra, extra.json.utf8.count <= Limits.extraJSON { content.extra.insert(extra, at: place) }
        return isMarked ? FHIRKept.marking(content) : content
    }

    /// Whether the same is known of other resources, by whatever references.
    func says(sameAs other: FHIRContext) -> Bool {
        targets.map(\.value) == other.targets.map(\.value) && isLaboratoryResult == other.isLaboratoryResult
    }
}

/// The part of a resource that the resources which refer to it need.
enum FHIRTarget {
    /// Returns what others need of a resource; nil for types that change the meaning of no other.
    static func part(of resource: FHIRElement, _ type: String) throws -> JSONValue? {
        switch type {
        case "Medication":
            return .present([
                "resourceType": .string(type), "code": resource.value["code"],
                "ingredient": resource.value["code"] == nil ? resource.value["ingredient"] : nil,
            ])
        case "Practitioner", "RelatedPerson":
            return try named(type, FHIRInterpreter.humanName(resource))
        case "Organization", "Location", "HealthcareService":
            return try named(type, resource.text("name"))
        case "Device":
            return try named(type, resource.objects("deviceName").first?.text("name"))
        default:
            return nil
        }
    }

    private static func named(_ type: String, _ name: String?) -> JSONValue? {
        name.map { ["resourceType": .string(type), "name": .string($0)] }
    }

    /// The words by which people know a resource: what a reference says of it, or else its name.
    static func display(
        of reference: FHIRElement?,
        in resource: FHIRElement,
        _ context: FHIRContext
    ) throws -> String? {
        guard let reference else { return nil }
        if let display = try reference.text("display") { return display }
        guard let target = try context.target(of: reference, in: resource) else { return nil }
        if case .string(let name)? = target.value["name"] { return name }
        return try FHIRInterpreter.humanName(target)
    }

    /// What tells the resource to which an element refers: its address, or a business identifier.
    static func key(of reference: FHIRElement) throws -> String? {
        if let text = try reference.text("reference") { return text }
        guard let identifier = try reference.object("identifier"), let system = try identifier.text("system"),
            let value = try identifier.text("value")
        else { return nil }
        return "\(try reference.text("type") ?? "")?identifier=\(system)|\(value)"
    }

    /// The references of a resource on which its meaning depends, as ``key(of:)`` gives them; none to contained resources.
    static func needed(by resource: FHIRElement, _ type: String) throws -> [String] {
        var references: [FHIRElement?] = []
        var addresses: [String] = []
        func attachment(_ element: FHIRElement?) throws {
            guard let element, element["data"] == nil, let url = try element.text("url") else { return }
            addresses.append(url)
        }
        switch type {
        case "MedicationStatement", "MedicationRequest": references = [try resource.object("medicationReference")]
        case "Procedure": references = [try resource.objects("performer").first?.object("actor")]
        case "Immunization":
            let performer = try resource.objects("performer").first?.object("actor")
            references = [try resource.object("location"), try resource.object("manufacturer"), performer]
        case "Observation": references = [try resource.object("device")]
        case "DocumentReference": try attachment(resource.objects("content").first?.object("attachment"))
        case "Media": try attachment(resource.object("content"))
        default: return []
        }
        // The name that a reference states is enough, but for a medication, which has codes.
        let isMedication = type.hasPrefix("Medication")
        for case let reference? in references where try isMedication || reference.text("display") == nil {
            if let key = try key(of: reference), !key.hasPrefix("#") { addresses.append(key) }
        }
        return addresses
    }
}
