package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import LMDB
package import ProjectionKit

/// Reads records and entries as they were known at any position.
package struct MedicalRecordsView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = MedicalRecords()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// Which entries of a record are asked for.
    package struct Selection: Sendable {
        package var kinds: [Kind] = Kind.all
        /// Keeps the entries that had occurred by this day, and those without a date.
        package var happenedBy: Day?
        package var includesRetracted = true
        /// Entries whose addition stands at or before this position are left out: where the last page ended.
        package var after: UInt64 = 0
        package var limit = Int.max

        package init() {}
    }

    /// The ids of the records that were there at a position, in the order in which they were created.
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

    /// A record without its entries; nil if there was none.
    ///
    /// Throws `subjectErased` for one that was erased.
    package func header(of id: UUID, asOf position: UInt64) throws -> RecordState? {
        try views.query(projection) { tables, transaction in
            try header(of: id, asOf: position, tables, transaction)
        }
    }

    /// A record with the entries that are asked for; nil if there was none.
    package func record(
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

    /// An entry as it was known at a position.
    package func entry(_ id: UUID, asOf position: UInt64) throws -> EntryState? {
        try views.query(projection) { tables, transaction in
            try newest(id, asOf: position, tables, transaction).map { try state(of: id, $0.version, at: $0.position) }
        }
    }

    /// The record that an entry belongs to, and its kind: known without any key.
    package func place(ofEntry id: UUID) throws -> (record: UUID, kind: UInt16)? {
        try views.query(projection) { tables, transaction in
            try newest(id, asOf: UInt64.max, tables, transaction).map { ($0.version.record, $0.version.kind) }
        }
    }

    /// The positions of all events of an entry up to a position.
    package func history(ofEntry id: UUID, asOf position: UInt64) throws -> [UInt64] {
        try positions(Key(id), MedicalRecords.Rows.versions, through: position)
    }

    /// The positions of all changes of a record and its entries up to a position.
    package func history(ofRecord id: UUID, asOf position: UInt64) throws -> [UInt64] {
        try positions(Key(id), MedicalRecords.Rows.changes, through: position)
    }

    /// The ids of entries and records that begin with the given bytes; for ids that were not typed in full.
    package func ids(startingWith prefix: [UInt8], limit: Int) throws -> (records: [UUID], entries: [UUID]) {
        try views.query(projection) { tables, transaction in
            (
                try distinct(prefix, in: tables[MedicalRecords.Rows.profiles], limit, transaction),
                try distinct(prefix, in: tables[MedicalRecords.Rows.versions], limit, transaction)
            )
        }
    }

    /// Where the log says that a record was erased; nil for one that was not.
    ///
    /// The same whatever the position as of which somebody asks: what is gone is gone from the past as well.
    package func erasure(of id: UUID) throws -> UInt64? {
        try views.query(projection) { tables, transaction in
            guard let value = try transaction.get(Key(id), in: tables[MedicalRecords.Rows.erasures]) else { return nil }
            return try value.position(at: 0)
        }
    }

    /// The records that were erased, in the order of their ids, with where the log says so.
    package func erasures() throws -> [(record: UUID, position: UInt64)] {
        try views.query(projection) { tables, transaction in
            var found: [(record: UUID, position: UInt64)] = []
            let cursor = try transaction.cursor(in: tables[MedicalRecords.Rows.erasures])
            var row = try cursor.first()
            while let current = row {
                found.append((try current.key.id(at: 0), try current.value.position(at: 0)))
                row = try cursor.next()
            }
            return found
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
        var state: RecordState?
        evolve(&state, try log.recorded(log.event(at: profile.created)))
        if profile.at > profile.created { evolve(&state, try log.recorded(log.event(at: profile.at))) }
        if let closed = try newest(MedicalRecords.Rows.closings, { at, _ in at }) {
            evolve(&state, try log.recorded(log.event(at: closed)))
        }
        if let held = try newest(MedicalRecords.Rows.holds, { at, _ in at }) {
            evolve(&state, try log.recorded(log.event(at: held)))
        }
        // Each says what it changed, so that all are folded: they are few.
        try TemporalIndex.forEach(
            Key(id),
            through: position,
            in: tables[MedicalRecords.Rows.owners],
            transaction
        ) { at, _ in
            evolve(&state, try log.recorded(log.event(at: at)))
            return true
        }
        let updated = try newest(MedicalRecords.Rows.changes) { at, _ in at }
        if let updated { state?.updated = try stamp(of: updated) }
        return state
    }

    private func entries(
        of id: UUID,
        asOf position: UInt64,
        _ selection: Selection,
        _ tables: ViewTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> [EntryState] {
        var found: [(added: UInt64, state: EntryState)] = []
        for kind in selection.kinds {
            var ofKind = 0
            try TemporalIndex.forEach(
                Key(id).appending(kind.code),
                after: selection.after,
                through: position,
                in: tables[MedicalRecords.Rows.entries],
                transaction
            ) { added, value in
                let entry = try value.id(at: 0)
                guard let newest = try newest(entry, asOf: position, tables, transaction),
                    selection.admits(newest.version)
                else { return true }
                found.append((added, try state(of: entry, newest.version, at: newest.position)))
                ofKind += 1
                return ofKind < selection.limit
            }
        }
        return found.sorted { $0.added < $1.added }.prefix(selection.limit).map(\.state)
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

    private func state(of id: UUID, _ version: EntryVersion, at latest: UInt64) throws -> EntryState {
        let event = try log.recorded(log.event(at: version.content))
        guard let content = event.event.content else {
            throw EventLogError(
                .damaged,
                "position \(version.content): the view leads to another event; run: healthjournal views rebuild"
            )
        }
        var state = EntryState(id: id, record: version.record, content: content, added: try stamp(of: version.added))
        if version.content != version.added { state.corrected = event.stamp }
        if version.isRetracted { state.retracted = try stamp(of: latest) }
        state.latest = latest == version.content ? event.stamp : try stamp(of: latest)
        return state
    }

    private func stamp(of position: UInt64) throws -> Stamp {
        var stamp: Stamp?
        try log.forEachFrame(after: position - 1, through: position) { frame in
            stamp = frame.stamp
            return false
        }
        guard let stamp else { throw EventLogError(.damaged, "position \(position): there is no event") }
        return stamp
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
            // On to the next id, past all positions of this one.
            row = try cursor.seek(Key(id).appending(UInt64.max))
        }
        return ids
    }
}

extension MedicalRecordsView.Selection {
    fileprivate func admits(_ version: EntryVersion) -> Bool {
        if version.isRetracted, !includesRetracted { return false }
        guard let happenedBy, let day = version.occurredDay else { return true }
        return day <= happenedBy.daysSince1970
    }
}
