internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The index in `index/` of each stream's newest event and of all idempotency keys, derived from the log.
///
/// It catches up by reading the frame headers after its checkpoint, only while the log's write lock is held. Each
/// append starts with a catch-up, so that its decision takes all commits into account, including those of other
/// processes. A lookup that cannot use the index as it is takes the lock and catches up too.
final class StreamIndex: Sendable {
    private let folder: String
    private let path: String
    private let journal: UUID
    private let state = Guarded(Holder())

    private struct Holder {
        var table: PositionTable?
        /// A lookup found damage or an event other than the requested one, so the table must be rebuilt.
        var isSuspect = false
        /// The changes of this process's last commit, which the table does not contain yet.
        var news: IndexChanges?
    }

    init(folder: JournalFolder, journal: UUID) {
        self.folder = folder.index
        path = folder.index + "/positions"
        self.journal = journal
    }

    /// The index entry of a stream or an idempotency key, to be checked against the log.
    struct Known {
        /// The position, or 0.
        let position: UInt64
        /// The position up to which the index covers the log, and the first eight bytes of that position's leaf hash.
        let checkpoint: (position: UInt64, leaf: UInt64)
    }

    /// Returns the position of an id as of the index's checkpoint, or nil if there is no usable index.
    ///
    /// Takes no lock of the log.
    func lookUp(_ id: UUID, in space: PositionTable.Space) -> Known? {
        state.withLock { holder in
            guard let table = current(&holder) else { return nil }
            // Another process may be changing the slot at this moment, so a failed lookup is repeated.
            for _ in 0..<8 {
                let checkpoint = table.checkpoint
                if let head = try? table.position(of: id, in: space) ?? 0 {
                    return Known(position: head, checkpoint: checkpoint)
                }
            }
            return nil
        }
    }

    /// Brings the index up to the log's head; the caller holds the log's write lock.
    func catchUp(
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction,
        to head: UInt64
    ) throws(EventLogError) {
        try locked { holder throws(EventLogError) in
            let old = current(&holder)
            let news = holder.news
            (holder.table, holder.news) = (nil, nil)
            if let old, !holder.isSuspect, try isOf(old.checkpoint, log, transaction, head),
                let advanced = try advanced(old, news, log, transaction, to: head)
            {
                holder.table = advanced
            } else {
                holder.table = try rebuild(log, transaction, to: head, superseding: old)
                holder.isSuspect = false
            }
        }
    }

    /// Keeps the changes of a commit for the next catch-up, which then does not have to read them from the log.
    func note(_ news: IndexChanges) {
        state.withLock { $0.news = news }
    }

    /// Returns the head of a stream, or `StreamHead.empty` if the stream has no events.
    ///
    /// The caller holds the log's write lock and has called `catchUp`. The position is checked against the log. If it
    /// belongs to an event of another stream, this throws and sets `isSuspect`: the caller retries, and `catchUp`
    /// rebuilds the index.
    func head(
        of stream: UUID,
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws(EventLogError) -> StreamHead {
        try suspecting {
            guard let position = try position(of: stream, in: .streamHead) else { return .empty }
            let frame = try log.frame(at: position, transaction)
            guard frame.stream == stream else {
                throw EventLogError.damaged("the index points to an event of another stream", at: position)
            }
            return StreamHead(position: position, version: frame.streamPosition, skip: frame.skip)
        }
    }

    /// Returns the position of an idempotency key's event, checked against the log as in `head`.
    func position(
        ofKey id: UUID,
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws(EventLogError) -> UInt64? {
        try suspecting {
            guard let position = try position(of: id, in: .eventID) else { return nil }
            guard try log.frame(at: position, transaction).id == id else {
                throw EventLogError.damaged("the index points to another event", at: position)
            }
            return position
        }
    }

    /// Whether a lookup in the index has failed since it was built, so that the failed operation is worth a retry.
    var isSuspect: Bool { state.withLock { $0.isSuspect } }

    private func position(of id: UUID, in space: PositionTable.Space) throws -> UInt64? {
        try locked { holder throws(EventLogError) in
            do {
                return try holder.table?.position(of: id, in: space)
            } catch {
                throw EventLogError(.damaged, "the index is damaged")
            }
        }
    }

    private func suspecting<Result>(_ body: () throws -> Result) throws(EventLogError) -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            throw EventLogError(error)
        } catch {
            state.withLock { $0.isSuspect = true }
            throw error as? EventLogError ?? EventLogError(.damaged, "the index is damaged")
        }
    }

    /// Reports whether a table's checkpoint belongs to this log.
    func isOf(
        _ checkpoint: (position: UInt64, leaf: UInt64),
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction,
        _ head: UInt64
    ) throws(EventLogError) -> Bool {
        guard checkpoint.position > 0 else { return true }
        guard checkpoint.position <= head else { return false }
        return try log.leafStart(at: checkpoint.position, transaction) == checkpoint.leaf
    }

