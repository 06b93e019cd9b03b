internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import Interchange
package import JournalCore
internal import JournalEvents
internal import JournalIngest
internal import MedicalRecords

extension Journal.Sync {
    /// The maximum number of events that one page examines, whether the caller may see them or not.
    private static var syncReach: UInt64 { 100_000 }
    /// The maximum size of the stored events of one page, in bytes; a page with a single event may be larger.
    private static var syncBytes: Int { 4 << 20 }

    /// Returns the events after a position that the caller may see at present, for a device that works offline.
    ///
    /// They are those of records and their entries, and postponed reminders, not those of accesses and grants. With
    /// `asStored`, their data is given in its stored form, which contains all of it. The page is a read of each of these
    /// records, which is in the audit log before the page is returned. Nothing that is read on the device later is.
    package func syncPage(
        after position: UInt64,
        record: UUID? = nil,
        limit: Int = FeedQuery.maximumLimit,
        asStored: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> SyncPage {
        try await journal.retrying {
            try FeedQuery(limit: limit).validate()
            try await journal.access.admit(caller, to: .sync)
            let head = try journal.log.head()
            guard position <= head else {
                throw JournalError(
                    .conflict,
                    field: "after",
                    "this log ends at position \(head): it was restored to an older state, or is another log"
                )
            }
            let before = try sight(of: caller, at: position)
            let now = try sight(of: caller, at: nil)
            var seen = SyncReads(asStored: asStored)
            let through = try collect(after: position, through: head, record, now, limit, &seen)
            try await journal.access.trace(caller, seen.reads)
            var page = SyncPage(
                events: seen.events,
                forgotten: [],
                again: [],
                through: through,
                hasMore: through < head,
                now: journal.now,
                zoneTable: SystemZones.version,
                sight: try Dictionary(
                    uniqueKeysWithValues: now.map { record, admission in
                        let grant = try journal.permissions.permission(of: caller.account, on: record, asOf: head).grant
                        let terms = admission.right == .owner ? nil : grant?.terms
                        return (record, SyncAccess(admission.right, admission.scope, terms))
                    }
                ),
                journal: (journal.log.description.id, journal.zone.identifier),
                recordedAt: try through == 0
                    ? nil : Instant(microseconds: journal.log.event(at: through).recordedAt),
                accounts: accounts(of: seen.actors.merging([caller.account: []]) { first, _ in first })
            )
            for (record, admission) in before.sorted(by: { $0.key.text < $1.key.text }) {
                if try journal.erasure.tombstone(of: record) == nil, !admission.scope.isPart(of: now[record]?.scope) {
                    page.forgotten.append((record, .revoked))
                    if now[record] != nil { page.again.append(record) }
                }
            }
            page.forgotten += try erasures(after: position, through: through, caller).map { ($0, .erased) }
            // A device that begins fetches everything anyway.
            for (record, admission) in now.sorted(by: { $0.key.text < $1.key.text }) where position > 0 {
                let earlier = before[record]?.scope
                if admission.scope.isPart(of: earlier) || page.again.contains(record) { continue }
                if try earlier != nil || journal.medicalRecords.header(of: record, asOf: position) != nil {
                    page.again.append(record)
                }
            }
            // Without a key to sign it there is no checkpoint; the device then keeps the one that it has.
            if !page.hasMore { page.checkpoint = try? journal.log.checkpoint().text }
            return page
        }
    }

    /// Returns the records that were erased, of those that the caller created or erased.
    ///
    /// Which other accounts saw an erased record is not known any more: their devices forget it because it is not in
    /// `sight`.
    private func erasures(after start: UInt64, through end: UInt64, _ caller: Caller) throws -> [UUID] {
        if start == 0 { return [] }
        var erased: [(record: UUID, actor: UUID)] = []
        try journal.log.forEachFrame(after: start, through: end) { frame in
            if frame.type == RecordErased.type.rawValue { erased.append((frame.entry, frame.actor)) }
            return true
        }
        return
            try erased.filter { record, actor in
                let creator = try journal.log.events(of: record, limit: 1).first?.header.actor
                return actor == caller.account || creator == caller.account
            }
            .map(\.record)
    }

    /// Returns the part of each record that the caller may see: now, or with the permissions and the date of a position.
    private func sight(of caller: Caller, at position: UInt64?) throws -> [UUID: Admission] {
        if position == 0 { return [:] }
        let moment = try position.map { Instant(microseconds: try journal.log.event(at: $0).recordedAt) } ?? journal.now
        var found: [UUID: Admission] = [:]
        for known in try journal.permissions.records(of: caller.account, asOf: position ?? journal.log.head()) {
            let action = Action.read(nil, .events)
            let decision = Gate.admit(
                action,
                on: known.record,
                by: caller,
                permission: known.permission,
                now: moment,
                today: journal.day(of: moment)
            )
            if case .success(let admission) = decision { found[known.record] = admission }
        }
        return found
    }

    private func collect(
        after start: UInt64,
        through head: UInt64,
        _ record: UUID?,
        _ sight: [UUID: Admission],
        _ limit: Int,
        _ seen: inout SyncReads
    ) throws -> UInt64 {
        let end = start + min(head - start, Self.syncReach)
        var found: [UInt64] = []
        try journal.log.forEachFrame(after: start, through: end) { frame in
            guard let of = frame.record, record ?? of == of, let admission = sight[of],
                admission.isSynced(frame.type, Kind.coded(frame.kind))
            else { return true }
            found.append(frame.position)
            return found.count <= limit
        }
        for position in found {
            let event = try journal.log.event(at: position)
            let isFull = seen.byteCount + event.bytes.count > Self.syncBytes && !seen.events.isEmpty
            if isFull || seen.events.count == limit { return position - 1 }
            guard let of = event.header.record, let admission = sight[of] else { continue }
            do {
                let recorded = try journal.log.recorded(event)
                let shown = try show(event, recorded, admission, asStored: seen.asStored)
                seen.add(shown, recorded, event, admission)
            } catch let error as EventLogError where error.code == .subjectErased {
                guard try journal.log.isPermanentlyErased(event) else { throw error }
            }
        }
        return end
    }

    /// Returns the names of accounts and of some of their devices.
    private func accounts(of actors: [UUID: Set<UUID>]) -> [SyncAccount] {
        actors.sorted { $0.key.text < $1.key.text }
            .compactMap { id, devices in
                guard let account = try? journal.accounts.account(id) else { return nil }
                let named = account.devices.filter { devices.contains($0.key) }.mapValues(\.name)
                return SyncAccount(id: id, name: account.name, devices: named)
            }
    }

    private func show(
        _ event: StoredEvent,
        _ recorded: RecordedEvent,
        _ admission: Admission,
        asStored: Bool
    ) throws -> SyncPage.Event {
        let header = event.header
        let profile = recorded.event.profile?.visible(in: admission.scope)
        let shown = profile.map { recorded.event.showing($0, hidesOwners: admission.right != .owner) } ?? recorded.event
        let reason = profile == nil || admission.right == .owner ? recorded.reason : ""
        let payload =
            asStored
            ? try EventCodec.encode(
                shown,
                reason: reason,
                clock: recorded.clock?.microseconds,
                origin: recorded.origin
            ) : nil
        let feed = FeedEvent(
            position: event.position,
            id: header.id,
            type: recorded.type,
            source: EventSource(rawValue: header.source),
            recordedAt: recorded.stamp.recordedAt,
            actor: header.actor,
            stream: header.stream,
            subject: recorded.subject,
            entry: recorded.entry,
            kind: Kind.coded(header.kind),
            reason: reason,
            data: asStored ? nil : NativeEvent.data(shown),
            isErased: false
        )
        return SyncPage.Event(event: feed, streamPosition: event.streamPosition, payload: payload)
    }
}

/// The events of a page, and the reads of records that they are.
private struct SyncReads {
    let asStored: Bool
    private(set) var events: [SyncPage.Event] = []
    /// The accounts that made the changes, and their devices.
    private(set) var actors: [UUID: Set<UUID>] = [:]
    private(set) var byteCount = 0
    private var shown: [UUID: (admission: Admission, shown: Shown)] = [:]

