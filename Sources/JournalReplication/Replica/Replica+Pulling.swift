package import EventLog
package import FoundationEssentials
internal import HealthModel
package import JournalCore
internal import Platform
internal import ProjectionKit

extension Replica {
    /// Returns the position after which the next page is fetched; 0 if the mirror was deleted.
    package func start() throws(JournalError) -> UInt64 {
        let state = state
        guard state.through > 0 || state.mirror != nil else { return 0 }
        if let mirror = state.mirror, (try? EventLog.mirrorID(of: folder.mirror)) == mirror { return state.through }
        try update { $0.resetMirror() }
        do {
            try discardWork()
            try Folder.remove(folder.mirror.path)
        } catch {
            throw JournalError(error)
        }
        return 0
    }

    /// Deletes the mirror, so that everything is fetched again; what waits is kept.
    package func forgetMirror() throws(JournalError) {
        try update { state in
            state.resetMirror()
            state.checkpoint = nil
        }
        do {
            try discardWork()
            try Folder.remove(folder.mirror.path)
        } catch {
            throw JournalError(error)
        }
    }

    /// Takes a page of the service's events into the mirror; `start` is the position after which it begins.
    package func absorb(_ page: PulledPage, after start: UInt64, clockOffset: Int64) async throws(JournalError) {
        guard state.through == start else {
            throw JournalError(.conflict, "the replica was synced by another command meanwhile; run sync again")
        }
        if let journal = state.journal, journal != page.journal {
            throw JournalError.otherJournal(at: state.service)
        }
        do {
            try await take(page, clockOffset)
        } catch {
            throw JournalError(error)
        }
    }

    private func take(_ page: PulledPage, _ clockOffset: Int64) async throws {
        let known = state
        var again = known.again.union(page.again)
        // What the account sees now and did not see at the last contact: a grant that had ended by date and was extended
        // leaves no trace by which the service could tell.
        if known.through > 0 {
            again.formUnion(page.sight.filter { !$1.sections.isSubset(of: known.sight[$0]?.sections ?? []) }.keys)
        }
        again.formIntersection(page.sight.keys)
        let lost = Set(page.forgotten.map(\.record)).union(known.forgetting)
            .union(known.sight.keys.filter { page.sight[$0] == nil })
        if !lost.isEmpty {
            try forget(lost, erased: Set(page.forgotten.filter { $0.why == .erased }.map(\.record)))
        }
        if try brings(nothing: page, lost) {
            return try update { state in
                (state.lastSync, state.clockOffset) = (Instant(microseconds: now()), clockOffset)
            }
        }
        let erased = page.events.compactMap { ErasedEntry(erasedBy: $0.event.header) }
        if !erased.isEmpty { try await forget(entries: erased, besides: lost) }
        // The mirror is open only in this call: the one that writes it anew opens it again.
        let mirror = try await fill(page, except: lost.union(again))
        try update { state in
            (state.mirror, state.through, state.again) = (mirror, page.through, again)
            (state.journal, state.zone, state.zoneTable) = (page.journal, page.zone, page.zoneTable)
            state.sight = page.sight
            for account in page.accounts { state.merge(account) }
            if let checkpoint = page.checkpoint { state.checkpoint = checkpoint }
            state.clockOffset = clockOffset
            if !page.hasMore { state.lastSync = Instant(microseconds: now()) }
        }
        guard !lost.isEmpty else { return }
        let unseen = lost.subtracting(again)
        if !unseen.isEmpty { try await rebuild(without: unseen, adding: []) }
        try await compact(always: true)
        try update { $0.forgetting = [] }
    }

    /// Makes unreadable what the replica has of records, except changes that wait or were refused.
    ///
    /// The records are noted first: if this is interrupted, the next sync completes it.
    func forget(_ records: Set<UUID>, erased: Set<UUID>) throws {
        try update { state in
            state.forgetting.formUnion(records)
            for record in records { state.sight[record] = nil }
        }
        // An erased record is gone on both sides, with the changes of it that wait here.
        if !erased.isEmpty { try outbox.forget(erased) }
        // A copy that cannot be opened is deleted without it.
        try? withLog(in: folder.work) { try $0.forget(records) }
        try discardWork()
        if state.mirror != nil { try withLog(in: folder.mirror) { try $0.forget(records) } }
    }

