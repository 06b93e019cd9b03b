import FoundationEssentials
import HealthModel

/// Reads the resources of one document, and divides them among the records of its Patients.
struct FHIRReader {
    private let options: FHIROptions
    private var faults: [ModelError] = []
    private var faultCount = 0
    private var resources: [FHIRSource] = []
    /// The bundle without its resources; nil if the document is no bundle.
    private var envelope: JSONValue?

    init(_ options: FHIROptions) { self.options = options }

    // MARK: - The resources of the document

    mutating func read(_ bytes: [UInt8]) throws {
        if let lines = Self.lines(of: bytes) {
            for (number, line) in lines {
                try add(JSONReader.read(line, at: DocumentPath("line \(number)")), at: DocumentPath("line \(number)"))
            }
            return
        }
        let document = try JSONReader.read(bytes, maximumBytes: FHIRDocument.maximumBytes)
        guard document["resourceType"] == "Bundle" else { return try add(document, at: DocumentPath()) }
        guard case .object(let members) = document else { return }
        if !FHIRExtension.isOwnBundle(document) { envelope = .object(members.filter { $0.name != "entry" }) }
        let root = FHIRElement(value: document, path: DocumentPath())
        for item in try root.objects("entry") { try add(entry: item) }
    }

    /// The lines of a document of which each line is a resource; nil for a document that is one JSON value.
    private static func lines(of bytes: [UInt8]) -> [(number: Int, line: [UInt8])]? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .map { (number: $0.offset + 1, line: Array($0.element)) }
            .filter { !$0.line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } }
        guard lines.count > 1, let first = lines.first, (try? JSONReader.read(first.line)) != nil else { return nil }
        return lines
    }

    /// Adds an entry of the bundle; what is wrong in it is noted, and reported with all other faults.
    private mutating func add(entry: FHIRElement) throws {
        guard case .object(let members) = entry.value else { return }
        let around = JSONValue.object(members.filter { $0.name != "resource" })
        do {
            let address = try entry.text("fullUrl")
            let isDeleted = try entry.object("request")?.text("method") == "DELETE"
            if let resource = try entry.object("resource") {
                try add(resource.value, at: resource.path, address: address, around: around, isDeleted: isDeleted)
            } else if isDeleted, let url = try entry.object("request")?.text("url") {
                resources.append(FHIRSource(deleting: url, at: entry.path, around))
            } else {
                throw ModelError(.invalid, field: entry.path.field, "has no resource")
            }
        } catch let error as ModelError {
            note(error)
        }
    }

    private mutating func add(
        _ value: JSONValue,
        at path: DocumentPath,
        address: String? = nil,
        around: JSONValue? = nil,
        isDeleted: Bool = false
    ) throws {
        do {
            let source = try FHIRSource(
                FHIRElement(value: value, path: path),
                address: address,
                around: around,
                isDeleted: isDeleted
            )
            guard resources.count < FHIRDocument.maximumResources else {
                throw JournalLimit.resources
            }
            resources.append(source)
        } catch let error as ModelError {
            note(error)
        }
    }

    private enum JournalLimit {
        static let resources = ModelError(
            .invalid,
            "has more than \(FHIRDocument.maximumResources) resources: split the document"
        )
    }

    private mutating func note(_ error: ModelError) {
        faultCount += 1
        if faults.count < FHIRDocument.maximumFaults { faults.append(error) }
    }

    private func requireNoFaults() throws(ModelError) {
        guard let first = faults.first else { return }
        if faultCount == 1 { throw first }
        let listed = faults.map(\.description).joined(separator: "\n")
        let more = faultCount > faults.count ? "\nand \(faultCount - faults.count) more" : ""
        throw ModelError(.invalid, "the document has \(faultCount) faults:\n\(listed)\(more)")
    }

    // MARK: - The records

    mutating func records() throws -> [ImportedRecord] {
        guard !resources.isEmpty else {
            try requireNoFaults()
            throw ModelError(.invalid, "contains no resource")
        }
        let patients = resources.filter { $0.type == "Patient" && !$0.isDeleted }
        guard patients.count <= FHIRDocument.maximumPatients else {
            throw ModelError(.invalid, "has more than \(FHIRDocument.maximumPatients) patients: split the document")
        }
        if options.record != nil, patients.count > 1 {
            throw ModelError(.invalid, "has several patients, and so it cannot be imported into one record")
        }
        guard patients.count > 0 || options.record != nil else {
            try requireNoFaults()
            throw ModelError(.invalid, "has no Patient: name the record that it is about")
        }
        let index = FHIRIndex(resources)
        let groups = groups(of: patients, index)
        var records: [ImportedRecord] = []
        for (patient, group) in groups {
            records.append(try record(patient, group, index, isFirst: records.isEmpty))
        }
        try requireNoFaults()
        return records
    }

    /// Returns the resources of each Patient.
    ///
    /// One that belongs to none is added to each record that refers to it, or else to the first one.
    private func groups(of patients: [FHIRSource], _ index: FHIRIndex) -> [(patient: FHIRSource?, [FHIRSource])] {
        guard patients.count > 1 else { return [(patients.first, resources)] }
        let numbers = Dictionary(patients.indices.map { (patients[$0].path, $0) }) { first, _ in first }
        var owned: [Int: [FHIRSource]] = [:]
        var common: [FHIRSource] = []
        for resource in resources {
            let owner =
                resource.type == "Patient"
                ? numbers[resource.path]
                : resource.patient.flatMap { index.place(of: $0) }.flatMap { numbers[$0] }
            if let owner { owned[owner, default: []].append(resource) } else { common.append(resource) }
        }
        // Which patients refer to a resource, by its place.
        var users: [DocumentPath: Set<Int>] = [:]
        if !common.isEmpty {
            for (patient, resources) in owned {
                for reference in resources.lazy.flatMap(\.references) {
                    if let place = index.place(of: reference) { users[place, default: []].insert(patient) }
                }
            }
        }
        for resource in common {
            for user in users[resource.path]?.sorted() ?? [0] { owned[user, default: []].append(resource) }
        }
        return patients.indices.map { (patients[$0], owned[$0] ?? []) }
    }

    private mutating func record(
        _ patient: FHIRSource?,
        _ group: [FHIRSource],
        _ index: FHIRIndex,
        isFirst: Bool
    ) throws -> ImportedRecord {
        let id = recordID(patient)
        let namespace = try options.namespaces.entries(id)
        var profile = RecordProfile(subject: .human)
        if let patient {
            do { profile = try FHIRPatient.profile(of: patient.element) } catch let error as ModelError { note(error) }
        }
        var ids = FHIRIds(source: options.source, namespace: namespace)
        var entries: [ImportedEntry] = []
        var items: [FHIREnvelope.Item] = []
        let providers = Set((patient?.providers ?? []).compactMap { index.place(of: $0) })
        for resource in group where !resource.isOwnPatient {
            let entry = ids.entry(of: resource)
            items.append(.init(entry: entry, around: resource.around))
            guard !resource.isReferenceOnly else {
                entries.append(ImportedEntry(retracting: entry, path: resource.path.text))
                continue
            }
            do {
                entries.append(
                    try resource.imported(as: entry, now: options.now, source: options.source) {
                        providers.contains(resource.path)
                    }
                )
            } catch let error as ModelError {
                note(error)
            }
        }
        if isFirst, let envelope {
            entries += FHIREnvelope(bundle: envelope, items: items).entries(namespace, source: options.source)
        }
        var record = ImportedRecord(id: id, profile: profile, entries: entries, shape: .fhir, unrepresented: [])
        record.hasProfile = patient != nil
        return record
    }

    private func recordID(_ patient: FHIRSource?) -> UUID {
        if let record = options.record { return record }
        guard let patient else { return UUID() }
        if let own = FHIRPatient.record(of: patient.element) { return own }
        return UUID(nameBased: options.namespaces.records, "fhir\n" + patient.identity(options.source))
    }
}
