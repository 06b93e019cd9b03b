internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents

/// What documents of other programs said of the parts of a practice, which is kept as it came.
extension Journal.Practices {
    /// The maximum number of parts of one request.
    package static let maximumSources = 1_000

    /// Returns what the documents from which parts were imported say of them, and when they were added and changed.
    ///
    /// What the caller may not see of a practice is left out; of appointments and triages everything is for those who treat.
    package func sources(
        of ids: [UUID],
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [PartSource] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
            guard ids.count <= Self.maximumSources else {
                throw ModelError(.invalid, field: "ids", "at most \(Self.maximumSources) ids")
            }
            let isClinical = admission.roles.contains(where: \.isClinical)
            let position = try journal.log.head()
            var found: [PartSource] = []
            var records: [UUID] = []
            for id in ids {
                guard
                    let part = try journal.records.unlessErased({ try part(id, of: practice, isClinical: isClinical) })
                else {
                    continue
                }
                found.append(
                    PartSource(
                        id: id,
                        addedAt: Instant(microseconds: part.first.recordedAt),
                        updatedAt: Instant(microseconds: part.last.recordedAt),
                        kept: try journal.records.unlessErased { try kept(about: id) }
                    )
                )
                if let record = part.record { records.append(record) }
            }
            try await journal.appointments.trace(caller, records, as: admission.right, position)
            return found
        }
    }

    /// The first and the last event of a part of a practice, and the record to which it belongs; nil if the practice has no
    /// such part, or the caller may not see all of it.
    private func part(
        _ id: UUID,
        of practice: UUID,
        isClinical: Bool
    ) throws -> (first: StoredEvent, last: StoredEvent, record: UUID?)? {
        let events = try journal.log.events(of: id)
        guard let first = events.first, let last = events.last else { return nil }
        var record: UUID?
        switch first.header.type {
        case PracticeCreated.type.rawValue:
            guard id == practice else { return nil }
        case SpecialistAdded.type.rawValue:
            guard try journal.practiceStates.specialist(id)?.state.posts[practice] != nil else { return nil }
        case ClientAdded.type.rawValue:
            guard (try journal.log.recorded(first).event.data as? ClientAdded)?.practice == practice else { return nil }
        case AppointmentHeld.type.rawValue, AppointmentBooked.type.rawValue:
            guard isClinical,
                try journal.appointments.appointmentUnlessErased(id, asOf: .max)?.details.practice == practice
            else {
                return nil
            }
            record = first.header.subject
        case TriageBegun.type.rawValue:
            guard isClinical, try journal.triage.triageUnlessErased(id, asOf: .max)?.practice == practice else {
                return nil
            }
            record = first.header.subject
        default: return nil
        }
        return (first, last, record)
    }

    private func kept(about id: UUID) throws -> VetNetKept? {
        guard let event = try journal.log.events(of: sourceStream(of: id), limit: 1).first,
            let source = try journal.log.recorded(event).event.data as? SourceKept,
            let json = try? JSONReader.read(source.members)
        else { return nil }
        return VetNetKept(json)
    }

    private func sourceStream(of part: UUID) throws(EventLogError) -> UUID {
        try journal.log.opaqueID(of: "source of \(part.text)", subject: journal.log.description.id)
    }

    /// Adds the event that keeps what a document says of a part and the journal would not write again.
    package func keep(
        _ source: [JSONValue.Member],
        writtenAs rendered: [JSONValue.Member],
        about part: UUID,
        subject: UUID,
        _ change: inout Change
    ) throws {
        let kept = VetNetKept(source: source, rendered: rendered)
        let stream = try sourceStream(of: part)
        guard !kept.isEmpty, try journal.log.version(of: stream) == 0 else { return }
        let members = Array(JSONWriter.text(kept.json, .compact).utf8)
        guard members.count <= Limits.externalData else {
            throw ModelError(.invalid, "has more than \(Limits.externalData) bytes that the journal has no fields for")
        }
        try change.add(
            JournalEvent(SourceKept(format: "vetnet", about: part, members: members)),
            in: .stream(stream, of: subject),
            expecting: .empty
        )
    }
}