    /// Destroys the keys of erased entries in all parts of the replica, and removes their changes from the outbox.
    ///
    /// This happens before the events of the erasures are stored: if it is interrupted, the next sync gets them again.
    ///
    /// All keys of records that are to be forgotten, `lost`, are destroyed already.
    private func forget(entries: [ErasedEntry], besides lost: Set<UUID>) async throws {
        let kept = entries.filter { !lost.contains($0.record) }
        // A copy that cannot be opened is deleted without it.
        try? withLog(in: folder.work) { try $0.forget(entries: kept) }
        try discardWork()
        if state.mirror != nil { try withLog(in: folder.mirror) { try $0.forget(entries: kept) } }
        try await outbox.forget(entries: Set(entries.map(\.entry)))
        try await compact(always: true)
    }

    private func withLog(in part: JournalFolder, _ body: (EventLog) throws -> Void) throws {
        let log = try EventLog(folder: part, masterKey: master, options: mirrorOptions)
        defer { log.close() }
        try body(log)
    }

    /// Appends the events of a page to the mirror, and returns the mirror's id.
    func fill(_ page: PulledPage, except unreadable: Set<UUID>) async throws -> UUID {
        let log = try openMirror(page)
        defer { log.close() }
        let head = try log.head()
        var news = page.events.filter { $0.position > head && !unreadable.contains($0.event.header.subject) }
        if page.through > max(head, news.last?.position ?? 0) {
            news.append(marker(at: page.through, page.recordedAt ?? page.now))
        }
        try await log.take(news)
        return log.description.id
    }

    /// Whether a page changes nothing here.
    ///
    /// The mirror then stays as it is, and with it the copy of it on which commands work. Each pull is recorded at the
    /// service, so that its log grows by each.
    private func brings(nothing page: PulledPage, _ lost: Set<UUID>) throws -> Bool {
        let state = state
        return try state.mirror != nil && !page.hasMore && page.events.isEmpty && page.forgotten.isEmpty
            && page.again.isEmpty && lost.isEmpty && page.sight == state.sight
            && !outbox.items().contains { !$0.isWaiting && $0.isMissing(through: state.through) }
    }

    /// Replaces the events of a record by those that the account may see of it now.
    package func refetched(_ record: UUID, _ events: [MirroredEvent]) async throws(JournalError) {
        do {
            try discardWork()
            let through = state.through
            try await rebuild(without: [record], adding: events.filter { $0.position <= through })
            try update { $0.again.remove(record) }
        } catch {
            throw JournalError(error)
        }
    }

    /// Brings the views of the mirror up to date, so that each copy of it has them.
    package func prepareViews() throws(JournalError) {
        guard let mirror = state.mirror, DurableFile.exists(folder.mirror.log + "/data.mdb") else { return }
        do {
            let log = try EventLog(folder: folder.mirror, masterKey: master, options: mirrorOptions)
            guard log.description.id == mirror else { return log.close() }
            let side = ReplicaSide(state, outbox, base: state.through)
            let journal = try Journal(log: log, mapSize: mirrorOptions.mapSize, replica: side, capabilities: [])
            defer { journal.close() }
            try journal.catchUpViews()
        } catch {
            throw JournalError(error)
        }
    }

    private func openMirror(_ page: PulledPage) throws -> EventLog {
        if state.mirror == nil {
            try Folder.remove(folder.mirror.path)
            return try makeMirror(in: folder.mirror, zone: page.zone)
        }
        return try EventLog(folder: folder.mirror, masterKey: master, options: mirrorOptions)
    }

    private func makeMirror(in folder: JournalFolder, zone: String) throws -> EventLog {
        let id = UUID.timeOrdered(at: now())
        return try EventLog.create(in: folder, masterKey: master, id: id, zone: zone, options: mirrorOptions)
    }

    /// Writes the mirror anew, without some records and with other events of them.
    private func rebuild(without records: Set<UUID>, adding events: [MirroredEvent]) async throws {
        let mirror = try await writeMirror(without: records, adding: events)
        try Replica.replace(folder.mirror.path)
        try update { $0.mirror = mirror }
        try discardWork()
    }

