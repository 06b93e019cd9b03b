internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

/// Entries of erased records: the views know nothing of them, the headers of the log still say whose they were.
extension Journal {
    /// The record that an entry belongs or belonged to, and its kind.
    func place(ofEntry entry: UUID) throws -> (record: UUID, kind: UInt16)? {
        if let place = try records.place(ofEntry: entry) { return place }
        guard let header = try log.events(of: entry, limit: 1).first?.header, header.entry == entry,
            header.type == EventType.entryAdded.rawValue, try tombstone(of: header.subject) != nil
        else { return nil }
        return (header.subject, header.kind)
    }

    /// Why an entry cannot be found: there is none, or its record was erased.
    ///
    /// Who was not let in to it is refused as before, and learns nothing of the erasure.
    func absence(
        of entry: UUID,
        _ caller: Caller,
        _ action: (Kind) -> Action
    ) async throws -> JournalError {
        guard let place = try place(ofEntry: entry), let tombstone = try tombstone(of: place.record),
            let kind = Kind.coded(place.kind)
        else { return JournalError(.notFound, "there is no such entry") }
        return try await answer(caller, asking: action(kind), of: tombstone)
    }

    /// Why a record of an id cannot be made.
    func idInUse(of id: UUID) throws -> ModelError {
        // Word for word as of a record that is there.
        if try tombstone(of: id) != nil { return ModelError(.conflict, "there is a record of this id already") }
        return ModelError(.conflict, field: JournalError.idInUse.field, JournalError.idInUse.message)
    }
}
