extension EventLog {
    /// How often a follower looks whether any process has appended.
    private static var followInterval: Duration { .milliseconds(50) }

    /// Waits until there are events after a position, by whichever process, and answers the log's head.
    package func waitForEvents(after position: UInt64) async throws -> UInt64 {
        var mark = changeMark
        while true {
            let head = try head()
            if head > position { return head }
            while changeMark == mark { try await Task.sleep(for: EventLog.followInterval) }
            mark = changeMark
        }
    }
}
