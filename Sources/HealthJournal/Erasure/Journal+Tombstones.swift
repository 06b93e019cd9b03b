internal import EventLog
internal import CaregiverPermissions
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Returns what remains of an erased record; nil for any other record.
    ///
    /// Does not depend on a moment: an erased record is removed from every past state as well.
    func tombstone(of record: UUID) throws -> Tombstone? {
        if let position = try records.erasure(of: record) { return try tombstone(of: record, at: position) }
        guard try log.isPermanentlyErased(record), let first = try log.events(of: record, limit: 1).first,
            first.header.type == RecordCreated.type.rawValue
        else { return nil }
        return Tombstone(record: record, stamp: nil, day: nil, reason: "")
    }

    /// Returns the erased records that the caller may know of.
    func tombstones(_ caller: Caller) throws -> [Tombstone] {
        try records.erasures().map { try tombstone(of: $0.record, at: $0.position) }
            .filter { try mayKnowOfErasure(caller, of: $0) }
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

    /// Reports whether a caller may know that a record was erased, when and why.
    ///
    /// These are the account that erased it, the account that the `init` command created, and auditors. All other
    /// callers get the same answers as if they had never had access.
    func mayKnowOfErasure(_ caller: Caller, of tombstone: Tombstone) throws -> Bool {
        guard caller.scope.admits(.audit(.access)) else { return false }
        switch caller.kind {
        case .tool, .administrator: return false
        case .auditor: return true
        case .person:
            if caller.account == tombstone.stamp?.actor { return true }
            if try caller.account == account(named: Journal.ownerName)?.id { return true }
            // If no event names the account that erased the record, the account that created the record may know.
            let made = try tombstone.stamp == nil ? log.events(of: tombstone.record, limit: 1).first : nil
            return caller.account == made?.header.actor
        }
    }

    /// Returns the error for a request that concerns an erased record.
    func answer(_ caller: Caller, asking action: Action, of tombstone: Tombstone) async throws -> JournalError {
        switch try decideAdmission(caller, action, of: tombstone) {
        case .answered(let error): error
        case .refused(let denial): try await refusal(of: caller, denial)
        case .admitted: JournalError(.erased, tombstone.sentence)
        }
    }

    /// Decides on a request that concerns an erased record, before anything is recorded.
    ///
    /// A refusal is recorded in the journal's own access stream, because nothing can be sealed under the record's key.
    func decideAdmission(_ caller: Caller, _ action: Action, of tombstone: Tombstone) throws -> AdmissionDecision {
        let decision = Gate.decide(action, by: caller, permission: .none, now: now, today: today)
        if try mayKnowOfErasure(caller, of: tombstone) {
            switch (caller.kind, decision) {
            case (.person, _), (_, .allowed): return .answered(JournalError(.erased, tombstone.explained))
            case (_, .denied): break
            }
        }
        guard case .denied(let why) = decision else { return .answered(JournalError(.erased, tombstone.sentence)) }
        var denial = Denial(action.access, action.sections, reason: why)
        denial.erased = tombstone.record
        return .refused(denial)
    }
}
