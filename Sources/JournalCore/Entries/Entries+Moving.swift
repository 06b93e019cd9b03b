internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal.Entries {
    /// Moves an entry to another record: adds it there and retracts the original, in one append.
    ///
    /// The file of a document is copied to the other record. Returns the position, and the record and the id of the added
    /// entry. Throws `conflict` if the entry refers to another entry of its record, or is retracted.
    package func moveEntry(
        _ entry: UUID,
        to record: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        var from: UUID?
        var kind: Kind?
        let result = try await journal.once(caller) {
            if let replica = journal.replica { throw replica.onlineOnly("entries are moved at the service") }
            // The version is read before the state, so that the append fails if the state changes in between.
            let version = try journal.log.version(of: entry)
            guard let state = try journal.contents(for: .decision).entry(entry, asOf: journal.log.head()),
                expected.isPlace(of: state)
            else {
                throw try await absence(of: entry, caller) { .contribute($0, .changingOthers) }
            }
            (from, kind) = (state.record, state.kind)
            _ = try await journal.access.admit(caller, to: .changing(state, by: caller), on: state.record)
            // The caller will see the entry in the other record.
            let reading = try await journal.access.admit(caller, to: .read([state.kind], .read), on: state.record)
            try expected.requireSeen(state)
            let admission = try await journal.access.admit(caller, to: .contribute(state.kind, .adding), on: record)
            guard let access = admission.access else { throw JournalError.noRecord }
            try requireMovable(state, to: record)
            let recordVersion = try journal.log.version(of: state.record)
            let isClosed =
                try journal.medicalRecords.header(of: state.record, asOf: journal.log.head())?.isClosed ?? false
            var caller = caller
            if caller.reason.isEmpty { caller.reason = "was in a wrong record" }
            let derived = try newID(of: state.content, in: record, given: nil)
            if let derived, try journal.log.version(of: derived) > 0 { throw JournalError.idInUse }
            let moved = derived ?? UUID.timeOrdered(at: journal.log.now())
            var change = try Change(journal, caller)
            for event in try decide(.add(state.content), nil, isClosed: access.header.isClosed, now: journal.now) {
                // The reason is about the record in which the entry was wrong, and must not outlive it in the other one.
                try change.add(event, in: .entry(moved, of: record), isOfItsSubject: false, expecting: .empty)
            }
            try change.add(
                decide(.retract, state, isClosed: isClosed, now: journal.now),
                in: .entry(entry, of: state.record, state.kind),
                expecting: .exact(version)
            )
            change.expect(record, .exact(access.version))
            change.expect(state.record, .exact(recordVersion))
            var files: [(bytes: [UInt8], record: UUID)] = []
            if let digest = state.content.fileDigest, try journal.log.blobs.holds(digest, subject: state.record) {
                files.append((try journal.log.blobs.get(digest, subject: state.record), record))
            }
            for (bytes, record) in files { _ = try journal.log.blobs.put(bytes, subject: record) }
            let written = try await change.commit(answering: .created(record: record, entry: moved))
            try storeRemoved(files)
            try await journal.access.trace(caller, reading, Shown(state, version: state.latest.position))
            return written
        }
        if let kind {
            for record in [from, record].compactMap(\.self) {
                await journal.entriesChanged(of: kind, in: record, by: caller)
            }
        }
        return result
    }

    private func requireMovable(_ state: EntryState, to record: UUID) throws {
        if state.record == record {
            throw JournalError(.conflict, field: "record", "the entry is in that record already")
        }
        if state.isRetracted { throw JournalError(.conflict, "the entry is retracted: restore it before you move it") }
        if let reference = state.content.references.first {
            throw JournalError(
                .conflict,
                field: reference.path,
                "refers to another entry of its record, so the entry cannot be moved: add it to the right record, and retract it"
            )
        }
    }
}
