package import EventLog
package import LMDB

/// The views of a journal: kept up to date from the log, deleted and built anew at will.
package final class ViewStore: Sendable {
    /// Events taken in by one transaction.
    static let pageLength: UInt64 = 16_384

    let log: EventLog
    let environment: Environment
    let catalog: Table
    private let ground: ViewGround
    /// The tables that are open, by projection and generation.
    private let opened = Guarded<[String: ViewTables]>([:])
    /// How far nothing behind a view's checkpoint was found to matter to it.
    private let quiet = Guarded<[String: (state: ViewState, through: UInt64)]>([:])

    /// Opens the views of a log; `mapSize` is address space to reserve, in bytes.
    package init(log: EventLog, mapSize: Int = 1 << 40) throws {
        self.log = log
        try DurableFile.makeFolder(log.folder.views)
        var options = Environment.Options()
        options.isSynced = false
        options.mapSize = mapSize
        options.maximumTables = 256
        do {
            (ground, environment, catalog) = try ViewStore.open(log.folder, options)
        } catch let error as LMDBError where error.code.isOfTheFile {
            // What cannot be read is only a cache, and is built anew.
            try ViewGround.clear(log.folder)
            (ground, environment, catalog) = try ViewStore.open(log.folder, options)
        }
    }

    private static func open(
        _ folder: JournalFolder,
        _ options: Environment.Options
    ) throws -> (ViewGround, Environment, Table) {
        let ground = try ViewGround(folder: folder)
        let environment = try Environment(folder: folder.views, options: options)
        let catalog = try environment.write { transaction in
            try ground.willWrite()
            return try transaction.makeTable("catalog")
        }
        return (ground, environment, catalog)
    }

    /// Brings what was written to the disk, so that a restart of the machine need not build it again.
    package func close() {
        struct Done: Error {}
        // The transaction is taken back: it keeps others from writing between the sync and the word that all was synced.
        try? environment.write { _ in
            try environment.sync()
            try ground.didSync()
            throw Done()
        }
    }

    /// Runs `body` on a snapshot of a view that has taken in all events that the log holds now.
    package func query<View: Projection, Result>(
        _ view: View,
        _ body: (ViewTables, borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        while true {
            let current = try catchUp(view, through: log.head())
            let answer: Result? = try environment.read { transaction in
                // A rebuild may have put other tables in their place since.
                guard try savedState(of: View.name, transaction)?.generation == current.generation else { return nil }
                return try body(current.tables, transaction)
            }
            if let answer { return answer }
        }
    }

    /// Takes in what the log has beyond the view's checkpoint.
    @discardableResult
    package func catchUp<View: Projection>(
        _ view: View,
        through head: UInt64
    ) throws -> (tables: ViewTables, generation: UInt64) {
        if let current = try current(view, at: head) { return current }
        var state = try prepare(view)
        while state.checkpoint < head {
            state = try advance(view, generation: state.generation, through: head) ?? prepare(view)
        }
        return (try tables(of: view, generation: state.generation), state.generation)
    }

    /// Builds a view beside the one that is there, and puts it in its place when it has caught up.
    package func rebuild<View: Projection>(_ view: View, progress: (UInt64, UInt64) -> Void = { _, _ in }) throws {
        let head = try log.head()
        let generation = try write { transaction in
            let used = try savedState(of: View.name, transaction.reading)?.generation ?? 0
            let begun = try savedState(of: View.name + beside, transaction.reading)?.generation ?? 0
            // The slot that is not in use, under a number that no other rebuild has had.
            let next = max(used, begun) + 1
            let generation = next % slots == used % slots ? next + 1 : next
            try dropTables(of: view, generation: generation, transaction)
            try make(view, generation: generation, transaction)
            try put(ViewState(generation: generation, version: View.version), for: View.name + beside, transaction)
            return generation
        }
        var checkpoint: UInt64 = 0
        while checkpoint < head {
            guard let state = try advance(view, row: View.name + beside, generation: generation, through: head) else {
                // Another process has built it in the meantime.
                return
            }
            checkpoint = state.checkpoint
            progress(checkpoint, head)
        }
        try swap(view, to: generation)
    }

    /// How far each view is: what it has taken in, and what was found behind that not to matter to it.
    package func checkpoint<View: Projection>(of view: View) throws -> UInt64 {
        let state = try environment.read { transaction in try savedState(of: View.name, transaction) }
        guard let state else { return 0 }
        let known = quiet.withLock { $0[View.name] }
        return known?.state == state ? known?.through ?? state.checkpoint : state.checkpoint
    }

    // MARK: - Steps

    private let beside = "#beside"
    /// Sets of tables that a view has, used in turn: names of tables are not given back, and there is room for so many.
    private let slots: UInt64 = 2

    /// The view's tables if they are those of this program and have caught up.
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

    /// Events behind a checkpoint that are looked through again rather than written down as taken in.
    private static let longestQuiet: UInt64 = 1_024

    /// Whether no event behind the checkpoint matters to a view: most only tell who looked, and a row for each would be
    /// written for nothing.
    private func isQuiet<View: Projection>(_ view: View, since state: ViewState, through head: UInt64) throws -> Bool {
        guard head - state.checkpoint <= ViewStore.longestQuiet else { return false }
        let known = quiet.withLock { $0[View.name] }
        // The leaf tells that it is still the log that was looked through.
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

    /// Makes sure that there is a view of this version and of this log, if need be an empty one.
    private func prepare<View: Projection>(_ view: View) throws -> ViewState {
        try write { transaction in
            let old = try savedState(of: View.name, transaction.reading)
            if let old, old.version == View.version, try isOfLog(old) { return old }
            let begun = try savedState(of: View.name + beside, transaction.reading)
            let generation = max(old?.generation ?? 0, begun?.generation ?? 0) + 1
            for slot in 0..<slots { try dropTables(of: view, generation: slot, transaction) }
            // A rebuild that is under way would write into the same tables: it ends here.
            try transaction.delete(key(View.name + beside), in: catalog)
            try make(view, generation: generation, transaction)
            let state = ViewState(generation: generation, version: View.version)
            try put(state, for: View.name, transaction)
            return state
        }
    }

    private func advance<View: Projection>(
        _ view: View,
        generation: UInt64,
        through head: UInt64
    ) throws -> ViewState? {
        try advance(view, row: View.name, generation: generation, through: head)
    }

    /// Takes in one page of events; nil when another process has put other tables in their place.
    private func advance<View: Projection>(
        _ view: View,
        row: String,
        generation: UInt64,
        through head: UInt64
    ) throws -> ViewState? {
        do {
            return try take(view, row: row, generation: generation, through: head)
        } catch let fault as ProjectionError {
            // All of the page was taken back, so that nothing of the event at fault stays; what is before it is kept.
            _ = try take(view, row: row, generation: generation, through: fault.position - 1)
            throw fault
        }
    }

    private func take<View: Projection>(
        _ view: View,
        row: String,
        generation: UInt64,
        through head: UInt64
    ) throws -> ViewState? {
        let tables = try tables(of: view, generation: generation)
        return try write { transaction in
            guard var state = try savedState(of: row, transaction.reading), state.generation == generation else {
                return nil
            }
            let last = min(head, state.checkpoint + ViewStore.pageLength)
            guard state.checkpoint < last else { return state }
            try log.forEachFrame(after: state.checkpoint, through: last) { frame in
                if view.handles(type: frame.type) { try apply(view, frame, tables, transaction) }
                state.checkpoint = frame.position
                return true
            }
            if state.checkpoint > 0 { state.leaf = try log.leafStart(at: state.checkpoint) }
            try put(state, for: row, transaction)
            return state
        }
    }

    /// Applies one event; what it does to the projection comes out with its position, what fails outside as it is.
    private func apply<View: Projection>(
        _ view: View,
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        do {
            try view.apply(frame, tables, transaction, log)
        } catch let error as LMDBError {
            throw error
        } catch let error as EventLogError where error.code != .damaged {
            throw error
        } catch {
            throw ProjectionError(projection: View.name, position: frame.position, message: "\(error)")
        }
    }

    private func swap<View: Projection>(_ view: View, to generation: UInt64) throws {
        try write { transaction in
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

    /// Says that what follows is not synced while no other process can say the contrary: inside the transaction.
    private func write<Result>(_ body: (borrowing WriteTransaction) throws -> Result) throws -> Result {
        try environment.write { transaction in
            try ground.willWrite()
            return try body(transaction)
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
    /// Their names stay, for a reader may have them open.
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

extension LMDBError.Code {
    /// Whether the file itself is what cannot be read.
    fileprivate var isOfTheFile: Bool {
        switch self {
        case .corrupted, .notADatabase, .versionMismatch: true
        default: false
        }
    }
}
