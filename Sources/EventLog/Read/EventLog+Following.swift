extension EventLog {
    /// How often a follower looks whether any process has appended.
    private static var followInterval: Duration { .milliseconds(50) }

    /// Waits until there are events after a position, by whichever process, and answers the log's head.
    ///
    /// Answers a head that is no further when there were none in that time.
    package func waitForEvents(after position: UInt64, atMost limit: Duration? = nil) async throws -> UInt64 {
        let end = limit.map { ContinuousClock.now + $0 }
        while true {
            // A snapshot's own word: LMDB tells of a transaction a sync's length before it can be read.
            let head = try head()
            if head > position { return head }
            if let end, ContinuousClock.now >= end { return head }
            try await Task.sleep(for: EventLog.followInterval)
        }
    }
}
