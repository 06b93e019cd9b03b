package import FoundationEssentials
package import HealthModel

/// Information that a FHIR document does not contain.
package struct FHIROptions: Sendable {
    /// The record that the document is about; nil if the document names it by its Patient.
    package var record: UUID?
    /// The name of the source system, which is part of the identity of each resource that has no absolute address.
    package var source: String
    package var now: Instant
    package var namespaces: PurusNamespaces
    /// The types of the resources that are read, besides Patients; nil for all.
    package var types: Set<String>?
    /// Whether a resource replaces a later version of itself.
    package var takesOlder = false
    /// Whether all resources are known to be about one person, so that they may name different Patients.
    package var isOfOnePerson = false
    /// Whether a resource that cannot be read refuses the whole document.
    package var isStrict = false
    /// Whether there is, or was, a record with an id.
    package var hasRecord: @Sendable (UUID) throws -> Bool = { _ in false }
    /// The entries of a record with some ids, or all of them; those that it does not have are left out.
    package var held: @Sendable (_ record: UUID, _ entries: [UUID]?) throws -> [EntryState] = { _, _ in [] }

    /// Whether resources of a type become entries.
    func reads(_ type: String) -> Bool { type == "Patient" || types?.contains(type) ?? true }

    package init(record: UUID? = nil, source: String = "", now: Instant, namespaces: PurusNamespaces) {
        self.record = record
        self.source = source
        self.now = now
        self.namespaces = namespaces
    }
}

/// A file with one resource on each line (NDJSON), or with one resource.
package struct FHIRLines: Sendable {
    /// The name of the file, for errors.
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
}

