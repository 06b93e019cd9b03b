package import FoundationEssentials
internal import LMDB

extension EventLog {
    /// Returns the newest event of a stream, or nil if the stream has no events.
    package func newest(of stream: UUID) throws(EventLogError) -> StoredEvent? {
        try withHead(of: stream) { position, transaction in
            position == 0 ? nil : try tables.frame(at: position, transaction).copy
        }
    }

    /// Returns the number of events in a stream.
    package func version(of stream: UUID) throws(EventLogError) -> UInt64 {
        try withHead(of: stream) { position, transaction in
            position == 0 ? 0 : try tables.frame(at: position, transaction).streamPosition
        }
    }

    /// Returns up to `limit` events of a stream in order, starting at a version.
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
            // Reads backwards from the last event of the page: each frame contains the position of the previous one.
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

    /// Returns the event that was appended under an idempotency key, or nil if there is none.
    ///
    /// Takes no lock of the log and does not wait for a writer, unless the index is unusable or lags too far: then it
    /// takes the write lock and catches up. An event that is being appended at this moment may be missed: the writer
    /// checks each append for the key again.
    package func event(withKey id: UUID) throws(EventLogError) -> StoredEvent? {
        guard id.isNameBased else { return nil }
        return try withPosition(of: id, in: .eventID) { position, transaction in
            position == 0 ? nil : try tables.frame(at: position, transaction).copy
        }
    }

    /// Finds the newest event of a stream and calls `body` with its position.
    private func withHead<Result>(
        of stream: UUID,
        _ body: (UInt64, borrowing ReadTransaction) throws -> Result
    ) throws(EventLogError) -> Result {
        try withPosition(of: stream, in: .streamHead, body)
    }

    /// Finds the newest event of a stream, or the event of a key, in the index and among the events appended since.
    ///
    /// Calls `body` with its position, or with 0 if there is none.
    private func withPosition<Result>(
        of id: UUID,
        in space: PositionTable.Space,
        _ body: (UInt64, borrowing ReadTransaction) throws -> Result
    ) throws(EventLogError) -> Result {
        // The index is read before the snapshot is taken, so that it is not ahead of the snapshot. If another process
        // changes the index at this moment, the lookup is repeated.
        for _ in 0..<3 {
            guard let known = index.lookUp(id, in: space) else { break }
            let found: Result? = try reading { transaction in
                let head = try tables.head(transaction)
                guard known.position <= head, try index.isOf(known.checkpoint, tables, transaction, head),
                    try known.position == 0 || isEvent(at: known.position, of: id, in: space, transaction),
                    let behind = try tail.position(
                        of: id,
                        in: space,
                        after: max(known.checkpoint.position, space == .streamHead ? known.position : 0),
                        through: head,
                        atMost: isReadOnly ? .max : IndexTail.longest,
                        tables,
                        transaction
                    )
                else { return nil }
                // For a stream, the newest event; for a key, the first.
                return try body(
                    space == .streamHead || known.position == 0 ? max(known.position, behind) : known.position,
                    transaction
                )
            }
            if let found { return found }
        }
        guard !isReadOnly else {
            let position: UInt64? = try scan { frame, found in
                switch space {
                case .streamHead: if frame.stream == id { found = frame.position }
                case .eventID: if found == nil, frame.id == id { found = frame.position }
                }
            }
            return try reading { transaction in try body(position ?? 0, transaction) }
        }
        return try caughtUp { transaction in
            switch space {
            case .streamHead: try body(index.head(of: id, tables, transaction).position, transaction)
            case .eventID: try body(index.position(ofKey: id, tables, transaction) ?? 0, transaction)
            }
        }
    }

    /// Reports whether the event at a position belongs to that stream or key.
    private func isEvent(
        at position: UInt64,
        of id: UUID,
        in space: PositionTable.Space,
        _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        let frame = try tables.frame(at: position, transaction)
        return space == .streamHead ? frame.stream == id : frame.id == id
    }

    /// Reads the headers of all events, for a log opened read-only, whose index cannot be brought up to date.
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

    /// Brings the index up to the log's head and runs `body`, holding the log's write lock and committing nothing.
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

    /// May use the disk reserve, because a read may need the index.

    private func caughtUpOnce<Result>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws(EventLogError) -> Result {
        try spendingReserve(at: folder.index) { () throws(EventLogError) in
            do {
                return try environment.withWriteLock { transaction in
                    try index.catchUp(tables, transaction, to: tables.head(transaction))
                    return try body(transaction)
                }
            } catch {
                throw EventLogError(error, "the log cannot be read")
            }
        }
    }
}
