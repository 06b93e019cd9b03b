internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange
internal import JournalCore
internal import Platform

extension ExportedRecord {
    /// Writes the record as a Bundle of FHIR R4, with its attachments.
    package func writeFHIR(as form: RecordFHIRWriter.Form, to sink: Sink) async throws {
        let writer = RecordFHIRWriter(answer.state, as: form, patientEntry: try await importedPatient(), file: file)
        var json = JSONStream(.pretty)
        json.beginObject()
        json.add(writer.opening(asOf: answer.asOf))
        json.name("entry")
        json.beginArray()
        json.add(try writer.patientItem())
        try await forEachPage(of: kinds) { kind, page in
            for part in page.parts(hasFiles: kind == Document.kind) {
                for item in try Self.written(part, by: writer, level: json.level) { json.add(written: item) }
                if json.count > ExportedRecord.partLength { try await sink(json.take()) }
            }
        }
        json.end()
        json.end()
        try await sink(json.take() + "\n".utf8)
    }

    /// Writes an International Patient Summary.
    package func writePatientSummary(to sink: Sink) async throws {
        let scope = answer.scope
        var writer = PatientSummaryWriter(answer.state, asOf: answer.asOf) { scope.includes($0) }
        try await forEachPage(of: kinds.filter(PatientSummaryWriter.kinds.contains)) { _, page in
            for entry in page { writer.add(entry) }
        }
        try await sink(JSONWriter.bytes(writer.document(), .pretty) + "\n".utf8)
    }

    /// Writes the Bundle of FHIR R4 that was imported last, with its own order and addresses, and with the corrections
    /// made since.
    ///
    /// What the caller may not see, or was retracted, is left out. Throws `notFound` if no Bundle was imported.
    package func writeFHIRSource(to sink: Sink) async throws {
        let writer = RecordFHIRWriter(answer.state, patientEntry: try await importedPatient(), file: file)
        var source = try await importedBundle()
        try await forEachPage(of: kinds) { _, page in
            for entry in page where source.contains(entry.id) {
                source.add(try writer.source(of: entry), for: entry.id)
            }
        }
        var json = JSONStream(.pretty)
        json.beginObject()
        json.add(source.opening)
        json.name("entry")
        json.beginArray()
        for item in source.items {
            json.add(item)
            if json.count > ExportedRecord.partLength { try await sink(json.take()) }
        }
        json.end()
        json.end()
        try await sink(json.take() + "\n".utf8)
    }

    /// Throws an error for a format that needs what the record lacks, before anything is written.
    package func requireContent(of format: ExportFormat) async throws {
        if format == .fhirSource { _ = try await importedBundle() }
        guard format.containsFiles, kinds.contains(Document.kind) else { return }
        var missing: [UUID] = []
        try await forEachPage(of: Document.kind) { page in
            for entry in page where !entry.isRetracted {
                guard let digest = entry.content.fileDigest else { continue }
                if try !journal.log.blobs.holds(digest, subject: entry.record) { missing.append(entry.id) }
            }
        }
        if !missing.isEmpty { throw JournalError.missingFiles(missing) }
    }

    /// Returns a writer of the kept parts of the Bundle that was imported last.
    private func importedBundle() async throws -> FHIRSourceWriter {
        var source: FHIRSourceWriter?
        if counts[Foreign.kind] != nil, answer.scope.includes(Foreign.kind) {
            try await forEachPage(of: Foreign.kind) { page in
                for entry in page { source = FHIRSourceWriter(entry.content, after: source) ?? source }
            }
        }
        guard let source else { throw JournalError(.notFound, "no Bundle of FHIR was imported into the record") }
        return source
    }

    /// Returns the resources of entries, written as JSON on all processors.
    private static func written(
        _ entries: [EntryState],
        by writer: RecordFHIRWriter,
        level: Int
    ) throws -> [[UInt8]] {
        try Threads.map(entries, chunk: 8) { entry in Result { try writer.written(entry, level: level) } }
            .flatMap { try $0.get() }
    }

    /// The entry that keeps the imported Patient; nil if none was imported, or the caller may not see it.
    func importedPatient() async throws -> EntryState? {
        guard counts[Foreign.kind] != nil, answer.scope.includes(Foreign.kind) else { return nil }
        return try await first(of: Foreign.kind) { !$0.isRetracted && RecordFHIRWriter.isPatient($0.content) }
    }

    @Sendable
    func file(of entry: EntryState) throws -> [UInt8]? {
        try journal.entries.fileBytes(of: entry)
    }
}

extension [EntryState] {
    /// The entries in parts that can be in memory at once with their files: one by one if they have any.
    func parts(hasFiles: Bool) -> [[EntryState]] {
        if hasFiles { map { [$0] } } else { [self] }
    }
}
