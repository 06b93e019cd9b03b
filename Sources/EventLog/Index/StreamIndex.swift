internal import FoundationEssentials
internal import LMDB
internal import Synchronization

/// Where each stream ends and which idempotency keys are known: `index/`, kept up to date from the log.
///
/// It catches up by reading frame headers from its checkpoint. That happens only while the log's write lock is held, at
/// the start of an append, so that what the last commit added, whoever made it, is there before anything is decided.
final class StreamIndex: Sendable {
    private let path: String
    private let journal: UUID
    private let state = Mutex(Holder())

    /// A class in a struct, so that the lock owns it.
    private struct Holder: ~Copyable {
        var table: PositionTable?
    }

    init(folder: JournalFolder, journal: UUID) {
        path = folder.index + "/positions"
        self.journal = journal
    }

    /// The newest position of a stream, as of the index's checkpoint, which is given too.
    func head(of stream: UUID) -> (position: UInt64, checkpoint: UInt64)? {
        state.withLock { holder in
            guard let table = current(&holder) else { return nil }
            // Another process may be changing the slot at this moment: a second look settles it.
            for _ in 0..<8 {
                let checkpoint = table.checkpoint.position
                if let head = try? table.position(of: stream, in: .streamHead) ?? 0 { return (head, checkpoint) }
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
            holder.table = nil
            if let old, try isOf(old, log, transaction, head),
                let advanced = try? advance(old, log, transaction, to: head)
            {
                holder.table = advanced
            } else {
                holder.table = try rebuild(log, transaction, to: head, superseding: old)
            }
        }
    }

    /// The position kept for an id, under the log's write lock and after `catchUp`.
    func position(of id: UUID, in space: PositionTable.Space) throws(EventLogError) -> UInt64? {
        try locked { holder throws(EventLogError) in
            do {
                return try holder.table?.position(of: id, in: space)
            } catch {
                holder.table?.markSuperseded()
                holder.table = nil
                throw EventLogError(.damaged, "the index was damaged; try again, it is being built anew")
            }
        }
    }

    /// Syncs the index, so that a restart of the machine need not build it again.
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

    /// A table that knows another past than the log's is not the log's.
    private func isOf(_ table: PositionTable, _ log: LogTables, _ transaction: borrowing ReadTransaction, _ head: UInt64) throws(EventLogError) -> Bool {
        let checkpoint = table.checkpoint
        guard checkpoint.position > 0 else { return true }
        guard checkpoint.position <= head else { return false }
        return try log.leafStart(at: checkpoint.position, transaction) == checkpoint.leaf
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
        let larger = try beside(roomFor: Int(table.count) * 2)
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
        } catch let error as EventLogError {
            throw error
        } catch let error as LMDBError {
            throw EventLogError(error)
        } catch {
            throw EventLogError(
                .damaged,
                "the streams of the log do not lead on from event to event; run: healthjournal-replay verify"
            )
        }
    }

    private var pathBeside: String { path + ".new" }

    private func beside(roomFor count: Int) throws -> PositionTable {
        try PositionTable(path: pathBeside, journal: journal, roomFor: count)
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
