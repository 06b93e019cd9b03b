package import FoundationEssentials
internal import LMDB

extension EventLog {
    /// The newest event of a stream.
    package func newest(of stream: UUID) throws(EventLogError) -> StoredEvent? {
        try withHead(of: stream) { position, transaction in
            position == 0 ? nil : try tables.frame(at: position, transaction).copy
        }
    }

    /// How many events a stream has.
    package func version(of stream: UUID) throws(EventLogError) -> UInt64 {
        try withHead(of: stream) { position, transaction in
            position == 0 ? 0 : try tables.frame(at: position, transaction).streamPosition
        }
    }

    /// Events of a stream in order, from a version on.
    package func events(
        of stream: UUID,
        from version: UInt64 = 1,
        limit: Int = 1_000
    ) throws(EventLogError) -> [StoredEvent] {
        try withHead(of: stream) { position, transaction in
            guard position > 0, limit > 0, version > 0 else { return [] }
            let newest = try tables.frame(at: position, transaction).streamPosition
            guard newest >= version else { return [] }
            let last = version + min(newest - version, UInt64(limit) - 1)
            // From the last of the page backwards: each frame names the one before it.
            var next = try tables.position(ofVersion: last, from: position, transaction)
            var events: [StoredEvent] = []
            for _ in version...last {
                let frame = try tables.frame(at: next, transaction)
                events.append(frame.copy)
                next = frame.previous
            }
            return events.reversed()
        }
    }

    /// The event that was appended under an idempotency key.
    package func event(withKey id: UUID) throws(EventLogError) -> StoredEvent? {
        guard id.isNameBased else { return nil }
        guard !isReadOnly else {
            return try scan { frame, found in if found == nil, frame.id == id { found = frame.copy } }
        }
        return try caughtUp { transaction in
            try index.position(ofKey: id, tables, transaction).map { try tables.frame(at: $0, transaction).copy }
        }
    }

    /// Finds the newest event of a stream: in the index, then among what was appended since its checkpoint.
    private func withHead<Result>(
        of stream: UUID,
        _ body: (UInt64, borrowing ReadTransaction) throws -> Result
    ) throws(EventLogError) -> Result {
        // Looked up before the snapshot is taken, so that the index is not ahead of it. A second look settles what another
        // process is changing at this moment.
        for _ in 0..<3 {
            guard let known = index.head(of: stream) else { break }
            let found: Result? = try reading { transaction in
                let head = try tables.head(transaction)
                guard known.position <= head, try index.isOf(known.checkpoint, tables, transaction, head),
                    isReadOnly || head - known.checkpoint.position < EventLog.tailLength
                else { return nil }
                if known.position > 0, try tables.frame(at: known.position, transaction).stream != stream { return nil }
                var newest = known.position
                try tables.frames(after: max(known.checkpoint.position, newest), through: head, transaction) { frame in
                    if frame.stream == stream { newest = frame.position }
                    return true
                }
                return try body(newest, transaction)
            }
            if let found { return found }
        }
        guard !isReadOnly else {
            let newest: UInt64? = try scan { frame, newest in if frame.stream == stream { newest = frame.position } }
            return try reading { transaction in try body(newest ?? 0, transaction) }
        }
        return try caughtUp { transaction in
            try body(index.head(of: stream, tables, transaction).position, transaction)
        }
    }

    /// Reads all headers: for a log that is only read, and has no index that it could bring up to date.
    private func scan<Result>(_ body: (Frame, inout Result?) throws -> Void) throws(EventLogError) -> Result? {
        var result: Result?
        do {
            try forEachFrame(through: head()) { frame in
                try body(frame, &result)
                return true
            }
        } catch {
            throw EventLogError(error, "the log cannot be read")
        }
        return result
    }

    /// Events behind the index's checkpoint that a reader looks through rather than bring the index up to date.
    private static var tailLength: UInt64 { 512 }

    /// Runs `body` when the index is at the log's head, holding the write lock, and commits nothing.
    private func caughtUp<Result>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws(EventLogError) -> Result {
        do throws(EventLogError) {
            return try caughtUpOnce(body)
        } catch {
            guard error.code == .damaged, index.isSuspect else { throw error }
            return try caughtUpOnce(body)
        }
    }

    private func caughtUpOnce<Result>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws(EventLogError) -> Result {
        var result: Result?
        do {
            try environment.write { transaction in
                try index.catchUp(tables, transaction.reading, to: tables.head(transaction.reading))
                result = try body(transaction.reading)
                throw Done()
            }
        } catch is Done {
            // The transaction was taken back: it only held the lock.
        } catch {
            throw EventLogError(error, "the log cannot be read")
        }
        guard let result else { throw EventLogError(.storage, "the log cannot be read") }
        return result
    }

    private struct Done: Error {}
}
