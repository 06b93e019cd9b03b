internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

extension JournalError {
    package static let noEntry = JournalError(.notFound, "there is no such entry")
}

/// Entries that were erased alone or with their record: the log's headers still name their records.
extension Journal.Entries {
    /// Returns the record that an entry belongs or belonged to, and its kind.
    package func place(ofEntry entry: UUID) throws -> (record: UUID, kind: UInt16)? {
        if let place = try journal.medicalRecords.place(ofEntry: entry) { return place }
        guard let header = try journal.log.events(of: entry, limit: 1).first?.header, header.entry == entry,
            header.type == EntryAdded.type.rawValue, try journal.erasure.tombstone(of: header.subject) != nil
        else { return nil }
        return (header.subject, header.kind)
    }

    /// Returns the record of an entry, for a command that the gate then allows or refuses.
    package func record(ofEntry entry: UUID) throws(JournalError) -> UUID {
        do {
            if let place = try place(ofEntry: entry) { return place.record }
        } catch {
            throw JournalError(error)
        }
        throw JournalError.noEntry
    }

    /// Returns the error for an entry that cannot be found: there is none, or its record was erased.
    ///
    /// A caller without access to the record is refused as before, and learns nothing of the erasure.
    package func absence(
        of entry: UUID,
        _ caller: Caller,
        _ action: (Kind) -> Action
    ) async throws -> JournalError {
        guard let place = try place(ofEntry: entry), let kind = Kind.coded(place.kind) else {
            return JournalError.noEntry
        }
        if let tombstone = try journal.erasure.tombstone(of: place.record) {
            return try await journal.erasure.answer(caller, asking: action(kind), of: tombstone)
        }
        guard try journal.medicalRecords.erasure(ofEntry: entry) != nil else { return JournalError.noEntry }
        _ = try await journal.access.admit(caller, to: action(kind), on: place.record)
        return try absence(of: entry, in: place.record)
    }

    /// Returns the error for an entry that a record does not have, to a caller whom the gate has admitted.
    ///
    /// With a kind, an entry of another kind counts as one that never existed.
    package func absence(of entry: UUID, in record: UUID, of kind: Kind? = nil) throws -> JournalError {
        guard let erased = try journal.medicalRecords.erasure(ofEntry: entry), erased.record == record,
            kind.map({ $0.code == erased.kind }) ?? true
        else {
            return JournalError.noEntry
        }
        let event = try journal.log.event(at: erased.position)
        let day = journal.day(of: Instant(microseconds: event.recordedAt))
        return JournalError(.erased, "entry \(entry.text): erased on \(day) (position \(erased.position))")
    }

    /// Reports whether an entry of a record was erased after a position.
    package func hasErasedEntries(in record: UUID, after position: UInt64) throws -> Bool {
        try journal.medicalRecords.history(ofRecord: record, asOf: journal.log.head())
            .contains { try $0 > position && journal.log.event(at: $0).header.type == EntryErased.type.rawValue }
    }

    /// Returns the error for an id that a new record cannot have.
    package func idInUse(of id: UUID) throws -> ModelError {
        // The message is the same as for an existing record.
        if try journal.erasure.tombstone(of: id) != nil {
            return ModelError(.conflict, "a record with this id already exists")
        }
        return ModelError(.conflict, field: JournalError.idInUse.field, JournalError.idInUse.text)
    }
}
