package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import LMDB
package import ProjectionKit

/// Queries of records and entries as they were known at any position, without the contents of the entries.
///
/// These are in `RecordContentsView`.
package struct MedicalRecordsView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = MedicalRecords()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// The selection of a record's entries.
    package struct Selection: Sendable {
        package var kinds: [Kind] = Kind.all
        /// If set, selects only entries that occurred by this day, and those without a date.
        package var happenedBy: Day?
        /// If set, selects only entries that happened in these days, or may have.
        package var period: Period?
        /// The kinds whose entries are selected only if they happened since then.
        package var happenedSince: [Kind: Instant] = [:]
        package var includesRetracted = true
        /// Leaves out entries that were added at or before this position, where the last page ended.
        package var after: UInt64 = 0
        /// If set, selects the newest entries of each kind that were added before this position.
        ///
        /// If nil, entries come in the order in which they were added.
        package var before: UInt64?
        package var limit = Int.max
        /// Other limits for some kinds; used only when `before` is set.
        package var limits: [Kind: Int] = [:]

        package init() {}
    }

    /// Returns the ids of the records that existed at a position, in the order in which they were created.
    package func records(asOf position: UInt64, after start: UInt64 = 0, limit: Int = .max) throws -> [UUID] {
        try views.query(projection) { tables, transaction in
            var ids: [UUID] = []
            try TemporalIndex.forEach(
                Key(),
                after: start,
                through: position,
                in: tables[MedicalRecords.Rows.records],
                transaction
            ) { _, value in
                ids.append(try value.id(at: 0))
                return ids.count < limit
            }
            return ids
        }
    }

    /// Returns those of the given records that existed at a position, with their creation positions, in that order.
    ///
    /// Costs one seek for each given record, however many records the journal holds.
    package func creations(
        of records: some Collection<UUID>,
        asOf position: UInt64
    ) throws -> [(position: UInt64, record: UUID)] {
        try views.query(projection) { tables, transaction in
            var found: [(position: UInt64, record: UUID)] = []
            let cursor = try transaction.cursor(in: tables[MedicalRecords.Rows.profiles])
            for record in records {
                guard let first = try cursor.seek(Key(record)), first.key.starts(with: Key(record)) else { continue }
                guard first.key.byteCount == 24 else { throw EventLogError.damagedRow }
                let created: UInt64 = first.key.bigEndian(at: 16)
                if created <= position { found.append((created, record)) }
            }
            return found.sorted { $0.position < $1.position }
        }
    }

    /// Returns a record without its entries; nil if it did not exist at the position or its erasure is in the log.
    ///
    /// Throws `subjectErased` if the record's key is gone but the log has no event of the erasure yet.
    package func header(of id: UUID, asOf position: UInt64) throws -> RecordState? {
        try views.query(projection) { tables, transaction in
            try header(of: id, asOf: position, tables, transaction)
        }
    }

    /// Returns a record with the selected entries; nil if it did not exist at the position or was erased.
    fileprivate func record(
        _ id: UUID,
        asOf position: UInt64,
        _ selection: Selection = Selection()
    ) throws -> RecordState? {
        try views.query(projection) { tables, transaction in
            guard var state = try header(of: id, asOf: position, tables, transaction) else { return nil }
            state.entries = try entries(of: id, asOf: position, selection, tables, transaction)
            return state
        }
    }

    /// A reference to a selected entry, without its content.
    package struct Reference: Sendable {
        package let entry: UUID
        /// The positions of its addition and of its latest change.
        package let added: UInt64
        package let latest: UInt64
    }

    /// Returns references to the selected entries of one kind, in the order in which they were added.
    ///
    /// Examines at most `limit` entries that were added after `start`. The next page starts after `end`, which is nil
    /// at the end.
    package func references(
        to kind: Kind,
        of id: UUID,
        asOf position: UInt64,
        _ selection: Selection,
        after start: UInt64,
        lookingAt limit: Int
    ) throws -> (found: [Reference], end: UInt64?) {
        try views.query(projection) { tables, transaction in
            var found: [Reference] = []
            var page = Page(limit)
            try TemporalIndex.forEach(
                Key(id).appending(kind.code),
                after: start,
                through: position,
                in: tables[MedicalRecords.Rows.entries],
                transaction
            ) { added, value in
                let entry = try value.id(at: 0)
                if let newest = try newest(entry, asOf: position, tables, transaction),
                    selection.admits(newest.version), try admits(entry, newest, selection)
                {
                    found.append(Reference(entry: entry, added: added, latest: newest.position))
                }
                return page.continues(after: added)
            }
            return (found, page.end)
        }
    }

    /// Returns the selected entries of one kind, in the order in which they were added, with pages as those of references.
    fileprivate func entries(
        _ kind: Kind,
        of id: UUID,
        asOf position: UInt64,
        _ selection: Selection,
        after start: UInt64,
        lookingAt limit: Int
    ) throws -> (found: [EntryState], end: UInt64?) {
        try views.query(projection) { tables, transaction in
            try log.withSnapshot { snapshot in
                var found: [EntryState] = []
                var page = Page(limit)
                try TemporalIndex.forEach(
                    Key(id).appending(kind.code),
                    after: start,
                    through: position,
                    in: tables[MedicalRecords.Rows.entries],
                    transaction
                ) { added, value in
                    let entry = try value.id(at: 0)
                    if let newest = try newest(entry, asOf: position, tables, transaction),
                        selection.admits(newest.version)
                    {
                        let state = try state(of: entry, newest.version, at: newest.position, snapshot)
                        if selection.admits(state) { found.append(state) }
                    }
                    return page.continues(after: added)
                }
                return (found, page.end)
            }
        }
    }

    /// Counts the entries that a page examines.
    private struct Page {
        private var rest: Int
        /// Where the next page starts; nil if this one did not reach its limit.
        private(set) var end: UInt64?

        init(_ limit: Int) { rest = limit }

        mutating func continues(after added: UInt64) -> Bool {
            rest -= 1
            if rest == 0 { end = added }
            return rest > 0
        }
    }

    /// Reports whether a record had more than `limit` entries of the selected kinds at a position.
    ///
    /// Ignores the other conditions of the selection. Counts at most `limit` + 1 entries.
    package func hasMore(
        than limit: Int,
        of id: UUID,
        asOf position: UInt64,
        _ selection: Selection
    ) throws -> Bool {
        try views.query(projection) { tables, transaction in
            var count = 0
            for kind in selection.kinds where count <= limit {
                try TemporalIndex.forEach(
                    Key(id).appending(kind.code),
                    through: position,
                    in: tables[MedicalRecords.Rows.entries],
                    transaction
                ) { _, _ in
                    count += 1
                    return count <= limit
                }
            }
            return count > limit
        }
    }

    /// Returns the entries as known at a position, in the order of `ids`; entries that did not exist then are left out.
    fileprivate func entries(_ ids: some Collection<UUID>, asOf position: UInt64) throws -> [EntryState] {
        try views.query(projection) { tables, transaction in
            try log.withSnapshot { snapshot in
                var found: [EntryState] = []
                for id in ids {
                    guard let newest = try newest(id, asOf: position, tables, transaction) else { continue }
                    found.append(try state(of: id, newest.version, at: newest.position, snapshot))
                }
                return found
            }
        }
    }

    /// Returns the ids of the entries of some kinds that a record had at a position, by kind and in the order of adding.
    package func ids(of record: UUID, kinds: [Kind], asOf position: UInt64) throws -> [UUID] {
        try views.query(projection) { tables, transaction in
            var found: [UUID] = []
            try TemporalIndex.forEach(
                Key(record),
                groups: kinds.map(\.code).sorted(),
                in: tables[MedicalRecords.Rows.entries],
                transaction
            ) { _, added, value in
                guard added <= position else { return false }
                found.append(try value.id(at: 0))
                return true
            }
            return found
        }
    }

    /// Calls `body` with those of the given entries that a selection admits, as known at a position.
    ///
    /// The kinds and the page of the selection are ignored.
    fileprivate func forEachEntry(
        _ ids: some Collection<UUID>,
        asOf position: UInt64,
        _ selection: Selection,
        _ body: (EntryState) throws -> Void
    ) throws {
        try views.query(projection) { tables, transaction in
            try log.withSnapshot { snapshot in
                for id in ids {
                    guard let newest = try newest(id, asOf: position, tables, transaction),
                        selection.admits(newest.version)
                    else { continue }
                    let state = try state(of: id, newest.version, at: newest.position, snapshot)
                    if selection.admits(state) { try body(state) }
                }
            }
        }
    }

    /// Returns an entry as known at a position; nil if it did not exist then.
    fileprivate func entry(_ id: UUID, asOf position: UInt64) throws -> EntryState? {
        try views.query(projection) { tables, transaction in
            guard let newest = try newest(id, asOf: position, tables, transaction) else { return nil }
            return try log.withSnapshot { try state(of: id, newest.version, at: newest.position, $0) }
        }
    }

    /// Returns the record and the kind of an entry, which are readable without any key.
    package func place(ofEntry id: UUID) throws -> (record: UUID, kind: UInt16)? {
        try views.query(projection) { tables, transaction in
            if let newest = try newest(id, asOf: UInt64.max, tables, transaction) {
                return (newest.version.record, newest.version.kind)
            }
            return try erased(id, tables, transaction).map { ($0.record, $0.kind) }
        }
    }

    /// Returns what remains of an erased entry; nil for any other entry.
    ///
    /// Does not depend on a position: an erased entry is removed from every past state as well.
    package func erasure(ofEntry id: UUID) throws -> ErasedEntryRow? {
        try views.query(projection) { tables, transaction in try erased(id, tables, transaction) }
    }

    private func erased(
        _ id: UUID,
        _ tables: ViewTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> ErasedEntryRow? {
        guard let row = try transaction.get(Key(id), in: tables[MedicalRecords.Rows.erasedEntries]) else { return nil }
        return try ErasedEntryRow(row)
    }

    /// Returns the positions of all events of an entry up to a position; of an erased entry, only that of its erasure.
    package func history(ofEntry id: UUID, asOf position: UInt64) throws -> [UInt64] {
        if let erased = try erasure(ofEntry: id) { return erased.position <= position ? [erased.position] : [] }
        return try positions(Key(id), MedicalRecords.Rows.versions, through: position)
    }

    /// Returns the positions of all changes of a record and its entries up to a position.
    package func history(ofRecord id: UUID, asOf position: UInt64) throws -> [UInt64] {
        try positions(Key(id), MedicalRecords.Rows.changes, through: position)
    }

    /// Returns the positions of the creation of a record and of all changes of its profile up to a position.
    package func profiles(of id: UUID, asOf position: UInt64) throws -> [UInt64] {
        try positions(Key(id), MedicalRecords.Rows.profiles, through: position)
    }

    /// Returns the entries of a record for which another version was ever kept, up to a position.
    package func diverged(in id: UUID, asOf position: UInt64) throws -> [UUID] {
        try views.query(projection) { tables, transaction in
            var entries: [UUID] = []
            try TemporalIndex.forEach(
                Key(id),
                through: position,
                in: tables[MedicalRecords.Rows.divergences],
                transaction
            ) { _, value in
                let entry = try value.id(at: 0)
                if !entries.contains(entry) { entries.append(entry) }
                return true
            }
            return entries
        }
    }

    /// Returns the ids of records and entries that begin with the given bytes, for ids that were abbreviated.
    package func ids(startingWith prefix: [UInt8], limit: Int) throws -> (records: [UUID], entries: [UUID]) {
        try views.query(projection) { tables, transaction in
            (
                try distinct(prefix, in: tables[MedicalRecords.Rows.profiles], limit, transaction),
                try distinct(prefix, in: tables[MedicalRecords.Rows.versions], limit, transaction)
                    + distinct(prefix, in: tables[MedicalRecords.Rows.erasedEntries], limit, transaction)
            )
        }
    }

    /// Returns the position of the event that erased a record; nil if it was not erased.
    ///
    /// Does not depend on a position: an erased record is removed from every past state as well.
    package func erasure(of id: UUID) throws -> UInt64? {
        try views.query(projection) { tables, transaction in
            guard let value = try transaction.get(Key(id), in: tables[MedicalRecords.Rows.erasures]) else { return nil }
            return try value.position(at: 0)
        }
    }

    /// Returns the erased records, in the order of their ids, with the positions of the erasing events.
    package func erasures() throws -> [(record: UUID, position: UInt64)] {
        try views.query(projection) { tables, transaction in
            var found: [(record: UUID, position: UInt64)] = []
            try forEachRow(of: tables[MedicalRecords.Rows.erasures], transaction) { key, value in
                found.append((try key.id(at: 0), try value.position(at: 0)))
            }
            return found
        }
    }

    /// Returns the erased records and entries up to the checkpoint of the view, which is not brought up to date; nil if
    /// there is no usable view.
    package func erasuresAtCheckpoint() throws -> (records: Set<UUID>, entries: [ErasedEntry], checkpoint: UInt64)? {
        try views.peek(projection) { tables, checkpoint, transaction in
            var (records, entries): (Set<UUID>, [ErasedEntry]) = ([], [])
            try forEachRow(of: tables[MedicalRecords.Rows.erasures], transaction) { key, _ in
                records.insert(try key.id(at: 0))
            }
            try forEachRow(of: tables[MedicalRecords.Rows.erasedEntries], transaction) { key, value in
                let row = try ErasedEntryRow(value)
                entries.append(ErasedEntry(record: row.record, entry: try key.id(at: 0), kind: row.kind))
            }
            return (records, entries, checkpoint)
        }
    }

    private func forEachRow(
        of table: Table,
        _ transaction: borrowing ReadTransaction,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void
    ) throws {
        let cursor = try transaction.cursor(in: table)
        var row = try cursor.first()
        while let current = row {
            try body(current.key, current.value)
            row = try cursor.next()
        }
    }

    // MARK: - Inside one snapshot

    private func header(
        of id: UUID,
        asOf position: UInt64,
        _ tables: ViewTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> RecordState? {
        func newest<Result>(_ table: Int, _ body: (UInt64, RawSpan) throws -> Result) throws -> Result? {
            try TemporalIndex.newest(Key(id), asOf: position, in: tables[table], transaction, body)
        }
        let profile = try newest(MedicalRecords.Rows.profiles) { at, value in
            (at: at, created: try value.position(at: 0))
        }
        guard let profile else { return nil }
        let closed = try newest(MedicalRecords.Rows.closings) { at, _ in at }
        let held = try newest(MedicalRecords.Rows.holds) { at, _ in at }
        var events = [profile.created]
        if profile.at > profile.created { events.append(profile.at) }
        events += [closed, held].compactMap(\.self)
        // Each event changes the owners incrementally, so all of them are applied; there are few.
        try TemporalIndex.forEach(
            Key(id),
            through: position,
            in: tables[MedicalRecords.Rows.owners],
            transaction
        ) { at, _ in
            events.append(at)
            return true
        }
        let updated = try newest(MedicalRecords.Rows.changes) { at, _ in at }
        var state: RecordState?
        try log.withSnapshot { snapshot in
            for event in events { evolve(&state, try log.recorded(snapshot.frame(at: event))) }
            if let updated { state?.updated = try snapshot.frame(at: updated).stamp }
        }
        return state
    }

    private func entries(
        of id: UUID,
        asOf position: UInt64,
        _ selection: Selection,
        _ tables: ViewTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> [EntryState] {
        if let before = selection.before {
            return try newestEntries(of: id, before: before, asOf: position, selection, tables, transaction)
        }
        var found: [EntryState] = []
        var selection = selection
        try log.withSnapshot { snapshot in
            while true {
                let next = try candidates(of: id, asOf: position, selection, tables, transaction)
                found.reserveCapacity(min(found.count + next.entries.count, selection.limit))
                for entry in next.entries where found.count < selection.limit {
                    guard let newest = try newest(entry.id, asOf: position, tables, transaction),
                        selection.admits(newest.version)
                    else { continue }
                    let state = try state(of: entry.id, newest.version, at: newest.position, snapshot)
                    if selection.admits(state) { found.append(state) }
                }
                guard let end = next.end, found.count < selection.limit else { return }
                selection.after = end
            }
        }
        return found
    }

    /// Returns the entries of each kind that were added last, newest first.
    private func newestEntries(
        of id: UUID,
        before end: UInt64,
        asOf position: UInt64,
        _ selection: Selection,
        _ tables: ViewTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> [EntryState] {
        guard end > 0, selection.limit > 0 else { return [] }
        var found: [EntryState] = []
        try log.withSnapshot { snapshot in
            for kind in selection.kinds {
                var count = 0
                let limit = selection.limits[kind] ?? selection.limit
                try TemporalIndex.forEachBack(
                    Key(id).appending(kind.code),
                    through: min(position, end - 1),
                    in: tables[MedicalRecords.Rows.entries],
                    transaction
                ) { _, value in
                    let entry = try value.id(at: 0)
                    guard let newest = try newest(entry, asOf: position, tables, transaction),
                        selection.admits(newest.version)
                    else { return true }
                    let state = try state(of: entry, newest.version, at: newest.position, snapshot)
                    guard selection.admits(state) else { return true }
                    found.append(state)
                    count += 1
                    return count < limit
                }
            }
        }
        return found
    }

    /// Whether an entry happened in the selected days, by its content, which is read only if the selection asks for it.
    private func admits(
        _ entry: UUID,
        _ newest: (position: UInt64, version: EntryVersion),
        _ selection: Selection
    ) throws -> Bool {
        if selection.happenedSince.isEmpty, selection.period == nil { return true }
        return try log.withSnapshot { snapshot in
            selection.admits(try state(of: entry, newest.version, at: newest.position, snapshot))
        }
    }

    /// Returns the entries that may belong to the next page, in the order in which they were added.
    ///
    /// `end` is the position at which they end if there may be more. At most one page of each kind is collected.
    /// Whether an entry is selected, and its content, is looked up only for the entries of the page.
    private func candidates(
        of id: UUID,
        asOf position: UInt64,
        _ selection: Selection,
        _ tables: ViewTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> (entries: [(added: UInt64, id: UUID)], end: UInt64?) {
        var entries: [(added: UInt64, id: UUID)] = []
        var end: UInt64?
        var (kind, count) = (UInt16?.none, 0)
        try TemporalIndex.forEach(
            Key(id),
            groups: selection.kinds.map(\.code).sorted(),
            after: selection.after,
            in: tables[MedicalRecords.Rows.entries],
            transaction
        ) { group, added, value in
            if group != kind { (kind, count) = (group, 0) }
            guard added <= end ?? position else { return false }
            entries.append((added, try value.id(at: 0)))
            count += 1
            if count == selection.limit { end = added }
            return count < selection.limit
        }
        if let end { entries.removeAll { $0.added > end } }
        return (entries.sorted { $0.added < $1.added }, end)
    }

    private func newest(
        _ entry: UUID,
        asOf position: UInt64,
        _ tables: ViewTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> (position: UInt64, version: EntryVersion)? {
        let found = try TemporalIndex.newest(
            Key(entry),
            asOf: position,
            in: tables[MedicalRecords.Rows.versions],
            transaction
        ) { at, value in EntryVersion(value).map { (at, $0) } }
        return found.flatMap { $0 }
    }

    private func state(
        of id: UUID,
        _ version: EntryVersion,
        at latest: UInt64,
        _ snapshot: borrowing LogSnapshot
    ) throws -> EntryState {
        let event = try log.recorded(snapshot.frame(at: version.content))
        guard let content = event.event.content else {
            throw EventLogError(
                .damaged,
                "position \(version.content): the view points to another event; run: healthjournal views rebuild"
            )
        }
        let isOriginal = version.content == version.added
        let added = isOriginal ? event.stamp : try snapshot.frame(at: version.added).stamp
        var state = EntryState(id: id, record: version.record, content: content, added: added)
        if !isOriginal { state.corrected = event.stamp }
        state.latest = latest == version.content ? event.stamp : try snapshot.frame(at: latest).stamp
        if let retracted = version.retracted {
            state.retracted = retracted == latest ? state.latest : try snapshot.frame(at: retracted).stamp
        }
        return state
    }

    private func positions(_ prefix: Key, _ table: Int, through position: UInt64) throws -> [UInt64] {
        try views.query(projection) { tables, transaction in
            var positions: [UInt64] = []
            try TemporalIndex.forEach(prefix, through: position, in: tables[table], transaction) { at, _ in
                positions.append(at)
                return true
            }
            return positions
        }
    }

    private func distinct(
        _ prefix: [UInt8],
        in table: Table,
        _ limit: Int,
        _ transaction: borrowing ReadTransaction
    ) throws -> [UUID] {
        var start = Key()
        start.append(prefix)
        var ids: [UUID] = []
        let cursor = try transaction.cursor(in: table)
        var row = try cursor.seek(start)
        while let found = row, found.key.starts(with: start), ids.count < limit {
            let id = try found.key.id(at: 0)
            ids.append(id)
            // Seeks to the next id, past all positions of this one.
            row = try cursor.seek(Key(id).appending(UInt64.max))
        }
        return ids
    }
}

extension MedicalRecordsView.Selection {
    fileprivate func admits(_ version: EntryVersion) -> Bool {
        if version.isRetracted, !includesRetracted { return false }
        guard let day = version.occurredDay else { return true }
        if let period, !period.mayContain(startingAt: day) { return false }
        return happenedBy.map { day <= $0.daysSince1970 } ?? true
    }

    /// Whether an entry happened in the selected days.
    fileprivate func admits(_ entry: EntryState) -> Bool {
        if let period, !period.contains(entry.content.happened) { return false }
        guard !happenedSince.isEmpty, let start = happenedSince[entry.kind] else { return true }
        guard let at = entry.content.instant else { return false }
        return at >= start
    }
}

/// Queries of the contents of entries as they were known at any position.
///
/// A type of its own, so that a program can hold it where no caller gets it without being authorized.
package struct RecordContentsView: Sendable {
    private let view: MedicalRecordsView

    package typealias Selection = MedicalRecordsView.Selection

    package init(views: ViewStore, log: EventLog) { view = MedicalRecordsView(views: views, log: log) }

    /// Returns a record with the selected entries; nil if it did not exist at the position or was erased.
    package func record(
        _ id: UUID,
        asOf position: UInt64,
        _ selection: Selection = Selection()
    ) throws -> RecordState? {
        try view.record(id, asOf: position, selection)
    }

    /// Returns the selected entries of one kind, in the order in which they were added, with pages as those of references.
    package func entries(
        _ kind: Kind,
        of id: UUID,
        asOf position: UInt64,
        _ selection: Selection,
        after start: UInt64,
        lookingAt limit: Int
    ) throws -> (found: [EntryState], end: UInt64?) {
        try view.entries(kind, of: id, asOf: position, selection, after: start, lookingAt: limit)
    }

    /// Returns the entries as known at a position, in the order of `ids`; entries that did not exist then are left out.
    package func entries(_ ids: some Collection<UUID>, asOf position: UInt64) throws -> [EntryState] {
        try view.entries(ids, asOf: position)
    }

    /// Calls `body` with those of the given entries that a selection admits, as known at a position.
    ///
    /// The kinds and the page of the selection are ignored.
    package func forEachEntry(
        _ ids: some Collection<UUID>,
        asOf position: UInt64,
        _ selection: Selection,
        _ body: (EntryState) throws -> Void
    ) throws {
        try view.forEachEntry(ids, asOf: position, selection, body)
    }

    /// Returns an entry as known at a position; nil if it did not exist then.
    package func entry(_ id: UUID, asOf position: UInt64) throws -> EntryState? {
        try view.entry(id, asOf: position)
    }
}
