internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
package import JournalCore
internal import JournalEvents

extension Journal {
    /// What a replica shows and keeps while it has no connection to its service.
    package struct Offline: Sendable {
        let journal: Journal
    }

    package var offline: Offline { Offline(journal: self) }
}

extension Journal.Offline {
    /// The version of this machine's table of time zones.
    package static var zoneTable: String { SystemZones.version }
}

/// Changes on a replica: kept in the outbox first, and then applied as the service will apply them.
extension Journal.Offline {
    /// Keeps the events of a request in the outbox, and shows them.
    ///
    /// They are applied as `take` applies them at the service, so that a copy that is made anew from the mirror and the
    /// outbox shows the same.
    func keepOffline(_ change: Change, _ replica: ReplicaSide) async throws -> AppendResult {
        let changes = try offlineChanges(change, replica)
        try await replica.outbox.keep(changes)
        let first = try journal.log.head() + 1
        do throws(JournalError) {
            for change in changes { try await show(change, replica) }
        } catch {
            // The service would refuse it as well: the user gets the error now.
            if !error.isTransient {
                // The copy may have the first changes of the request: it must not be used again.
                try replica.invalidateCopy()
                try await replica.outbox.remove(changes)
                throw error
            }
            // The change is safe. The working copy is made anew with it when the replica is opened the next time.
        }
        let last = try max(journal.log.head(), first)
        return AppendResult(first: first, last: last, recordedAt: journal.log.now())
    }

    /// Applies a change of the outbox to the working copy; does nothing if it was applied before.
    func show(_ change: SyncCommand, _ replica: ReplicaSide) async throws(JournalError) {
        let caller = Caller(
            account: replica.state.account,
            name: replica.state.accountName,
            kind: .person,
            source: .commandLine
        )
        _ = try await journal.sync.take(change, offset: 0, caller)
    }

    /// Reports whether the working copy has the events of a change.
    func shows(_ change: SyncCommand, _ replica: ReplicaSide) throws -> Bool {
        try journal.log.event(withKey: journal.eventID(of: change.request, by: replica.state.account)) != nil
    }

    /// Translates the events of a request to changes that the service takes.
    private func offlineChanges(_ change: Change, _ replica: ReplicaSide) throws -> [SyncCommand] {
        var number = try replica.outbox.nextNumber()
        let madeAt = journal.now
        var events = try change.events.map { event in
            let header = event.header
            let decoded = try EventCodec.decode(
                type: header.type,
                schemaVersion: header.schemaVersion,
                kind: header.kind,
                payload: event.payload
            )
            return (header: header, decoded: decoded)
        }
        // A decision between two versions is sent as such: the service derives the other events from it.
        if let settled = events.first(where: { $0.decoded.event.type == DivergenceSettled.type }) { events = [settled] }
        var changes: [SyncCommand] = []
        for (header, decoded) in events {
            let change = try offlineChange(header, decoded, number: number, madeAt: madeAt, replica)
            changes.append(change)
            number += 1
        }
        return changes
    }

    private func offlineChange(
        _ header: EventHeader,
        _ decoded: DecodedPayload,
        number: UInt64,
        madeAt: Instant,
        _ replica: ReplicaSide
    ) throws -> SyncCommand {
        let snooze = (decoded.event.data as? DoseSnoozed)?.snooze
        // A postponement has no entry of its own: it is sent as a change of the plan.
        let entry = snooze?.plan ?? header.entry
        guard let action = SyncCommand.Action(decoded.event),
            let kind = try Kind.coded(header.kind)
                ?? journal.entries.place(ofEntry: entry).flatMap({ Kind.coded($0.kind) })
        else { throw replica.onlineOnly("this is not possible on a replica") }
        let settlement = decoded.event.data as? DivergenceSettled
        if let settlement, settlement.position > replica.base {
            throw JournalError(.conflict, field: "position", "run healthjournal sync first: this is not sent yet")
        }
        let known = try journal.log.events(of: entry, limit: 1).first.map { $0.position <= replica.base } ?? false
        return SyncCommand(
            id: UUID.timeOrdered(at: journal.log.now()).text,
            device: replica.state.device,
            seq: number,
            madeAt: madeAt,
            record: header.subject,
            entry: entry,
            kind: kind,
            action: action,
            base: known ? replica.base : nil,
            content: decoded.event.content,
            snooze: snooze,
            settlement: settlement,
            reason: decoded.reason
        )
    }
}

extension SyncCommand.Action {
    /// Returns what a device sends for an event; nil for one that only the service can make.
    fileprivate init?(_ event: JournalEvent) {
        switch event.type {
        case EntryAdded.type: self = event.content?.kind == Dose.kind ? .log : .add
        case EntryCorrected.type: self = .correct
        case PlanChanged.type: self = .change
        case EntryRetracted.type: self = .retract
        case EntryRestored.type: self = .restore
        case DivergenceSettled.type: self = .settle
        case DoseSnoozed.type: self = .snooze
        default: return nil
        }
    }
}

extension SyncCommand {
    /// The line in which the change is sent.
    package var line: [UInt8] { JSONWriter.bytes(json) }
}