/// Reads documents of FHIR R4 in JSON: a Bundle of any type, one resource, resources line by line (NDJSON), or a zip
/// archive of one of these or of NDJSON files.
///
/// Each resource becomes one entry of the record of its Patient: of a kind that says the same, or else of the kind
/// ``HealthModel/Foreign``. The text of each resource is kept (``FHIRKept``), and so is the bundle around them
/// (``FHIREnvelope``), so that the document can be written again.
package enum FHIRDocument {
    /// The largest document, in bytes.
    package static let maximumBytes = 1 << 30
    /// The largest resource, in bytes, and the maximum number of its values.
    static let maximumResourceBytes = 64 << 20
    static let maximumResourceValues = 1_000_000
    /// The maximum number of resources of one document.
    package static let maximumResources = 200_000
    /// The maximum number of Patients of one document.
    package static let maximumPatients = 1_000

    /// Whether the text of a resource, from which an entry came, is kept with it.
    package static func keepsText(of content: EntryContent) -> Bool {
        content.extra.contains { $0.name.hasPrefix(FHIRKept.prefix) }
    }

    /// The profile according to the Patient that an entry keeps; nil if it keeps none.
    package static func profile(keptIn content: EntryContent) -> RecordProfile? {
        guard let kept = FHIRKept(content.extra), kept.resource["resourceType"] == "Patient" else { return nil }
        return try? FHIRPatient.profile(of: FHIRElement(value: kept.resource, path: DocumentPath()))
    }

    /// When the source of an entry last changed it, if the text that is kept says so.
    package static func updated(_ content: EntryContent) -> Instant? {
        guard case .string(let text)? = FHIRKept(content.extra)?.resource["meta"]?["lastUpdated"] else { return nil }
        return try? Instant(parsing: text)
    }

    /// Whether a JSON value is a resource of FHIR.
    package static func isDocument(_ value: JSONValue) -> Bool {
        if case .string? = value["resourceType"] { true } else { false }
    }

    /// Reads a document, with one result for each Patient.
    ///
    /// A resource that cannot be read is kept as it came, or left out if it is none; the records name them as faults. Throws
    /// an error if the document is no such document, or is about somebody else; with `isStrict`, an error that names the paths
    /// of all faults, at most ``DocumentFaults/maximum``.
    package static func read(_ bytes: [UInt8], options: FHIROptions) throws -> [ImportedRecord] {
        guard bytes.count <= maximumBytes else {
            throw ModelError(.invalid, "is larger than \(maximumBytes >> 30) GiB: split it")
        }
        let file = ReadableFile(bytes)
        if try ZipFile.isZip(file) { return try read(archive: file, options: options) }
        if let byte = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }),
            byte == UInt8(ascii: "<")
        {
            throw ModelError(.invalid, "is XML: export the data as JSON (FHIR R4)")
        }
        var reader = FHIRReader(options)
        try reader.read(bytes)
        return try reader.records()
    }

    /// Reads the files of a Bulk Data export, each with one resource on each line, as one document.
    ///
    /// Files that a system adds to folders, such as `._Patient.ndjson`, are skipped, and the records name them.
    package static func read(_ files: [FHIRLines], options: FHIROptions) throws -> [ImportedRecord] {
        let (read, skipped) = (files.filter { !isOfSystem($0.name) }, files.filter { isOfSystem($0.name) })
        guard !read.isEmpty else { throw ModelError(.invalid, "contains no file whose name ends with .ndjson") }
        guard read.reduce(0, { $0 + $1.bytes.count }) <= maximumBytes else { throw tooMuch }
        var reader = FHIRReader(options)
        for file in read { try reader.read(lines: file) }
        var records = try reader.records()
        if !records.isEmpty { records[0].skipped = skipped.map { DocumentPath().appending($0.name).text } }
        return records
    }

    /// Whether a file contains what macOS stores beside another one, and no data of its own.
    package static func isOfSystem(_ name: String) -> Bool { name.hasPrefix("._") }

    /// Reads files, each with one resource, as one document.
    package static func read(resources files: [FHIRLines], options: FHIROptions) throws -> [ImportedRecord] {
        var reader = FHIRReader(options)
        for file in files { try reader.read(resource: file) }
        return try reader.records()
    }

    private static let tooMuch = ModelError(.invalid, "contains more than \(maximumBytes >> 30) GiB: split it")

    private static func read(archive file: ReadableFile, options: FHIROptions) throws -> [ImportedRecord] {
        let zip = try ZipFile(file)
        func name(of member: ZipFile.Member) -> String {
            String((member.name.split(separator: "/").last ?? "").prefix(100))
        }
        func isAdded(_ member: ZipFile.Member) -> Bool {
            member.name.hasPrefix("__MACOSX/") || isOfSystem(name(of: member))
        }
        var left = maximumBytes
        func content(_ member: ZipFile.Member) throws -> [UInt8] {
            var source = try zip.open(member)
            let isLines = member.name.hasSuffix(".ndjson")
            var bytes: [UInt8] = []
            var lineStart = 0
            while case let part = try source.next(), !part.isEmpty {
                left -= part.count
                guard left >= 0 else { throw tooMuch }
                if isLines, let end = part.lastIndex(of: 0x0A) { lineStart = bytes.count + end + 1 }
                bytes += part
                // Refused before the rest is unpacked.
                guard !isLines || bytes.count - lineStart <= maximumResourceBytes else {
                    throw ModelError(.invalid, "contains a line of more than \(maximumResourceBytes >> 20) MiB")
                }
            }
            return bytes
        }
        // What macOS adds to archives is no document.
        let named = zip.members.filter { member in [".json", ".ndjson"].contains { member.name.hasSuffix($0) } }
        let members = named.filter { !isAdded($0) }
        guard members.allSatisfy({ $0.size <= maximumBytes }),
            members.reduce(0, { $0 + $1.size }) <= maximumBytes
        else { throw tooMuch }
        let lines = members.filter { $0.name.hasSuffix(".ndjson") }.sorted { $0.name < $1.name }
        if !lines.isEmpty {
            let files = try lines.map { FHIRLines(name: name(of: $0), bytes: try content($0)) }
            var records = try read(files, options: options)
            if !records.isEmpty {
                records[0].skipped += named.filter(isAdded).map { DocumentPath().appending(name(of: $0)).text }
            }
            return records
        }
        let documents = members.filter { $0.name.hasSuffix(".json") }
        guard documents.count == 1 else {
            throw ModelError(
                .invalid,
                "must contain one file whose name ends with .json, or files that end with .ndjson"
            )
        }
        let bytes = try content(documents[0])
        // An archive in an archive would be read without an end.
        guard try !ZipFile.isZip(ReadableFile(bytes)) else { throw ModelError(.invalid, "is an archive of an archive") }
        return try read(bytes, options: options)
    }
}
