internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The tables of `log/`, with functions that read their rows.
struct LogTables: Sendable {
    /// Global position → frame.
    let events: Table
    /// Global position → the hashes of the tree that the leaf at this position completes.
    let tree: Table
    /// The journal's description and its hash.
    let meta: Table
    /// Whether positions may be missing, and no Merkle tree is kept: see `EventLog.Options.isMirror`.
    let isMirror: Bool

    init(making transaction: borrowing WriteTransaction, isMirror: Bool = false) throws(StorageError) {
        self.isMirror = isMirror
        events = try transaction.makeTable("events")
        tree = try transaction.makeTable("tree")
        meta = try transaction.makeTable("meta")
    }

    init?(opening transaction: borrowing ReadTransaction) throws(StorageError) {
        guard let events = try transaction.table("events"), let tree = try transaction.table("tree"),
            let meta = try transaction.table("meta")
        else { return nil }
        self.events = events
        self.tree = tree
        self.meta = meta
        isMirror = try transaction.get(Key(LogTables.mirrorKey), in: meta) != nil
    }

    /// The row of `meta` that says that the log is a mirror.
    static let mirrorKey = Array("mirror".utf8)

    /// Returns the position of the newest event, or 0.
    func head(_ transaction: borrowing ReadTransaction) throws(StorageError) -> UInt64 {
        let cursor = try transaction.cursor(in: events)
        guard let row = try cursor.last(), row.key.byteCount == 8 else { return 0 }
        return row.key.bigEndian(at: 0)
    }

    @_lifetime(borrow transaction)
    func frame(at position: UInt64, _ transaction: borrowing ReadTransaction) throws -> Frame {
        guard let bytes = try transaction.get(Key(position), in: events) else {
            throw EventLogError.damaged("there is no event", at: position)
        }
        return try Frame(bytes, at: position)
    }

    /// Returns the position of the newest event of a mirror up to a position, or 0.
    func position(atOrBefore position: UInt64, _ transaction: borrowing ReadTransaction) throws -> UInt64 {
        let cursor = try transaction.cursor(in: events)
        guard let row = try cursor.seekBack(Key(position)), row.key.byteCount == 8 else { return 0 }
        return row.key.bigEndian(at: 0)
    }

    /// Returns the recorded time of the event at a position; of a mirror, that of the newest event up to there.
    func recordedAt(atOrBefore position: UInt64, _ transaction: borrowing ReadTransaction) throws -> Int64 {
        guard isMirror else { return try frame(at: position, transaction).recordedAt }
        let newest = try self.position(atOrBefore: position, transaction)
        return newest == 0 ? .min : try frame(at: newest, transaction).recordedAt
    }

    /// Calls `body` with each frame in order until it returns false.
    func frames(
        after start: UInt64,
        through end: UInt64,
        _ transaction: borrowing ReadTransaction,
        _ body: (Frame) throws -> Bool
    ) throws {
        guard start < end else { return }
        let cursor = try transaction.cursor(in: events)
        var expected = start + 1
        var row = try cursor.seek(Key(expected))
        while let found = row, expected <= end {
            guard found.key.byteCount == 8 else { throw EventLogError.damaged("there is no event", at: expected) }
            let position = found.key.bigEndian(at: 0, as: UInt64.self)
            if isMirror {
                if position > end { return }
                expected = position
            }
            guard position == expected else { throw EventLogError.damaged("there is no event", at: expected) }
            guard try body(Frame(found.value, at: expected)) else { return }
            expected += 1
            row = expected <= end ? try cursor.next() : nil
        }
        guard isMirror || expected > end else { throw EventLogError.damaged("there is no event", at: expected) }
    }

    /// Returns the first eight bytes of the leaf hash of a position.
    func leafStart(at position: UInt64, _ transaction: borrowing ReadTransaction) throws(EventLogError) -> UInt64 {
        let start: UInt64?
        do throws(StorageError) {
            if let row = try transaction.get(Key(position), in: tree), row.byteCount >= MerkleHash.length {
                start = row.integer(at: 0)
            } else {
                start = nil
            }
        } catch {
            throw EventLogError(error)
        }
        guard let start else { throw .damaged("the tree has no hash", at: position) }
        return start
    }

    /// Returns the stored frontier of the Merkle tree with `size` leaves.
    func frontier(ofSize size: UInt64, _ transaction: borrowing ReadTransaction) throws -> Frontier {
        var peaks: [MerkleHash] = []
        for (position, level) in Frontier.peaks(ofSize: size) {
            guard let row = try transaction.get(Key(position), in: tree) else {
                throw EventLogError.damaged("the tree has no hash", at: position)
            }
            peaks.append(try TreeRow.hash(level: level, in: row, at: position))
        }
        return Frontier(size: size, peaks: peaks)
    }

    /// Returns the position of version `wanted` of a stream, found from a later event of the stream in O(log n) reads.
    func position(
        ofVersion wanted: UInt64,
        from newest: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws -> UInt64 {
        var position = newest
        while true {
            let frame = try frame(at: position, transaction)
            let version = frame.streamPosition
            if version == wanted { return position }
            guard version > wanted else { throw EventLogError.damaged("the stream's links are damaged", at: position) }
            let next = version & (version - 1) >= wanted ? frame.skip : frame.previous
            guard next > 0, next < position else {
                throw EventLogError.damaged("the stream's links are damaged", at: position)
            }
            position = next
        }
    }
}
