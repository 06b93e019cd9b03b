internal import FoundationEssentials
internal import LMDB

/// Where each stream ends and which idempotency keys are known: `index/`, kept up to date from the log.
///
/// It catches up by reading frame headers from its checkpoint. That happens only while the log's write lock is held, at
/// the start of an append, so that what the last commit added, whoever made it, is there before anything is decided.
final class StreamIndex: Sendable {
    private let folder: String
    private let path: String
    private let journal: UUID
    private let state = Guarded(Holder())

    private struct Holder {
        var table: PositionTable?
        /// It led to an event that is not the one it should be.
        var isSuspect = false
        /// What this process committed last, which the table does not have yet.
        var news: IndexNews?
    }

    init(folder: JournalFolder, journal: UUID) {
        self.folder = folder.index
        path = folder.index + "/positions"
        self.journal = journal
    }

    /// What the index says of a stream, to be held against the log.
    struct Known {
        /// The stream's newest position, or 0.
        let position: UInt64
        /// Up to where the log is in the index, and the start of that position's leaf hash.
        let checkpoint: (position: UInt64, leaf: UInt64)
    }

    /// The newest position of a stream, as of the index's checkpoint.
    func head(of stream: UUID) -> Known? {
        state.withLock { holder in
            guard let table = current(&holder) else { return nil }
            // Another process may be changing the slot at this moment: a second look settles it.
            for _ in 0..<8 {
                let checkpoint = table.checkpoint
                if let head = try? table.position(of: stream, in: .streamHead) ?? 0 {
                    return Known(position: head, checkpoint: checkpoint)
                }
            }
            return nil
        }
    }

    /// Brings the index up to the log's head, under the log's write lock.
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

    /// Keeps what was just committed for the next catch-up, which then need not read it in the log.
    func note(_ news: IndexNews) {
        state.withLock { $0.news = news }
    }

    /// The newest event of a stream, or 0: under the log's write lock and after `catchUp`.
    ///
    /// What the index names is held against the log. If it is another stream's event, the index `isSuspect`: the caller
    /// begins again, and `catchUp` builds it anew.
    func head(
        of stream: UUID,
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws(EventLogError) -> StreamHead {
        try suspecting {
            guard let position = try position(of: stream, in: .streamHead) else { return .empty }
            let frame = try log.frame(at: position, transaction)
            guard frame.stream == stream else {
                throw EventLogError.damaged("the index leads to an event of another stream", at: position)
            }
            return StreamHead(position: position, version: frame.streamPosition, skip: frame.skip)
        }
    }

    /// The event of an idempotency key; as `head`, held against the log.
    func position(
        ofKey id: UUID,
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws(EventLogError) -> UInt64? {
        try suspecting {
            guard let position = try position(of: id, in: .eventID) else { return nil }
            guard try log.frame(at: position, transaction).id == id else {
                throw EventLogError.damaged("the index leads to another event", at: position)
            }
            return position
        }
    }

    /// Whether the index has led wrong since it was built, so that what failed is worth a second try.
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
        } catch let error as LMDBError {
            throw EventLogError(error)
        } catch {
            state.withLock { $0.isSuspect = true }
            throw error as? EventLogError ?? EventLogError(.damaged, "the index is damaged")
        }
    }

    /// Whether the log has the past that a table ends with.
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

    /// Syncs the index, so that a restart of the machine need not build it again.
    ///
    /// Under the log's write lock: what another process adds meanwhile would pass for synced.
    func close() {
        state.withLock { holder in
            try? holder.table?.markClean()
            holder.table = nil
        }
    }

    private func current(_ holder: inout Holder) -> PositionTable? {
        if let table = holder.table, !table.isSuperseded { return table }
        holder.table = PositionTable(path: path, journal: journal)
        return holder.table
    }

    /// The table with what the log has more; nil when it is damaged.
    private func advanced(
        _ table: PositionTable,
        _ news: IndexNews?,
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
        } catch let error as LMDBError {
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

    /// The table that is being filled, which a larger one may replace on the way.
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
                "the streams of the log do not lead on from event to event; run: healthjournal-replay verify"
            )
        }
    }

    private var pathBeside: String { path + ".new" }

    private func beside(roomFor count: Int) throws -> PositionTable {
        do {
            try DurableFile.makeFolder(folder)
            return try PositionTable(path: pathBeside, journal: journal, roomFor: count)
        } catch {
            // On a full disk a part of it may be there, and take the room of what is needed more.
            try? DurableFile.remove(pathBeside)
            throw error
        }
    }

    /// Puts the new table in the place of an old one, for this process and the others.
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
