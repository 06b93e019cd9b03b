package import EventLog
package import LMDB
internal import Platform

/// The views of a journal, which are kept up to date from the log and can be deleted and rebuilt at any time.
package final class ViewStore: Sendable {
    /// The maximum number of events that one transaction processes.
    package static let pageLength: UInt64 = 16_384

    let log: EventLog
    let environment: Environment
    let catalog: Table
    /// The maximum number of events that a view may lag for a query to wait rather than fail.
    let longestWait: UInt64
    let background = Guarded(Background())
    private let durability: ViewDurability
    /// The open tables, by the table-name prefix of a projection and its slot.
    private let opened = Guarded<[String: ViewTables]>([:])
    /// The position up to which the view handles no event after its checkpoint, by projection name.
    private let quiet = Guarded<[String: (state: ViewState, through: UInt64)]>([:])

    struct Background {
        var isUsed = false
        var works: [String: BackgroundWork] = [:]
        var failures: [String: any Error] = [:]
        /// The number of catch-ups under way in this process that may take long.
        var longCatchUps = 0
    }

    /// Opens the views of a log.
    ///
    /// `mapSize` is the address space to reserve, in bytes.
    package init(log: EventLog, mapSize: Int = 1 << 40, longestWait: UInt64 = ViewStore.pageLength) throws {
        self.log = log
        self.longestWait = longestWait
        try log.spendingReserve(at: log.folder.path) { () throws(StorageError) in
            try DurableFile.makeFolder(log.folder.views)
        }
        var options = Environment.Options()
        options.isSynced = false
        options.mapSize = mapSize
        options.maximumTables = 256
        do {
            (durability, environment, catalog) = try ViewStore.open(log, options)
        } catch let error as StorageError where error.code.isOfTheFile {
            // The views are only a cache: tables that cannot be read are removed and rebuilt.
            try ViewDurability.clear(log.folder)
            (durability, environment, catalog) = try ViewStore.open(log, options)
        }
    }

    private static func open(
        _ log: EventLog,
        _ options: Environment.Options
    ) throws -> (ViewDurability, Environment, Table) {
        try log.spendingReserve(at: log.folder.views) { try open(log.folder, options) }
    }

    private static func open(
        _ folder: JournalFolder,
        _ options: Environment.Options
    ) throws -> (ViewDurability, Environment, Table) {
        let durability = try ViewDurability(folder: folder)
        let environment = try Environment(folder: folder.views, options: options)
        let catalog = try environment.write { transaction in
            try durability.willWrite()
            return try transaction.makeTable("catalog")
        }
        return (durability, environment, catalog)
    }

    /// Releases the reader slots of processes that have died.
    package func clearStaleReaders() { environment.clearStaleReadersIfDue() }

    /// Syncs the views to disk, so that they need not be rebuilt after a restart of the machine.
    package func close() {
        // The lock keeps other writers out between the sync and the clean mark. Without the mark, the views are rebuilt
        // after a restart of the machine.
        try? environment.withWriteLock { _ in
            try environment.sync()
            try durability.didSync()
        }
    }

    /// Runs `body` on a snapshot of a view that has processed all events in the log.
    package func query<View: Projection, Result>(
        _ view: View,
        _ body: (ViewTables, borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        while true {
            let head = try log.head()
            let current = try current(view, at: head) ?? caughtUp(view, through: head)
            let answer: Result? = try environment.read { transaction in
                // A rebuild may have replaced the tables since.
                guard try savedState(of: View.name, transaction)?.generation == current.generation else { return nil }
                return try body(current.tables, transaction)
            }
            if let answer { return answer }
        }
    }

    /// Runs `body` on a snapshot of a view as it is, without the events after its checkpoint; nil if it has no usable tables.
    package func peek<View: Projection, Result>(
        _ view: View,
        _ body: (ViewTables, _ checkpoint: UInt64, borrowing ReadTransaction) throws -> Result
    ) throws -> Result? {
        let found: ViewState? = try environment.read { transaction in try savedState(of: View.name, transaction) }
        guard let found, found.version == View.version, try isOfLog(found) else { return nil }
        let tables = try tables(of: view, generation: found.generation)
        return try environment.read { transaction in
            guard let state = try savedState(of: View.name, transaction), state.generation == found.generation else {
                return nil
            }
            return try body(tables, state.checkpoint, transaction)
        }
    }

    private func caughtUp<View: Projection>(
        _ view: View,
        through head: UInt64
    ) throws -> (tables: ViewTables, generation: UInt64) {
        try requireQuickCatchUp(view, at: head)
        return try catchUp(view, through: head)
    }

    /// Returns the checkpoint of the tables that `catchUp` continues with; 0 if they do not exist yet.
    func usableCheckpoint<View: Projection>(of view: View) throws -> UInt64 {
        let (own, begun) = try environment.read { transaction in
            (
                try savedState(of: View.name, transaction), try savedState(of: View.name + beside, transaction)
            )
        }
        try requireKnown(own, view)
        for state in [own, begun] {
            if let state, state.version == View.version, try isOfLog(state) { return state.checkpoint }
        }
        return 0
    }

    /// Brings a view up to date with the log.
    ///
    /// A view of an older version is left in place for the older program, and a new one is built beside it. Throws
    /// `NewerView` for a view of a newer version.
    @discardableResult
    package func catchUp<View: Projection>(
        _ view: View,
        through head: UInt64
    ) throws -> (tables: ViewTables, generation: UInt64) {
        if let current = try current(view, at: head) { return current }
        while true {
            switch try prepare(view) {
            case .own(var state):
                let isLong = head > state.checkpoint && head - state.checkpoint > ViewStore.longestQuickCatchUp
                if isLong { background.withLock { $0.longCatchUps += 1 } }
                defer { if isLong { background.withLock { $0.longCatchUps -= 1 } } }
                while state.checkpoint < head {
                    guard let next = try advance(view, generation: state.generation, through: head) else { break }
                    state = next
                }
                guard state.checkpoint >= head else { continue }
                return (try tables(of: view, generation: state.generation), state.generation)
            case .beside(let generation):
                background.withLock { $0.longCatchUps += 1 }
                defer { background.withLock { $0.longCatchUps -= 1 } }
                if try advanceBeside(view, generation: generation, through: head) { try swap(view, to: generation) }
            }
        }
    }

    /// Builds a view from scratch beside the current one, and replaces the current one when it has caught up.
    ///
    /// No query needs this, so it never uses the disk reserve, and does not begin while a part of it is in use.
    package func rebuild<View: Projection>(_ view: View, progress: (UInt64, UInt64) -> Void = { _, _ in }) throws {
        try log.requireSpaceBesideReserve()
        let head = try log.head()
        let generation = try write(for: .rebuild) { transaction in try beginBeside(view, transaction) }
        if try advanceBeside(view, generation: generation, through: head, for: .rebuild, progress: progress) {
            try swap(view, to: generation, for: .rebuild)
        }
    }

    /// What a write is for, which decides whether it may use the disk reserve.
    private enum Purpose {
        /// A query may need the result, so the write may use the reserve.
        case query
        case rebuild
    }

    /// Processes events into the tables of a rebuild; returns false if another process has ended the rebuild.
    private func advanceBeside<View: Projection>(
        _ view: View,
        generation: UInt64,
        through head: UInt64,
        for purpose: Purpose = .query,
        progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws -> Bool {
        var checkpoint: UInt64 = 0
        while checkpoint < head {
            guard
                let state = try advance(
                    view,
                    row: View.name + beside,
                    generation: generation,
                    through: head,
                    for: purpose
                )
            else { return false }
            checkpoint = state.checkpoint
            progress(checkpoint, head)
        }
        return true
    }

    /// Returns the position up to which a view is current.
    ///
    /// Includes the events after its checkpoint that were found not to affect it.
    package func checkpoint<View: Projection>(of view: View) throws -> UInt64 {
        let state = try environment.read { transaction in try savedState(of: View.name, transaction) }
        guard let state else { return 0 }
        let known = quiet.withLock { $0[View.name] }
        return known?.state == state ? known?.through ?? state.checkpoint : state.checkpoint
    }

    // MARK: - Steps

    private let beside = "#beside"
    /// The number of table sets of a view, used in turn.
    ///
    /// LMDB limits the number of named tables, and the tables of an unused set keep their names.
    private let slots: UInt64 = 2

    /// Returns the view's tables if they have the version of this program, belong to this log and are up to date.
    private func current<View: Projection>(
        _ view: View,
        at head: UInt64
    ) throws -> (tables: ViewTables, generation: UInt64)? {
        let state: ViewState? = try environment.read { transaction in try savedState(of: View.name, transaction) }
        guard let state, state.version == View.version, try isOfLog(state),
            try state.checkpoint >= head || isQuiet(view, since: state, through: head)
        else { return nil }
        return (try tables(of: view, generation: state.generation), state.generation)
    }

    /// The maximum number of events after a checkpoint that are scanned again instead of being recorded as processed.
    private static let longestQuiet: UInt64 = 1_024

    /// Reports whether the view handles no event between its checkpoint and the log's head.
    ///
    /// Most events only record who read a record. Advancing the checkpoint for each would cost a write for nothing.
    private func isQuiet<View: Projection>(_ view: View, since state: ViewState, through head: UInt64) throws -> Bool {
        guard head - state.checkpoint <= ViewStore.longestQuiet else { return false }
        let known = quiet.withLock { $0[View.name] }
        // The state contains a leaf hash, so an equal state means that the same log was scanned.
        let start = known?.state == state ? known?.through ?? state.checkpoint : state.checkpoint
        guard start < head else { return true }
        var isQuiet = true
        try log.forEachFrame(after: start, through: head) { frame in
            isQuiet = !view.handles(type: frame.type)
            return isQuiet
        }
        if isQuiet { quiet.withLock { $0[View.name] = (state, head) } }
        return isQuiet
    }

    /// Starts a rebuild in the unused slot, under a generation number that no other rebuild has had.
    private func beginBeside<View: Projection>(
        _ view: View,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64 {
        let used = try savedState(of: View.name, transaction.reading)?.generation ?? 0
        let begun = try savedState(of: View.name + beside, transaction.reading)?.generation ?? 0
        let next = max(used, begun) + 1
        let generation = next % slots == used % slots ? next + 1 : next
        try dropTables(of: view, generation: generation, transaction)
        try make(view, generation: generation, transaction)
        try put(ViewState(generation: generation, version: View.version), for: View.name + beside, transaction)
        return generation
    }

    /// The set of tables into which events are processed.
    private enum Prepared {
        case own(ViewState)
        /// The tables of a rebuild, beside a view of an older version.
        case beside(UInt64)
    }

    /// Ensures that the view has tables of this version and of this log, and creates empty ones if not.
    private func prepare<View: Projection>(_ view: View) throws -> Prepared {
        try write { transaction in
            let old = try savedState(of: View.name, transaction.reading)
            try requireKnown(old, view)
            if let old, old.version == View.version, try isOfLog(old) { return .own(old) }
            let begun = try savedState(of: View.name + beside, transaction.reading)
            if let old, old.version < View.version, try isOfLog(old) {
                try requireKnown(begun, view)
                // A rebuild that was started by this version, in this or another process, is resumed.
                if let begun, begun.version == View.version, try isOfLog(begun) { return .beside(begun.generation) }
                return .beside(try beginBeside(view, transaction))
            }
            let generation = max(old?.generation ?? 0, begun?.generation ?? 0) + 1
            for slot in 0..<slots { try dropTables(of: view, generation: slot, transaction) }
            // A rebuild under way would write into the same tables, so it ends here.
            try transaction.delete(key(View.name + beside), in: catalog)
            try make(view, generation: generation, transaction)
            let state = ViewState(generation: generation, version: View.version)
            try put(state, for: View.name, transaction)
            return .own(state)
        }
    }

    private func requireKnown<View: Projection>(_ state: ViewState?, _ view: View) throws {
        guard let state, state.version > View.version, try isOfLog(state) else { return }
        throw NewerView(projection: View.name, found: state.version, known: View.version)
    }

    private func advance<View: Projection>(
        _ view: View,
        generation: UInt64,
        through head: UInt64
    ) throws -> ViewState? {
        try advance(view, row: View.name, generation: generation, through: head, for: .query)
    }

    /// Processes one page of events; returns nil if another process has replaced the tables.
    private func advance<View: Projection>(
        _ view: View,
        row: String,
        generation: UInt64,
        through head: UInt64,
        for purpose: Purpose
    ) throws -> ViewState? {
        do {
            return try take(view, row: row, generation: generation, through: head, for: purpose)
        } catch let fault as ProjectionError {
            // The transaction of the whole page was rolled back. The events before the one that failed are processed
            // again.
            _ = try take(view, row: row, generation: generation, through: fault.position - 1, for: purpose)
            throw fault
        }
    }

    private func take<View: Projection>(
        _ view: View,
        row: String,
        generation: UInt64,
        through head: UInt64,
        for purpose: Purpose
    ) throws -> ViewState? {
        let tables = try tables(of: view, generation: generation)
        return try write(for: purpose) { transaction in
            guard var state = try savedState(of: row, transaction.reading), state.generation == generation else {
                return nil
            }
            guard state.checkpoint < head else { return state }
            // Counts events, not positions: in a mirror, positions are missing.
            var count: UInt64 = 0
            try log.forEachFrame(after: state.checkpoint, through: head) { frame in
                if view.handles(type: frame.type) { try apply(view, frame, tables, transaction) }
                state.checkpoint = frame.position
                count += 1
                return count < ViewStore.pageLength
            }
            if state.checkpoint > 0 { state.leaf = try log.leafStart(at: state.checkpoint) }
            try put(state, for: row, transaction)
            return state
        }
    }

    /// Applies one event.
    ///
    /// Errors of the projection are wrapped in a `ProjectionError` with the event's position. Errors of LMDB, and
    /// errors of the log other than damage, are rethrown unchanged.
    private func apply<View: Projection>(
        _ view: View,
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        do {
            try view.apply(frame, tables, transaction, log)
        } catch let error as StorageError {
            throw error
        } catch let error as EventLogError where error.code != .damaged {
            throw error
        } catch {
            throw ProjectionError(projection: View.name, position: frame.position, message: "\(error)")
        }
    }

    private func swap<View: Projection>(
        _ view: View,
        to generation: UInt64,
        for purpose: Purpose = .query
    ) throws {
        try write(for: purpose) { transaction in
            guard let built = try savedState(of: View.name + beside, transaction.reading),
                built.generation == generation
            else { return }
            if let old = try savedState(of: View.name, transaction.reading) {
                try dropTables(of: view, generation: old.generation, transaction)
            }
            try put(built, for: View.name, transaction)
            try transaction.delete(key(View.name + beside), in: catalog)
        }
    }

    private func isOfLog(_ state: ViewState) throws -> Bool {
        guard state.checkpoint > 0 else { return true }
        guard try state.checkpoint <= log.head() else { return false }
        return try log.leafStart(at: state.checkpoint) == state.leaf
    }

    /// Runs a write transaction that first marks the tables as not synced.
    ///
    /// The mark is set inside the transaction, so no other process can mark them clean meanwhile. If the disk is full,
    /// a write for a query releases a part of the disk reserve and runs `body` again.
    private func write<Result>(
        for purpose: Purpose = .query,
        _ body: (borrowing WriteTransaction) throws -> Result
    ) throws -> Result {
        func writing() throws -> Result {
            try environment.write { transaction in
                try durability.willWrite()
                return try body(transaction)
            }
        }
        return switch purpose {
        case .query: try log.spendingReserve(at: log.folder.views, writing)
        case .rebuild: try writing()
        }
    }

    // MARK: - Tables

    private func tables<View: Projection>(of view: View, generation: UInt64) throws -> ViewTables {
        let name = tableName(View.name, generation)
        if let tables = opened.withLock({ $0[name] }) { return tables }
        let tables = try write { transaction in try make(view, generation: generation, transaction) }
        opened.withLock { $0[name] = tables }
        return tables
    }

    @discardableResult
    private func make<View: Projection>(
        _ view: View,
        generation: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws -> ViewTables {
        var tables: [Table] = []
        for table in View.tables {
            tables.append(try transaction.makeTable(tableName(View.name, generation) + table))
        }
        return ViewTables(tables: tables)
    }

    /// Empties the tables of a generation.
    ///
    /// The named tables remain, because a reader may have them open.
    private func dropTables<View: Projection>(
        of view: View,
        generation: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws {
        for table in View.tables {
            let name = tableName(View.name, generation) + table
            if let table = try transaction.reading.table(name) { try transaction.drop(table, forGood: false) }
        }
    }

    private func tableName(_ view: String, _ generation: UInt64) -> String { "\(view).\(generation % slots)." }

    // MARK: - The catalog

    private func savedState(of name: String, _ transaction: borrowing ReadTransaction) throws -> ViewState? {
        guard let bytes = try transaction.get(key(name), in: catalog) else { return nil }
        return ViewState(bytes)
    }

    private func put(_ state: ViewState, for name: String, _ transaction: borrowing WriteTransaction) throws {
        try transaction.put(key(name), state.bytes.raw, in: catalog)
    }

    private func key(_ name: String) -> Key {
        var key = Key()
        key.append(name.utf8)
        return key
    }
}

extension StorageError.Code {
    /// Reports whether the error means that the file itself cannot be read.
    fileprivate var isOfTheFile: Bool {
        switch self {
        case .corrupted, .notADatabase, .versionMismatch: true
        default: false
        }
    }
}
