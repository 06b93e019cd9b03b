internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal.Erasure {
    /// Returns what remains of an erased record; nil for any other record.
    ///
    /// Does not depend on a moment: an erased record is removed from every past state as well.
    package func tombstone(of record: UUID) throws -> Tombstone? {
        if let position = try journal.medicalRecords.erasure(of: record) {
            // Clients of practices are erased with the same event.
            return try beganAsRecord(record) ? tombstone(of: record, at: position) : nil
        }
        guard try journal.log.isPermanentlyErased(record), try beganAsRecord(record) else { return nil }
        return Tombstone(record: record, stamp: nil, day: nil, reason: "")
    }

    /// Returns the erased records that the caller may know of.
    func tombstones(_ caller: Caller) throws -> [Tombstone] {
        try journal.medicalRecords.erasures().filter { try beganAsRecord($0.record) }
            .map { try tombstone(of: $0.record, at: $0.position) }
            .filter { try mayKnowOfErasure(caller, of: $0) }
    }

    private func beganAsRecord(_ id: UUID) throws -> Bool {
        try journal.log.events(of: id, limit: 1).first?.header.type == RecordCreated.type.rawValue
    }

    private func tombstone(of record: UUID, at position: UInt64) throws -> Tombstone {
        let event = try journal.log.recorded(journal.log.event(at: position))
        return Tombstone(
            record: record,
            stamp: event.stamp,
            day: journal.day(of: event.stamp.recordedAt),
            reason: event.reason
        )
    }

    /// Reports whether a caller may know that a record was erased, when and why.
    package func mayKnowOfErasure(_ caller: Caller, of tombstone: Tombstone) throws -> Bool {
        let responsible =
            try tombstone.stamp?.actor ?? journal.log.events(of: tombstone.record, limit: 1).first?.header.actor
        return try Gate.mayKnowOfErasure(
            caller,
            responsible: responsible,
            isJournalOwner: journal.access.isOwner(caller.account)
        )
    }

    /// Returns the error for a request that concerns an erased record.
    package func answer(_ caller: Caller, asking action: Action, of tombstone: Tombstone) async throws -> JournalError {
        switch try decideAdmission(caller, action, of: tombstone) {
        case .answered(let error): error
        case .refused(let denial): try await journal.access.refusal(of: caller, denial)
        case .admitted: JournalError(.erased, tombstone.sentence)
        }
    }

    /// Decides on a request that concerns an erased record, before anything is recorded.
    ///
    /// A refusal is recorded in the journal's own access stream, because nothing can be sealed under the record's key.
    package func decideAdmission(_ caller: Caller, _ action: Action, of tombstone: Tombstone) throws
        -> AdmissionDecision
    {
        let decision = Gate.decide(action, by: caller, permission: .none, now: journal.now, today: journal.today)
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

/// What remains of a record that was erased.
package struct Tombstone: Hashable, Sendable {
    package let record: UUID
    /// The position, the time and the actor of the erasure.
    ///
    /// Nil if only the key was destroyed, as in a journal that was restored from a backup made before the erasure.
    package let stamp: Stamp?
    /// The day of the erasure in the journal's time zone.
    package let day: Day?
    package let reason: String

    /// A sentence such as `record 0198…: erased on 2026-11-21 (position 812)`.
    package var sentence: Message {
        guard let stamp, let day else { return "record \(record.text): erased" }
        return "record \(record.text): erased on \(day) (position \(stamp.position))"
    }

    /// The sentence with the reason, for callers who may know it.
    package var explained: Message { reason.isEmpty ? sentence : "\(sentence): \(reason)" }
}
