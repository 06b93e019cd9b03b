internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalCore
internal import JournalEvents
internal import MedicalRecords

extension ExportedRecord {
    /// Writes all versions of the entries as a Bundle of FHIR R4 of the type `history`, the newest first, each with who made
    /// it and the proof of its event.
    ///
    /// An owner also gets the versions of the profile, the grants, and the accesses. Files are not part of it: a
    /// DocumentReference has their digests.
    package func writeFHIRHistory(to sink: Sink) async throws {
        let writer = RecordFHIRWriter(answer.state, as: .history, file: { _ in nil })
        var json = JSONStream(.pretty)
        json.beginObject()
        json.add(writer.opening(asOf: answer.asOf))
        json.name("entry")
        json.beginArray()
        if owner == nil {
            // Others may not know when the profile was changed.
            let patient = FHIRVersion(try writer.servedPatient(isVersioned: false), answer.asOf, isFirst: false)
            json.add(patient.item("Patient", answer.state.id.text, at: Self.address(answer.state.id)))
        }
        // Of the exported position, so that the same moment gives the same bytes; others than owners may not know how much
        // was appended since the last change that they see.
        let checkpoint = try journal.log.checkpoint(ofSize: owner == nil ? answer.asOf.position : position)
        for moment in try await moments() {
            for item in try items(of: moment, writer, checkpoint) { json.add(item) }
            if json.count > ExportedRecord.partLength { try await sink(json.take()) }
        }
        json.end()
        json.end()
        try await sink(json.take() + "\n".utf8)
    }

    /// An event of the history.
    private struct Moment {
        enum Subject {
            case entry(UUID, former: UInt64?)
            case profile(former: UInt64?)
            case grant
            case access
        }

        let position: UInt64
        let subject: Subject
    }

    /// The events of the history, the newest first.
    private func moments() async throws -> [Moment] {
        var moments: [Moment] = []
        try await forEachPage(of: kinds) { _, page in
            for entry in page {
                var former: UInt64?
                for at in try journal.medicalRecords.history(ofEntry: entry.id, asOf: position) {
                    moments.append(Moment(position: at, subject: .entry(entry.id, former: former)))
                    former = at
                }
            }
            await Task.yield()
        }
        if owner != nil {
            let record = answer.state.id
            var former: UInt64?
            for at in try journal.medicalRecords.profiles(of: record, asOf: position) {
                moments.append(Moment(position: at, subject: .profile(former: former)))
                former = at
            }
            for at in try positions(of: journal.grantStream(of: record)) {
                moments.append(Moment(position: at, subject: .grant))
            }
            for at in try positions(of: journal.accessStream(of: record)) {
                moments.append(Moment(position: at, subject: .access))
            }
        }
        return moments.sorted { $0.position > $1.position }
    }

    /// The positions of the events of a stream, as far as the record is exported.
    private func positions(of stream: UUID) throws -> [UInt64] {
        var (positions, version) = ([UInt64](), UInt64(1))
        while case let page = try journal.log.events(of: stream, from: version), !page.isEmpty {
            version += UInt64(page.count)
            positions += page.map(\.position).filter { $0 <= position }
        }
        return positions
    }