    /// Writes a new mirror beside the present one, in which it destroys the keys of the records; returns the new one's id.
    private func writeMirror(without records: Set<UUID>, adding events: [MirroredEvent]) async throws -> UUID {
        let old = try EventLog(folder: folder.mirror, masterKey: master, options: mirrorOptions)
        defer { old.close() }
        let beside = JournalFolder(folder.mirror.path + ".new")
        try Folder.remove(beside.path)
        let new = try makeMirror(in: beside, zone: state.zone)
        defer { new.close() }
        try await copy(old, without: records, adding: events, to: new)
        try old.forget(records)
        return new.description.id
    }

    private func copy(
        _ old: EventLog,
        without records: Set<UUID>,
        adding events: [MirroredEvent],
        to new: EventLog
    ) async throws {
        var added = events.sorted { $0.position < $1.position }[...]
        var (position, last, time) = (UInt64(0), UInt64(0), Int64.min)
        while case let page = try old.events(after: position, limit: Replica.pageLength), !page.isEmpty {
            var batch: [MirroredEvent] = []
            for event in page {
                position = event.position
                let isKept = event.header.type != Replica.markerType && !records.contains(event.header.subject)
                guard isKept else {
                    time = max(time, event.recordedAt)
                    continue
                }
                let payload: [UInt8]
                do throws(EventLogError) {
                    payload = try old.open(event)
                } catch {
                    // A record that was to be forgotten when an earlier attempt was interrupted.
                    if error.code == .subjectErased { continue }
                    throw error
                }
                let new = NewEvent(header: event.header, payload: payload)
                batch.append(MirroredEvent(new, at: event.position, recordedAt: event.recordedAt))
            }
            let end = added.firstIndex { $0.position > position } ?? added.endIndex
            batch += added[..<end]
            added = added[end...]
            batch.sort { $0.position < $1.position }
            last = batch.last?.position ?? last
            time = max(time, batch.last?.recordedAt ?? time)
            try await new.take(batch)
        }
        if !added.isEmpty {
            try await new.take(Array(added))
            last = added.last?.position ?? last
            time = max(time, added.last?.recordedAt ?? time)
        }
        let through = state.through
        if last < through { try await new.take([marker(at: through, Instant(microseconds: time))]) }
    }

    private static let pageLength = 4_096
    /// The type of a marker: no event of a journal has it.
    private static let markerType = UInt16.max

    /// Returns an event without content at a position whose own event the account may not see.
    ///
    /// With it, the mirror ends where the page of the service ended.
    private func marker(at position: UInt64, _ recordedAt: Instant) -> MirroredEvent {
        let marked = UUID.timeOrdered(at: now())
        let header = EventHeader(
            stream: id,
            id: marked,
            subject: id,
            type: Replica.markerType,
            schemaVersion: 1,
            category: EventCategory.journal.rawValue,
            actor: state.account,
            correlation: marked,
            source: EventSource.system.rawValue
        )
        let event = NewEvent(header: header, payload: [])
        return MirroredEvent(event, at: position, recordedAt: recordedAt.microseconds)
    }
}

extension EventLog {
    /// Appends a service's events to a mirror.
    ///
    /// The id of a stream that is derived with a record's key is another one in each log.
    fileprivate func take(_ events: [MirroredEvent]) async throws {
        let derived = try events.map { mirrored in
            guard mirrored.event.header.type == DoseSnoozed.type.rawValue else { return mirrored }
            var mirrored = mirrored
            mirrored.event.header.stream = try snoozeStream(of: mirrored.event.header.subject)
            return mirrored
        }
        try await mirror(derived)
    }
}

extension ReplicaState {
    fileprivate mutating func merge(_ account: SyncAccount) {
        var merged = account
        merged.devices.merge(accounts[account.id]?.devices ?? [:]) { new, _ in new }
        accounts[account.id] = merged
    }
}

extension JournalError {
    package static func otherJournal(at service: String) -> JournalError {
        JournalError(.conflict, "\(service) is now another journal: this replica is not of it")
    }
}
