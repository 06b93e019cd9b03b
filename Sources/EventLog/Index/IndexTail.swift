internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The events after the index's checkpoint by stream and by idempotency key, for lookups without the log's write lock.
///
/// The index is brought up to date only under that lock, which another process may hold for seconds.
final class IndexTail: Sendable {
    /// A tail of at most this many events is read from the log at each lookup and not cached.
    private static let readAtOnce: UInt64 = 64
    /// The maximum number of events to cache; for a longer tail the index is brought up to date instead, to limit
    /// memory.
    static let longest: UInt64 = 262_144

    private struct Kept {
        /// The events after position `after`, up to and including `through`, are cached.
        var after: UInt64 = 0
        var through: UInt64 = 0
        var heads: [UUID: UInt64] = [:]
        var keys: [UUID: UInt64] = [:]

        mutating func take(_ frame: Frame) {
            heads[frame.stream] = frame.position
            if frame.id.isNameBased, keys[frame.id] == nil { keys[frame.id] = frame.position }
            through = frame.position
        }
    }

    private let kept = Guarded(Kept())

    /// Returns the position of a stream's newest event, or of an idempotency key's event, after `start` and up to
    /// `head`.
    ///
    /// Returns 0 if there is none, and nil if the tail has more than `limit` events. `head` is the head of the
    /// snapshot.
    func position(
        of id: UUID,
        in space: PositionTable.Space,
        after start: UInt64,
        through head: UInt64,
        atMost limit: UInt64 = IndexTail.longest,
        _ log: LogTables,
        _ transaction: borrowing ReadTransaction
    ) throws -> UInt64? {
        guard start < head else { return 0 }
        guard head - start <= limit else { return nil }
        if head - start > IndexTail.readAtOnce, limit <= IndexTail.longest {
            let found: UInt64? = try kept.withLock { kept in
                // Another thread has cached a newer snapshot: the cached positions may be after this snapshot's head.
                guard kept.through <= head else { return nil }
                if kept.after > start || kept.through < start || start - kept.after > IndexTail.longest {
                    kept = Kept(after: start, through: start)
                }
                try log.frames(after: kept.through, through: head, transaction) { frame in
                    kept.take(frame)
                    return true
                }
                let position = (space == .streamHead ? kept.heads[id] : kept.keys[id]) ?? 0
                return position > start ? position : 0
            }
            if let found { return found }
        }
        var found: UInt64 = 0
        try log.frames(after: start, through: head, transaction) { frame in
            switch space {
            case .streamHead:
                if frame.stream == id { found = frame.position }
                return true
            case .eventID:
                if frame.id == id { found = frame.position }
                return found == 0
            }
        }
        return found
    }
}