    private func items(of moment: Moment, _ writer: RecordFHIRWriter, _ checkpoint: SignedCheckpoint) throws
        -> [JSONValue]
    {
        let record = answer.state.id
        switch moment.subject {
        case .entry(let id, let former):
            guard let state = try journal.contents(admission).entry(id, asOf: moment.position) else {
                throw JournalError.erasedMeanwhile
            }
            guard let type = FHIRTypes.type(of: state.content), !RecordFHIRWriter.isPatient(state.content) else {
                return []
            }
            var resource: JSONValue?
            if !state.isRetracted, let served = try writer.served(state) {
                resource = try references { Self.address($1) }.led([(state, served)]).first
            }
            return try version(resource, type, id, moment.position, after: former, checkpoint)
        case .profile(let former):
            guard let state = try journal.medicalRecords.header(of: record, asOf: moment.position) else {
                throw JournalError.erasedMeanwhile
            }
            let patient = try RecordFHIRWriter(state, as: .history, file: { _ in nil }).servedPatient(isVersioned: true)
            return try version(patient, "Patient", record, moment.position, after: former, checkpoint)
        case .grant:
            let day = Day(of: answer.asOf.recordedAt)
            return try journal.permissions.grants(of: record, asOf: moment.position).sorted
                .filter { ($0.revoked ?? $0.given).position == moment.position }
                .map { grant in
                    let consent = FHIRTrail.consent(
                        grant,
                        of: record,
                        on: day,
                        name: journal.accounts.name(of: grant.account)
                    )
                    return item(consent, "Consent", grant.revoked ?? grant.given, isFirst: grant.revoked == nil)
                }
        case .access:
            let event = try journal.log.recorded(journal.log.event(at: moment.position))
            return journal.exports.auditEvent(event, of: record).map { [item($0, "AuditEvent", event.stamp)] } ?? []
        }
    }

    /// A version of a resource, and who made it.
    private func version(
        _ resource: JSONValue?,
        _ type: String,
        _ id: UUID,
        _ position: UInt64,
        after former: UInt64?,
        _ checkpoint: SignedCheckpoint
    ) throws -> [JSONValue] {
        let event = try journal.log.recorded(journal.log.event(at: position))
        let version = FHIRVersion(resource, event.stamp, isFirst: former == nil)
        let provenance = FHIRTrail.provenance(
            former == nil ? .create : resource == nil ? .delete : .update,
            of: id,
            as: type,
            event,
            after: former,
            name: journal.accounts.name(of: event.stamp.actor),
            proof: try journal.log.proof(of: position, in: checkpoint).text
        )
        return [
            version.item(type, id.text, at: Self.address(id)),
            item(provenance, "Provenance", event.stamp),
        ]
    }

    /// A resource about what the journal itself knows.
    private func item(_ resource: JSONValue, _ type: String, _ stamp: Stamp, isFirst: Bool = true) -> JSONValue {
        let id = if case .string(let id)? = resource["id"] { id } else { "" }
        let own = "Patient/\(answer.state.id.text)"
        let led = RecordFHIRWriter.leading(resource, to: [own: Self.address(answer.state.id)])
        let address = Self.address(UUID(nameBased: answer.state.id, "\(type)\n\(id)"))
        return FHIRVersion(led, stamp, isFirst: isFirst).item(type, id, at: address)
    }

    private static func address(_ id: UUID) -> String { "urn:uuid:\(id.text)" }

    private func references(_ address: @escaping (String, UUID) -> String) -> FHIRReferences {
        FHIRReferences(
            journal: journal,
            admission: admission,
            record: answer.state.id,
            position: position,
            sees: { answer.kinds.contains($0) },
            address: address
        )
    }

    // MARK: - Files by type

    /// Writes the resources as an archive of files by their types, as a Bulk Data export has them.
    package func writeFHIRArchive(to sink: Sink) async throws {
        let writer = RecordFHIRWriter(serving: answer.state, patientEntry: try await importedPatient(), file: file)
        let references = references { "\($0)/\($1.text)" }
        var archive = FHIRArchive(of: answer.state, asOf: answer.asOf)
        var bytes = archive.add(try writer.servedPatient(isVersioned: owner != nil))
        try await forEachPage(of: kinds) { kind, page in
            for part in page.parts(hasFiles: kind == Document.kind) {
                var served: [(entry: EntryState, resource: JSONValue)] = []
                for entry in part {
                    if let resource = try writer.served(entry, files: .within) { served.append((entry, resource)) }
                }
                for resource in try references.led(served) { bytes += archive.add(resource) }
                if !bytes.isEmpty { try await sink(bytes) }
                bytes = []
            }
        }
        try await sink(bytes + archive.end())
    }
}
