internal import EventLog
internal import CaregiverPermissions
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// What is left of a record that was erased; nil for any other.
    ///
    /// The same as of any moment: what is gone is gone from the past as well.
    func tombstone(of record: UUID) throws -> Tombstone? {
        if let position = try records.erasure(of: record) { return try tombstone(of: record, at: position) }
        guard try log.isErasedForGood(record), let first = try log.events(of: record, limit: 1).first,
            first.header.type == EventType.recordCreated.rawValue
        else { return nil }
        return Tombstone(record: record, stamp: nil, day: nil, reason: "")
    }

    /// The erased records that the caller may know of.
    func tombstones(_ caller: Caller) throws -> [Tombstone] {
        try records.erasures().map { try tombstone(of: $0.record, at: $0.position) }
            .filter { try mayKnow(caller, of: $0) }
    }

    private func tombstone(of record: UUID, at position: UInt64) throws -> Tombstone {
        let event = try log.recorded(log.event(at: position))
        return Tombstone(
            record: record,
            stamp: event.stamp,
            day: day(of: event.stamp.recordedAt),
            reason: event.reason
        )
    }

    /// Whether somebody is told that a record was erased, when and why: who did it, who runs the journal, and auditors.
    ///
    /// To all others it is as if they had never been let in.
    func mayKnow(_ caller: Caller, of tombstone: Tombstone) throws -> Bool {
        guard caller.scope.admits(.audit(.access)) else { return false }
        switch caller.kind {
        case .tool, .administrator: return false
        case .auditor: return true
        case .person:
            if caller.account == tombstone.stamp?.actor { return true }
            if try caller.account == account(named: Journal.ownerName)?.id { return true }
            // Where no event tells who erased it, it is told to who had made it.
            let made = try tombstone.stamp == nil ? log.events(of: tombstone.record, limit: 1).first : nil
            return caller.account == made?.header.actor
        }
    }

    /// The answer to whoever asks for an erased record.
    func answer(_ caller: Caller, asking action: Action, of tombstone: Tombstone) async throws -> JournalError {
        switch try judge(caller, action, of: tombstone) {
        case .answered(let error): error
        case .refused(let denial): try await refusal(of: caller, denial)
        case .admitted: JournalError(.erased, tombstone.sentence)
        }
    }

    /// The same before it is on record.
    ///
    /// A refusal is kept with the journal itself, for nothing can be sealed under the record's key.
    func judge(_ caller: Caller, _ action: Action, of tombstone: Tombstone) throws -> Judgement {
        let verdict = Gate.decide(action, by: caller, permission: .none, now: now, today: today)
        if try mayKnow(caller, of: tombstone) {
            switch (caller.kind, verdict) {
            case (.person, _), (_, .allowed): return .answered(JournalError(.erased, tombstone.explained))
            case (_, .denied): break
            }
        }
        guard case .denied(let why) = verdict else { return .answered(JournalError(.erased, tombstone.sentence)) }
        var denial = Denial(action.access, action.sections, because: why)
        denial.erased = tombstone.record
        return .refused(denial)
    }
}
