internal import Crypto
internal import EventLog
internal import FoundationEssentials
package import HealthModel
internal import Interchange
internal import JournalCare
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// What became of a change that a device sent, and where it is in the log.
package struct SyncAnswer: Hashable, Sendable {
    package var outcome: SyncOutcome
    /// The position of its last event; if it added none, of the entry's last change.
    package var position: UInt64
    /// The names of the fields in which the versions disagree.
    package var fields: [String]
}

extension Journal.Sync {
    /// Takes a change that was made on a device, and merges it with those that the device did not know.
    ///
    /// `offset` is how far the service's clock is ahead of the device's, in microseconds. A change that was taken before
    /// is answered again; another one with the same id is refused.
    package func take(
        _ command: SyncCommand,
        offset: Int64,
        _ caller: Caller
    ) async throws(JournalError) -> SyncAnswer {
        var caller = caller
        caller.request = command.request
        caller.reason = command.reason
        let answer = try await journal.retrying {
            if let given = try takenBefore(by: caller) { return given }
            guard try journal.accounts.account(caller.account).devices[command.device] != nil else {
                throw JournalError(.notFound, field: "device", "this account has no such device")
            }
            let madeAt = min(command.madeAt.adding(microseconds: offset), journal.now)
            var caller = caller
            caller.origin = ChangeOrigin(madeAt: madeAt, device: command.device)
            switch command.action {
            case .snooze: return try await postpone(command, offset, caller)
            case .settle: return try await settle(command, caller)
            case .add, .correct, .change, .retract, .restore, .log:
                return try await merge(command, offset, caller)
            }
        }
        await journal.entriesChanged(of: command.kind, in: command.record, by: caller)
        return answer
    }

    private func takenBefore(by caller: Caller) throws -> SyncAnswer? {
        do {
            guard let given = try journal.eventGiven(to: caller) else { return nil }
            return SyncAnswer(outcome: .already, position: given.stamp.position, fields: [])
        } catch let error as EventLogError where error.code == .subjectErased {
            // The record was erased since: the gate decides what the caller may know.
            return nil
        }
    }

    /// Returns the change as one of another entry, if it adds an entry whose id its content determines and that was erased.
    ///
    /// A device that does not know of the erasure yet may log the same dose again. A change that was taken before is
    /// erased.
    private func redirected(_ command: SyncCommand, _ caller: Caller) throws -> SyncCommand {
        guard command.addsEntry, let content = command.content, let request = caller.request,
            Journal.Entries.derivedIDs(of: content).contains(command.entry),
            try journal.entries.isErased(entry: command.entry, of: command.record),
            try journal.log.event(withKey: journal.eventID(of: request, by: caller.account)) == nil,
            let derived = try journal.entries.derivedID(of: content, in: command.record)
        else { return command }
        var command = command
        command.entry = derived
        return command
    }

    private func merge(_ command: SyncCommand, _ offset: Int64, _ caller: Caller) async throws -> SyncAnswer {
        let command = try redirected(command, caller)
        let version = try journal.log.version(of: command.entry)
        if let erased = try journal.medicalRecords.erasure(ofEntry: command.entry), erased.record != command.record {
            throw JournalError.idInUse
        }
        if try journal.entries.isErased(entry: command.entry, of: command.record) {
            throw try await journal.entries.absence(of: command.entry, caller) { .contribute($0, .adding) }
        }
        let isEntry = try journal.entries.place(ofEntry: command.entry) != nil
        let events = isEntry ? try journal.log.recordedEvents(of: command.entry) : []
        if version > 0, events.isEmpty { throw JournalError.idInUse }
        let isNew = command.addsEntry
        let isOwn = events.first.map { $0.stamp.actor == caller.account } ?? false
        // A caller who may add may report a dose that another account reported, and withdraw the own report, but not
        // change the report that is shown.
        let reports =
            !events.isEmpty && !isOwn
            && (command.action == .log || command.action == .retract && events.hasReport(by: caller.account))
        let contribution: Contribution =
            isNew && events.isEmpty || reports ? .adding : isOwn ? .changingOwn : .changingOthers
        let admission = try await journal.access.admit(
            caller,
            to: .contribute(command.kind, contribution),
            on: command.record
        )
        guard let access = admission.access else { throw JournalError.noRecord }
        if let base = command.base, try base > journal.log.head() {
            throw JournalError(.invalid, field: "base", "is after the end of the log")
        }
        // The device may know an older version of the entry than the present one.
        try command.content?.requireOriginals(of: events.compactMap(\.event.content))
        if let content = command.content, isNew {
            _ = try journal.entries.newID(of: content, in: command.record, given: command.entry, path: "entry")
        }
        guard let origin = caller.origin else { throw JournalError(.failed, "the change has no origin") }
        func decide(changesOthers: Bool) throws(ModelError) -> SyncDecision {
            try HealthModel.decide(
                command,
                events,
                author: caller.account,
                origin: origin,
                offset: offset,
                isClosed: access.header.isClosed,
                changesOthers: changesOthers,
                now: journal.now
            )
        }
        var decision = try decide(changesOthers: true)
        if reports, decision.changesShown {
            let action = Action.contribute(command.kind, .changingOthers)
            if command.action == .retract {
                _ = try await journal.access.admit(caller, to: action, on: command.record)
            } else if case .refused = try journal.access.decideAdmission(caller, action, on: command.record) {
                // A report of a dose is never refused: it is kept beside the one that is shown.
                decision = try decide(changesOthers: false)
            }
        }
        var change = try Change(journal, caller)
        for event in decision.events {
            if let content = event.content {
                try requireFile(of: content, in: command.record, besides: events)
                let before = events.last { $0.event.content != nil }?.event.content
                try journal.entries.requireReferences(of: content, besides: before, in: command.record)
            }
            try change.add(
                event,
                in: .entry(command.entry, of: command.record, command.kind),
                expecting: change.isEmpty ? (version == 0 ? .empty : .exact(version)) : nil
            )
        }
        change.expect(command.record, .exact(access.version))
        let result = try await change.commit()
        let position = result?.last ?? events.last?.stamp.position ?? access.position
        return SyncAnswer(outcome: decision.outcome, position: position, fields: decision.fields)
    }

