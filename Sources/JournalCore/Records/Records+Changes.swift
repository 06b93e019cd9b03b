internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal.Records {
    /// Creates a record, which the caller owns.
    ///
    /// With `refusingSimilar`, throws `conflict` on the field ``similarRecord`` if the caller can list a record that may be
    /// of the same person or animal: two records of one person are hard to tell apart, and none is complete.
    package func createRecord(
        _ profile: RecordProfile,
        id: UUID? = nil,
        refusingSimilar: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            try await journal.access.admit(caller, to: .createRecord)
            // An id that is in use is refused as such.
            if refusingSimilar, try id.map({ try journal.log.version(of: $0) == 0 }) ?? true,
                let similar = try similarRecord(to: profile, caller)
            {
                throw JournalError(
                    .conflict,
                    field: Self.similarRecord,
                    "there is a record of this name already (\(similar.text.prefix(Self.shownPrefix)))"
                )
            }
            let id = id ?? UUID.timeOrdered(at: journal.log.now())
            try create(profile, id: id, owner: caller.account, &change)
            return .created(record: id)
        }
    }

    /// The field of the error about a record that may be of the same person or animal, and of what overrides it.
    package static let similarRecord = "similar"

    /// The number of characters of an id that are shown where a table shows it.
    private static let shownPrefix = 13

    /// Returns a record that the caller can list and that may be of the same person or animal; nil if there is none.
    private func similarRecord(to profile: RecordProfile, _ caller: Caller) throws -> UUID? {
        let head = try journal.log.head()
        let name = FoldedName(profile.displayName)
        return try namedRecords(for: caller, at: head)
            .first { found in
                try FoldedName(found.name) == name
                    && headerUnlessErased(found.id, asOf: head)?.profile.isSimilar(to: profile) ?? false
            }?
            .id
    }

    /// Adds the events that create a record.
    package func create(_ profile: RecordProfile, id: UUID, owner: UUID, _ change: inout Change) throws {
        let state = try journal.medicalRecords.header(of: id, asOf: journal.log.head())
        if state == nil, try journal.log.version(of: id) > 0 { throw try journal.entries.idInUse(of: id) }
        try journal.entries.requireZones(of: profile)
        try change.add(decide(.create(profile, owner: owner), state, now: journal.now), in: .own(id), expecting: .empty)
        try journal.claim(profile, instead: nil, of: id, &change)
    }

    /// Changes the profile of a record; `edit` receives the present one.
    ///
    /// `seen` is the position of the record's last change that the caller knows of.
    package func changeRecord(
        _ record: UUID,
        expecting seen: UInt64? = nil,
        _ caller: Caller,
        _ edit: (inout RecordProfile) throws(ModelError) -> Void
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            _ = try await journal.access.admit(caller, to: .editProfile, on: record)
            let version = try journal.log.version(of: record)
            let state = try journal.access.header(admitted: record)
            let before = state.profile
            var profile = before
            if let seen, seen != state.updated.position { throw JournalError.stale }
            try edit(&profile)
            try journal.entries.requireZones(of: profile)
            try change.add(
                decide(.change(profile), state, now: journal.now),
                in: .own(record),
                expecting: .exact(version)
            )
            if !change.isEmpty { try journal.claim(profile, instead: before, of: record, &change) }
            return .existing(at: state.updated.position, record: record)
        }
    }

    /// Closes a record: it can still be read, but no longer changed.
    package func closeRecord(
        _ record: UUID,
        expecting seen: UInt64? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await manage(.close, record, expecting: seen, caller)
    }

    /// Reopens a closed record: it accepts changes again.
    package func reopenRecord(
        _ record: UUID,
        expecting seen: UInt64? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await manage(.reopen, record, expecting: seen, caller)
    }

    private func manage(
        _ command: RecordCommand,
        _ record: UUID,
        expecting seen: UInt64?,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            _ = try await journal.access.admit(caller, to: .manage, on: record)
            let version = try journal.log.version(of: record)
            let state = try journal.access.header(admitted: record)
            if let seen, seen != state.updated.position { throw JournalError.stale }
            try change.add(decide(command, state, now: journal.now), in: .own(record), expecting: .exact(version))
            return .created(record: record)
        }
    }
}
