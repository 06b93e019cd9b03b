internal import LMDB

extension EventLog {
    /// The maximum number of events read in one snapshot, so that no reader keeps LMDB from reusing old pages for long.
    package static let pageLength: UInt64 = 4_096

    /// Returns the position of the newest event, or 0.
    package func head() throws(EventLogError) -> UInt64 {
        try reading { transaction in try tables.head(transaction) }
    }

    /// Calls `body` with each frame after `start` up to `end` or the head, in order, until it returns false.
    ///
    /// A frame is not valid after the call of `body`.
    package func forEachFrame(
        after start: UInt64 = 0,
        through end: UInt64,
        _ body: (Frame) throws -> Bool
    ) throws {
        var done = start
        var goesOn = true
        let end = try min(end, head())
        while done < end, goesOn {
            let last = done + min(end - done, EventLog.pageLength)
            try environment.read { transaction in
                try tables.frames(after: done, through: last, transaction) { frame in
                    goesOn = try body(frame)
                    return goesOn
                }
            }
            done = last
        }
    }

    /// Returns copies of up to `limit` events after a position.
    package func events(after start: UInt64, limit: Int = 1_000) throws(EventLogError) -> [StoredEvent] {
        try reading { transaction in
            let head = try tables.head(transaction)
            guard start < head, limit > 0 else { return [] }
            // In a mirror, the next events may be far away.
            let end = isMirror ? head : start + min(head - start, UInt64(limit))
            var events: [StoredEvent] = []
            try tables.frames(after: start, through: end, transaction) { frame in
                events.append(frame.copy)
                return events.count < limit
            }
            return events
        }
    }

    /// Returns the event at a position.
    package func event(at position: UInt64) throws(EventLogError) -> StoredEvent {
        try reading { transaction in try tables.frame(at: position, transaction).copy }
    }

    /// Returns the event at a position; of a mirror without an event there, the newest one before it.
    package func event(atOrBefore position: UInt64) throws(EventLogError) -> StoredEvent {
        try reading { transaction in
            let found = tables.isMirror ? try tables.position(atOrBefore: position, transaction) : position
            return try tables.frame(at: found, transaction).copy
        }
    }

    /// Returns the first eight bytes of a position's leaf hash: enough to distinguish this log from another.
    package func leafStart(at position: UInt64) throws(EventLogError) -> UInt64 {
        try reading { transaction in try tables.leafStart(at: position, transaction) }
    }

    /// Returns the decrypted payload of an event, or throws `subjectErased` if its subject or its entry was
    /// erased.
    package func open(_ event: StoredEvent) throws(EventLogError) -> [UInt8] {
        try FrameSeal.open(event.bytes.raw, key: keys.key(of: event.bytes.raw), at: event.position)
    }

    /// Returns the decrypted payload of a frame, inside its snapshot.
    package func open(_ frame: Frame) throws(EventLogError) -> [UInt8] {
        try FrameSeal.open(frame.bytes, key: keys.key(of: frame.bytes), at: frame.position)
    }

    /// Returns the position of the newest event whose recorded time is not later than the given time, or 0.
    ///
    /// The search is binary, because recorded times never decrease.
    package func position(recordedUpTo microseconds: Int64) throws(EventLogError) -> UInt64 {
        try reading { transaction in
            var low: UInt64 = 0
            var high = try tables.head(transaction)
            while low < high {
                let middle = low + (high - low + 1) / 2
                if try tables.recordedAt(atOrBefore: middle, transaction) <= microseconds {
                    low = middle
                } else {
                    high = middle - 1
                }
            }
            return tables.isMirror ? try tables.position(atOrBefore: low, transaction) : low
        }
    }

    /// Runs `body` on a snapshot, and converts its errors to `EventLogError`.
    func reading<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws(EventLogError) -> Result {
        do {
            return try environment.read(body)
        } catch {
            throw EventLogError(error, "the log cannot be read")
        }
    }
}

extension EventLog {
    /// The interval at which a follower checks whether any process has appended events.
    private static var followInterval: Duration { .milliseconds(50) }

    /// Waits until any process has appended events after a position, and returns the log's head.
    ///
    /// Returns a head that is not after the position if no events were appended within `limit`.
    package func waitForEvents(after position: UInt64, atMost limit: Duration? = nil) async throws -> UInt64 {
        let end = limit.map { ContinuousClock.now + $0 }
        while true {
            // The head is read in a snapshot: LMDB reports a transaction before its sync ends, and so before it can be
            // read.
            let head = try head()
            if head > position { return head }
            if let end, ContinuousClock.now >= end { return head }
            try await Task.sleep(for: EventLog.followInterval)
        }
    }
}