    /// Syncs the index to disk and returns the position it covered, or nil if nothing was synced.
    ///
    /// Takes no lock of the log: if another process adds events meanwhile, the position changes and `markClean` does
    /// nothing.
    func sync() -> UInt64? {
        state.withLock { holder in
            guard let table = holder.table, !table.isSuperseded, table.isDirty else { return nil }
            let position = table.checkpoint.position
            return (try? table.sync()) == nil ? nil : position
        }
    }

    /// Marks the index as synced, unless it was changed since `sync`, so that it need not be rebuilt after a reboot.
    ///
    /// The caller holds the log's write lock: otherwise a concurrent change of another process would count as synced.
    func markClean(ifStill position: UInt64) {
        state.withLock { holder in
            guard let table = holder.table, !table.isSuperseded, table.checkpoint.position == position else { return }
            // Without the mark, the index is rebuilt after a reboot.
            try? table.markClean()
        }
    }

    func close() {
        state.withLock { $0.table = nil }
    }

    private func current(_ holder: inout Holder) -> PositionTable? {
        if let table = holder.table, !table.isSuperseded { return table }
        holder.table = PositionTable(path: path, journal: journal)
        return holder.table
    }

    /// Returns the table with the events up to `head` added, or nil if it is damaged.
    private func advanced(
        _ table: PositionTable,
        _ news: IndexChanges?,
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction,
        to head: UInt64
    ) throws(EventLogError) -> PositionTable? {
        do {
            if let news, news.after == table.checkpoint.position, news.through == head,
                table.hasRoom(for: news.newCount)
            {
                try table.markDirty()
                try news.write(to: table)
                table.checkpoint = (head, try log.leafStart(at: head, transaction))
                return table
            }
            return try advance(table, log, transaction, to: head)
        } catch is PositionTable.Damaged {
            return nil
        } catch let error as StorageError {
            throw EventLogError(error)
        } catch {
            throw error as? EventLogError ?? EventLogError(.storage, "the index cannot be brought up to date")
        }
    }

    private func advance(
        _ table: PositionTable,
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction,
        to head: UInt64
    ) throws -> PositionTable {
        let start = table.checkpoint.position
        guard start < head else { return table }
        try table.markDirty()
        let filled = Filling(table)
        try log.frames(after: start, through: head, transaction) { frame in
            if filled.table.isFull { filled.table = try enlarge(filled.table) }
            try take(frame, into: filled.table)
            return true
        }
        filled.table.checkpoint = (head, try log.leafStart(at: head, transaction))
        return filled.table
    }

    /// Holds the table that is being filled, which a larger one may replace meanwhile.
    private final class Filling {
        var table: PositionTable

        init(_ table: PositionTable) {
            self.table = table
        }
    }

    private func take(_ frame: Frame, into table: PositionTable) throws {
        let known = try table.position(of: frame.stream, in: .streamHead) ?? 0
        if known < frame.position {
            guard known == frame.previous else { throw PositionTable.Damaged() }
            try table.set(frame.stream, in: .streamHead, to: frame.position)
        }
        if frame.id.isNameBased, try table.position(of: frame.id, in: .eventID) == nil {
            try table.set(frame.id, in: .eventID, to: frame.position)
        }
    }

    private func enlarge(_ table: PositionTable) throws -> PositionTable {
        let larger = try beside(roomFor: Int(table.count))
        try table.copy(into: larger)
        try putInPlace(superseding: table)
        return larger
    }

    private func rebuild(
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction,
        to head: UInt64,
        superseding old: PositionTable?
    ) throws(EventLogError) -> PositionTable {
        do {
            let table = try beside(roomFor: 0)
            try putInPlace(superseding: old)
            return try advance(table, log, transaction, to: head)
        } catch {
            throw EventLogError(
                error,
                as: .damaged,
                "the stream links of the log are damaged; run: healthjournal-replay verify"
            )
        }
    }

    private var pathBeside: String { path + ".new" }

    private func beside(roomFor count: Int) throws -> PositionTable {
        do {
            try DurableFile.makeFolder(folder)
            return try PositionTable(path: pathBeside, journal: journal, roomFor: count)
        } catch {
            // On a full disk a part of the file may exist and take space that is needed more urgently.
            try? DurableFile.remove(pathBeside)
            throw error
        }
    }

    /// Replaces the old table with the new one, for this and all other processes.
    private func putInPlace(superseding old: PositionTable?) throws {
        try DurableFile.rename(pathBeside, to: path)
        old?.markSuperseded()
    }

    private func locked<Result: Sendable>(
        _ body: (inout Holder) throws(EventLogError) -> Result
    ) throws(EventLogError) -> Result {
        try state.withLock { holder throws(EventLogError) in try body(&holder) }
    }
}