    init(asStored: Bool) {
        self.asStored = asStored
    }

    var reads: [(admission: Admission, shown: Shown)] {
        shown.values.sorted { $0.admission.record.text < $1.admission.record.text }
    }

    mutating func add(
        _ page: SyncPage.Event,
        _ recorded: RecordedEvent,
        _ stored: StoredEvent,
        _ admission: Admission
    ) {
        let event = page.event
        events.append(page)
        actors[recorded.writer.author, default: []].formUnion([recorded.origin?.device].compactMap(\.self))
        if case .fields(let data as EntryDiverged) = recorded.event {
            actors[data.writer.author, default: []].formUnion([data.writer.origin.device].compactMap(\.self))
        }
        byteCount += stored.bytes.count
        var read = shown[admission.record] ?? (admission, Shown(sections: []))
        if let kind = event.kind, event.entry != nil {
            read.shown.sections.insert(kind.section)
            read.shown.entryCount += 1
        }
        read.shown.version = event.position
        let first = read.shown.events?.lowerBound ?? event.position
        read.shown.events = min(first, event.position)...max(first, event.position)
        shown[admission.record] = read
    }
}

extension Admission {
    /// Whether a device of the caller gets events of a type.
    fileprivate func isSynced(_ type: UInt16, _ kind: Kind?) -> Bool {
        guard let type = EventType(rawValue: type) else { return false }
        switch type.category {
        case .entry: return kind.map(sees) ?? false
        case .record:
            return [RecordCreated.type, RecordChanged.type, RecordClosed.type, RecordReopened.type].contains(type)
        case .care: return type == DoseSnoozed.type && sees(Dose.kind)
        case .journal, .account, .grant, .access, .claim, .external, .practice, .appointment, .diary: return false
        }
    }
}

extension JournalEvent {
    /// Returns an event of a record with the part of its profile that may be shown.
    fileprivate func showing(_ profile: RecordProfile, hidesOwners: Bool) -> JournalEvent {
        guard case .fields(let data as RecordCreated) = self else { return .recordChanged(profile) }
        return .recordCreated(profile, owners: hidesOwners ? [] : data.owners)
    }
}

extension AccessScope {
    fileprivate func isPart(of other: AccessScope?) -> Bool {
        guard let other else { return false }
        return kinds.isSubset(of: other.kinds) && (profile == other.profile || profile == .name)
    }
}
