import FoundationEssentials
import HealthModel
import Platform

/// Reads the resources of one document, and divides them among the records of its Patients.
///
/// Resources are parsed and interpreted one by one, on all processors, so that no more of their elements than those of the
/// Patients are in memory at a time.
struct FHIRReader {
    private let options: FHIROptions
    /// What refuses the document.
    private var faults = DocumentFaults()
    /// What is no resource that can be read, and was left out.
    private var leftOut: [ImportFault] = []
    private var items: [FHIRItem] = []
    /// The bundle without its resources; nil if the document is no bundle.
    private var envelope: JSONValue?

    init(_ options: FHIROptions) { self.options = options }

    // MARK: - The resources of the document

    /// Where a resource, or an entry of a bundle, is in the document.
    private struct Part: Sendable {
        let range: Range<Int>
        let path: DocumentPath
        let isBundleEntry: Bool
        /// Whether the history that it is part of has a newer version of the resource.
        var isOlderVersion = false
        /// The entry that a version in a history of a journal is of.
        var ownEntry: UUID?
    }

    /// The number of resources from which freed memory is returned between the steps.
    private static let large = 10_000

    /// The number of resources that a thread reads at a time.
    private static let chunk = 32

    mutating func read(_ bytes: [UInt8]) throws {
        try add(Self.lines(of: bytes) ?? bundleEntries(of: bytes), of: bytes)
    }

    /// Reads a file with one resource on each line.
    mutating func read(lines file: FHIRLines) throws {
        let name = DocumentPath().appending(file.name).text
        try add(Self.parts(of: file.bytes, named: name + " "), of: file.bytes)
    }

    /// Reads a file with one resource.
    mutating func read(resource file: FHIRLines) throws {
        let path = DocumentPath(DocumentPath().appending(file.name).text)
        try add([Part(range: file.bytes.indices, path: path, isBundleEntry: false)], of: file.bytes)
    }

    private mutating func add(_ parts: [Part], of bytes: [UInt8]) throws {
        guard items.count + parts.count <= FHIRDocument.maximumResources else {
            let maximum = FHIRDocument.maximumResources
            throw ModelError(.invalid, "has more than \(maximum) resources: split the document")
        }
        let results = Threads.map(parts, chunk: Self.chunk) { [options] part in
            Result { try Self.item(part, bytes, options) }
        }
        items.reserveCapacity(items.count + results.count)
        for result in results {
            do {
                items.append(try result.get())
            } catch let error as ModelError {
                if options.isStrict { faults.note(error) } else { leftOut.append(ImportFault(error, isKept: false)) }
            }
        }
    }

    /// The entries of a bundle; for one resource without a bundle, that resource.
    private mutating func bundleEntries(of bytes: [UInt8]) throws -> [Part] {
        let (document, entries) = try JSONReader.split(bytes, at: "entry", maximumBytes: FHIRDocument.maximumBytes)
        guard document["resourceType"] == "Bundle", case .object(let members) = document else {
            return [Part(range: bytes.indices, path: DocumentPath(), isBundleEntry: false)]
        }
        _ = try FHIRElement(value: document, path: DocumentPath()).objects("entry")
        let isOwn = FHIRExtension.isOwnBundle(document)
        if !isOwn { envelope = .object(members.filter { $0.name != "entry" }) }
        let path = DocumentPath().appending("entry")
        var parts = entries.enumerated()
            .map { index, range in Part(range: range, path: path.appending(index), isBundleEntry: true) }
        if document["type"] == "history" {
            let versions = try entries.indices.map { index in
                try FHIRHistoryVersion(JSONReader.read(entries[index], of: bytes, at: parts[index].path))
            }
            for index in FHIRHistoryVersion.older(versions) { parts[index].isOlderVersion = true }
            if isOwn {
                for (index, version) in versions.enumerated() { parts[index].ownEntry = version.ownEntry }
                // The events behind older versions, and those about a journal's readers, cannot be imported.
                parts = parts.indices.filter { !parts[$0].isOlderVersion && !versions[$0].isTrail }.map { parts[$0] }
            }
        }
        return parts
    }