    /// Postpones reminders on a device's behalf; a postponement that is over is recorded too, because it was shown.
    private func postpone(_ command: SyncCommand, _ offset: Int64, _ caller: Caller) async throws -> SyncAnswer {
        guard var snooze = command.snooze, snooze.plan == command.entry else {
            throw JournalError(.invalid, field: "content", "is required")
        }
        let admission = try await journal.access.admit(caller, to: .contribute(Dose.kind, .adding), on: command.record)
        guard let access = admission.access else { throw JournalError.noRecord }
        if access.header.isClosed { throw ModelError.recordIsClosed }
        let care = try journal.care.careState(of: command.record, plan: snooze.plan, asOf: journal.log.head())
        guard !care.plans.isEmpty else { throw JournalError.noPlan }
        snooze.until = snooze.until.corrected(by: offset)
        var change = try Change(journal, caller)
        try change.add(.doseSnoozed(snooze), in: .stream(journal.snoozeStream(of: command.record), of: command.record))
        change.expect(command.record, .exact(access.version))
        let result = try await change.commit()
        return SyncAnswer(outcome: .taken, position: result?.last ?? care.position, fields: [])
    }

    /// Decides between two versions on a device's behalf.
    private func settle(_ command: SyncCommand, _ caller: Caller) async throws -> SyncAnswer {
        guard let settlement = command.settlement else {
            throw JournalError(.invalid, field: "content", "is required")
        }
        do {
            let result = try await settled(settlement.position, settlement.choice, of: command.entry, caller)
            return SyncAnswer(outcome: .taken, position: result.position, fields: [])
        } catch let error as JournalError where error.code == .conflict {
            // The decision was made already; an equal one is the same.
            let events = try journal.log.recordedEvents(of: command.entry)
            guard let same = events.last(where: { $0.event.data as? DivergenceSettled == settlement }) else {
                throw error
            }
            return SyncAnswer(outcome: .merged, position: same.stamp.position, fields: [])
        }
    }

    private func requireFile(of content: EntryContent, in record: UUID, besides events: [RecordedEvent]) throws {
        guard !events.contains(where: { $0.event.content?.fileDigest == content.fileDigest }) else { return }
        try journal.entries.requireFile(of: content, in: record)
    }
}

extension SyncCommand {
    fileprivate var addsEntry: Bool { action == .add || action == .log }

    /// The key by which a change is recognized when it is sent again.
    ///
    /// Its digest leaves out `base`: after the service was restored to an older state, a device sends a change again
    /// without the version on which it was made.
    var request: RequestKey {
        var identified = self
        identified.base = nil
        return RequestKey("sync/\(id)", digest: Array(SHA256.hash(data: JSONWriter.bytes(identified.json))))
    }
}

extension [RecordedEvent] {
    /// Whether an account reported the dose, or changed the entry.
    fileprivate func hasReport(by account: UUID) -> Bool {
        contains { $0.stamp.actor == account && $0.type.entryEffect != nil }
    }
}

extension SyncDecision {
    /// Whether the decision changes the shown state of the entry.
    fileprivate var changesShown: Bool {
        events.contains { $0.type != EntryDiverged.type && $0.type != DivergenceSettled.type }
    }
}
