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
