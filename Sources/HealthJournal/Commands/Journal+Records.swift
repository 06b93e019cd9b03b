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
            let id = id ?? UUID.timeOrdered(at: log.now())
            var change = Change(self, caller)
            let state = try records.header(of: id, asOf: log.head())
            if state == nil, try log.version(of: id) > 0 { throw JournalError.idInUse }
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
                throw JournalError(.notFound, "there is no such record")
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

    /// Keeps a microchip number to one animal of the journal, and gives up the one it had.
    func claim(
        _ profile: RecordProfile,
        instead before: RecordProfile?,
        of record: UUID,
        _ change: inout Change
    ) throws {
        let (old, new) = (before?.microchip, profile.microchip)
        guard old != new else { return }
        if let old { try claimOnce(.release(holder: record), on: .animalID, old, field: "animalID", &change) }
        if let new { try claimOnce(.claim(holder: record), on: .animalID, new, field: "animalID", &change) }
    }

    /// Decides on a value that may stand only once, and ties the append to what was found.
    func claimOnce(
        _ command: ClaimCommand,
        on kind: UniqueValue,
        _ value: String,
        field: String,
        _ change: inout Change
    ) throws {
        let stream = try claim(kind, value)
        // What this very change does to the value is not in the log yet.
        if change.adds(to: stream) { throw JournalError(.conflict, field: field, "the value is there twice") }
        var state = ClaimState()
        let events = try log.recordedEvents(of: stream)
        for event in events { evolve(&state, event) }
        change.expect(stream, .exact(UInt64(events.count)))
        do {
            for event in try decide(command, state) {
                try change.add(event, stream: stream, subject: log.description.id)
            }
        } catch {
            throw JournalError(.conflict, field: field, error.message)
        }
    }
}

extension RecordProfile {
    /// The number that identifies the animal, in the one spelling by which two are compared.
    fileprivate var microchip: String? {
        guard subject == .animal,
            let field = RecordProfile.fields(for: .animal).first(where: { $0.name == "animalID" }),
            let text = values.text(field)
        else { return nil }
        let plain = text.filter { !$0.isWhitespace && $0 != "-" }.uppercased()
        return plain.isEmpty ? nil : plain
    }
}
