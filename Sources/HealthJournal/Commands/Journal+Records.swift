internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Makes a record, which its maker owns.
    package func createRecord(
        _ profile: RecordProfile,
        id: UUID? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await retrying {
            guard caller.kind == .person else {
                throw try await refusal(of: caller, .manage, because: "only a person's account can own a record")
            }
            try await requireScope(caller)
            let id = id ?? UUID.timeOrdered(at: log.now())
            var change = Change(self, caller)
            let state = try records.header(of: id, asOf: log.head())
            if state == nil, try log.version(of: id) > 0 { throw try idInUse(of: id) }
            for event in try decide(.create(profile, owner: caller.account), state, now: now) {
                try change.add(event, stream: id, subject: id, expecting: .empty)
            }
            try claim(profile, instead: nil, of: id, &change)
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, record: id)
        }
    }

    /// Gives a record a new profile, made from the one it has.
    package func changeRecord(
        _ record: UUID,
        _ caller: Caller,
        _ edit: (inout RecordProfile) throws(ModelError) -> Void
    ) async throws(JournalError) -> WriteResult {
        try await retrying {
            _ = try await admit(caller, to: .manage, on: record)
            let version = try log.version(of: record)
            let state = try records.header(of: record, asOf: log.head())
            guard var profile = state?.profile, let before = state?.profile else {
                throw JournalError.noRecord
            }
            try edit(&profile)
            var change = Change(self, caller)
            for event in try decide(.change(profile), state, now: now) {
                try change.add(event, stream: record, subject: record, expecting: .exact(version))
            }
            if !change.isEmpty { try claim(profile, instead: before, of: record, &change) }
            let result = try await change.commit()
            return WriteResult(
                position: result?.last ?? state?.updated.position ?? 0,
                record: record,
                isChanged: result != nil
            )
        }
    }

    /// Closes a record: it can still be read, and takes no more changes.
    package func closeRecord(_ record: UUID, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await retrying {
            _ = try await admit(caller, to: .manage, on: record)
            let version = try log.version(of: record)
            let state = try records.header(of: record, asOf: log.head())
            var change = Change(self, caller)
            for event in try decide(.close, state, now: now) {
                try change.add(event, stream: record, subject: record, expecting: .exact(version))
            }
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, record: record)
        }
    }
}