    /// The lines of a document with one resource on each line; nil for a document that is one JSON value.
    private static func lines(of bytes: [UInt8]) -> [Part]? {
        guard let start = bytes.firstIndex(where: { !isSpace($0) }),
            let firstEnd = bytes[start...].firstIndex(of: 0x0A),
            bytes[firstEnd...].contains(where: { !isSpace($0) }),
            (try? JSONReader.read(start..<firstEnd, of: bytes)) != nil
        else { return nil }
        return parts(of: bytes, named: "")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

    /// The lines that are not empty; their paths begin with `name`.
    private static func parts(of bytes: [UInt8], named name: String) -> [Part] {
        var lines: [Part] = []
        var (number, from) = (1, 0)
        while from < bytes.count {
            let end = bytes[from...].firstIndex(of: 0x0A) ?? bytes.count
            if !bytes[from..<end].allSatisfy(isSpace) {
                lines.append(Part(range: from..<end, path: DocumentPath("\(name)line \(number)"), isBundleEntry: false))
            }
            (number, from) = (number + 1, end + 1)
        }
        return lines
    }

    /// Parses and interprets one resource.
    private static func item(_ part: Part, _ bytes: [UInt8], _ options: FHIROptions) throws -> FHIRItem {
        let source = try source(part, bytes)
        return try FHIRItem(source, options)
    }

    private static func source(_ part: Part, _ bytes: [UInt8]) throws -> FHIRSource {
        let value = try JSONReader.read(
            part.range,
            of: bytes,
            at: part.path,
            maximumBytes: FHIRDocument.maximumResourceBytes,
            mostValues: FHIRDocument.maximumResourceValues
        )
        let element = FHIRElement(value: value, path: part.path)
        guard part.isBundleEntry else {
            return try FHIRSource(element, address: nil, around: nil, isDeleted: false)
        }
        guard case .object(let members) = element.value else {
            throw ModelError(.invalid, field: part.path.field, "must be an object, not \(element.value.typeName)")
        }
        let around = JSONValue.object(members.filter { $0.name != "resource" })
        let address = try element.text("fullUrl")
        let isDeleted = try element.object("request")?.text("method") == "DELETE"
        if let resource = try element.object("resource") {
            var source = try FHIRSource(resource, address: address, around: around, isDeleted: isDeleted)
            source.isOlderVersion = part.isOlderVersion
            return source
        }
        guard isDeleted, let url = try element.object("request")?.text("url") else {
            throw ModelError(.invalid, field: part.path.field, "has no resource")
        }
        var source = FHIRSource(deleting: url, address: address, at: part.path, around)
        source.isOlderVersion = part.isOlderVersion
        source.deletedEntry = part.ownEntry
        return source
    }

    // MARK: - The records

    mutating func records() throws -> [ImportedRecord] {
        guard !items.isEmpty else {
            // Nothing is left to import.
            for fault in leftOut { faults.note(fault.error) }
            try faults.requireNone()
            throw ModelError(.invalid, "contains no resource")
        }
        // A mistyped name would otherwise look like a document without such resources.
        let lacking = (options.types ?? []).subtracting(items.map(\.type))
        if let type = lacking.min() {
            throw ModelError(.invalid, "contains no resource of the type \(DocumentPath().appending(type))")
        }
        let patients = items.indices.filter { items[$0].asPatient != nil }
        guard patients.count <= FHIRDocument.maximumPatients else {
            throw ModelError(.invalid, "has more than \(FHIRDocument.maximumPatients) patients: split the document")
        }
        if options.record != nil, patients.count > 1 {
            throw ModelError(.invalid, "has several patients, and so it cannot be imported into one record")
        }
        guard patients.count > 0 || options.record != nil else {
            try faults.requireNone()
            throw ModelError(.invalid, "has no Patient: name the record that it is about")
        }
        // The allocator would keep the memory that reading needed, beside that of the records.
        if items.count > FHIRReader.large { Memory.returnFreed() }
        let index = FHIRIndex(items)
        var records: [ImportedRecord] = []
        let results = resultsOfLaboratories(index)
        for (patient, group) in try groups(of: patients, index) {
            records.append(try record(patient.map { items[$0] }, group, index, results))
        }
        try faults.requireNone()
        // No record has them.
        records[0].faults.insert(contentsOf: leftOut, at: 0)
        if items.count > FHIRReader.large { Memory.returnFreed() }
        return records
    }

    /// Notes the resources about a Patient who is not in the document as faults; of a document without a Patient, those that
    /// name another one than the first.
    ///
    /// In the record of another person, they would be taken for that person's, and be read by people who may not see them.
    private mutating func noteOtherPatients(besides patient: Int?, _ index: FHIRIndex) {
        if options.isOfOnePerson { return }
        let known = names(of: patient.map { [$0] } ?? [])
        var first: String?
        for item in items where item.type != "Patient" && item.needsPatient {
            guard let reference = item.patient, index.item(of: reference, from: item) == nil else { continue }
            // A `urn:uuid` does not say what it leads to, and what it leads to may have been left out.
            let found = FHIRReader.patientName(reference)
            guard let name = found ?? (reference.hasPrefix("urn:") ? reference : nil), known[name] == nil else {
                continue
            }
            if !known.isEmpty || found == nil && patient != nil {
                faults.note(other(item, "is about a Patient who is not in the document"))
            } else if name != first ?? name {
                faults.note(other(item, "is about another Patient than the resources before it"))
            } else {
                first = name
            }
        }
    }

    private func other(_ item: FHIRItem, _ problem: Message) -> ModelError {
        ModelError(.invalid, field: item.path.field, "\(problem): import the resources of one Patient at a time")
    }

    /// Returns the types and ids by which resources may name the Patients, also those that a Patient replaces.
    private func names(of patients: [Int]) -> [String: Int] {
        var names: [String: Int] = [:]
        for place in patients {
            for name in items[place].references.compactMap(FHIRReader.patientName) { names[name] = place }
        }
        var shared: Set<String> = []
        for place in patients {
            guard let name = items[place].localName else { continue }
            if let other = names.updateValue(place, forKey: name), patients.contains(other) { shared.insert(name) }
        }
        // Of two Patients with the same id, none may be guessed.
        for name in shared { names[name] = nil }
        return names
    }

    /// Returns the place of the Patient whom a resource is about.
    private func patient(of item: FHIRItem, _ index: FHIRIndex, _ names: [String: Int]) -> Int? {
        guard let reference = item.patient else { return nil }
        return index.item(of: reference, from: item) ?? FHIRReader.patientName(reference).flatMap { names[$0] }
    }

    /// Returns the type and id of the Patient to whom a reference leads; nil if it leads to something else, or does not say.
    private static func patientName(_ reference: String) -> String? {
        var parts = reference.split(separator: "/", omittingEmptySubsequences: false)[...]
        if parts.count > 2, parts[parts.endIndex - 2] == "_history" { parts.removeLast(2) }
        guard parts.count >= 2, parts[parts.endIndex - 2] == "Patient" else { return nil }
        return parts.suffix(2).joined(separator: "/")
    }

    /// Returns the items of each Patient, all by their indices, in the order of the document.
    ///
    /// One that belongs to none is added to each record that refers to it, or else to the first one.
    private mutating func groups(of patients: [Int], _ index: FHIRIndex) throws -> [(patient: Int?, items: [Int])] {
        guard patients.count > 1 else {
            noteOtherPatients(besides: patients.first, index)
            return [(patients.first, Array(items.indices))]
        }
        let numbers = Dictionary(uniqueKeysWithValues: zip(patients, patients.indices))
        let known = names(of: patients)
        var owned: [[Int]] = Array(repeating: [], count: patients.count)
        var common: [Int] = []
        for (place, item) in items.enumerated() {
            var patient = patient(of: item, index, known)
            if item.type == "Patient" {
                patient = item.isOlderVersion ? (item.address ?? item.localName).flatMap { index.item(of: $0) } : place
                guard let patient, numbers[patient] != nil else {
                    // In the record of another person, it would be read by people who may not see it.
                    throw ModelError(
                        .invalid,
                        field: item.path.field,
                        "is a Patient that was deleted: import the resources of one Patient at a time"
                    )
                }
            }
            if patient == nil, item.patient != nil, item.needsPatient, !options.isOfOnePerson {
                // Among several Patients, none may be guessed.
                faults.note(other(item, "is about somebody who is not in the document"))
            }
            if let owner = patient.flatMap({ numbers[$0] }) { owned[owner].append(place) } else { common.append(place) }
        }
        // Which patients refer to a resource.
        var users: [Int: Set<Int>] = [:]
        if !common.isEmpty {
            for (patient, places) in owned.enumerated() {
                for item in places.lazy.map({ [items] in items[$0] }) {
                    for reference in item.references + item.needed {
                        if let place = index.item(of: reference, from: item) {
                            users[place, default: []].insert(patient)
                        }
                    }
                }
            }
        }
        for place in common {
            for user in users[place]?.sorted() ?? [0] { owned[user].append(place) }
        }
        return patients.indices.map { (patients[$0], owned[$0].sorted()) }
    }

    /// Returns the places of the resources that a laboratory report lists as its results.
    private func resultsOfLaboratories(_ index: FHIRIndex) -> Set<Int> {
        Set(items.flatMap { item in item.results.compactMap { index.item(of: $0, from: item) } })
    }

    private mutating func record(
        _ patientItem: FHIRItem?,
        _ group: [Int],
        _ index: FHIRIndex,
        _ results: Set<Int>
    ) throws -> ImportedRecord {
        let patient = patientItem?.asPatient
        let id = try recordID(patient)
        let namespace = try options.namespaces.entries(id)
        var profile = RecordProfile(subject: .human)
        if let patient {
            do { profile = try FHIRPatient.profile(of: patient.element) } catch let error as ModelError {
                faults.note(error)
            }
        }
        var group = FHIRGroup(
            items: items,
            places: group.filter { items[$0].asPatient?.isOwnPatient != true && options.reads(items[$0].type) },
            all: group,
            index: index,
            record: id,
            namespace: namespace,
            options: options
        )
        let providers = Set((patient?.providers ?? []).compactMap { index.item(of: $0, from: patientItem) })
        var entries = try group.entries(providers: providers, results: results)
        if options.isStrict { for fault in group.faults { faults.note(fault.error) } }
        // Without all of its resources, the bundle could not be written again.
        if let envelope, options.types == nil { entries += try group.envelope(envelope) }
        var record = ImportedRecord(id: id, profile: profile, entries: entries, shape: .fhir, unrepresented: [])
        record.hasProfile = patient != nil
        record.takesOlder = options.takesOlder
        record.faults = group.faults
        record.referencesElsewhere = group.referencesElsewhere
        return record
    }

    /// Returns the id of the record of a Patient.
    ///
    /// A `urn:uuid` is new in each document, so that it identifies only a record that it identified before.
    private func recordID(_ patient: FHIRSource?) throws -> UUID {
        if let record = options.record { return record }
        guard let patient else { return UUID() }
        if let own = FHIRPatient.record(of: patient.element) { return own }
        func derived(_ identity: String) -> UUID { UUID(nameBased: options.namespaces.records, "fhir\n" + identity) }
        let addressed = derived(patient.identity(options.source))
        guard let person = patient.person(options.source), try !options.hasRecord(addressed) else { return addressed }
        return derived(person)
    }
}
