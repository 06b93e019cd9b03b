internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Creates a record, which the caller owns.
    package func createRecord(
        _ profile: RecordProfile,
        id: UUID? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            try await admit(caller, to: .createRecord)
            let id = id ?? UUID.timeOrdered(at: log.now())
            var change = try Change(self, caller)
            try create(profile, id: id, owner: caller.account, &change)
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, version: result?.first, record: id)
        }
    }

    /// Adds the events that create a record.
    func create(_ profile: RecordProfile, id: UUID, owner: UUID, _ change: inout Change) throws {
        let state = try records.header(of: id, asOf: log.head())
        if state == nil, try log.version(of: id) > 0 { throw try idInUse(of: id) }
        try requireZones(of: profile)
        for event in try decide(.create(profile, owner: owner), state, now: now) {
            try change.add(event, stream: id, subject: id, expecting: .empty)
        }
        try claim(profile, instead: nil, of: id, &change)
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
        try await once(caller) {
            _ = try await admit(caller, to: .editProfile, on: record)
            let version = try log.version(of: record)
            let state = try header(admitted: record)
            let before = state.profile
            var profile = before
            if let seen, seen != state.updated.position { throw JournalError.stale }
            try edit(&profile)
            var change = try Change(self, caller)
            try requireZones(of: profile)
            for event in try decide(.change(profile), state, now: now) {
                try change.add(event, stream: record, subject: record, expecting: .exact(version))
            }
            if !change.isEmpty { try claim(profile, instead: before, of: record, &change) }
            let result = try await change.commit()
            return WriteResult(
                position: result?.last ?? state.updated.position,
                // The events of claims follow those of the record itself.
                version: result?.first,
                record: record,
                isChanged: result != nil
            )
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
        try await once(caller) {
            _ = try await admit(caller, to: .manage, on: record)
            let version = try log.version(of: record)
            let state = try header(admitted: record)
            if let seen, seen != state.updated.position { throw JournalError.stale }
            var change = try Change(self, caller)
            for event in try decide(command, state, now: now) {
                try change.add(event, stream: record, subject: record, expecting: .exact(version))
            }
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, record: record)
        }
    }
}
