internal import Glibc

extension EventLog {
    /// The machine's clock, in microseconds since 1970.
    package static let clock: @Sendable () -> Int64 = {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension EventLog {
    /// The problem of this machine's clock, if any; while there is one, nothing can be appended.
    package var clockProblem: ClockProblem? {
        get throws(EventLogError) {
            let head = try head()
            return clockGuard.problem(clockGuard.read(), newest: head == 0 ? nil : try event(at: head).recordedAt)
        }
    }

    /// How far the clock must be behind the newest recorded time to be stored with an event, in microseconds.
    private static var worthKeeping: Int64 { 1_000_000 }

    /// The wall clock, if it is more than a second behind the newest recorded time; otherwise nil.
    ///
    /// Recorded times never decrease: after an append under a fast clock they stay the same until the clock catches up.
    package var laggingClock: Int64? {
        let now = now()
        let newest = newestRecordedAt.microseconds
        return newest > now && newest - now > EventLog.worthKeeping ? now : nil
    }

    /// Accepts this machine's clock, although it was changed or is far ahead of the newest event.
    ///
    /// `event` records this decision and is the first event that is appended under the clock.
    @discardableResult
    package func acceptClock(_ event: NewEvent) async throws(EventLogError) -> AppendResult {
        guard try clockProblem != nil else {
            throw EventLogError(.versionConflict, "the clock is trusted already: there is nothing to accept")
        }
        return try await appendAcceptingClock([event])
    }
}
