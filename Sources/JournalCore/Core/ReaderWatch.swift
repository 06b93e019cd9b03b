internal import Platform

/// A watch of how long the oldest snapshot of the log has been held, from one health check to the next.
///
/// LMDB stores which transaction a reader sees, but not since when: the time counts from the first check that found it.
package final class ReaderWatch: Sendable {
    private let seen = Guarded<(transaction: UInt64, since: ContinuousClock.Instant)?>(nil)

    /// Returns the age of the oldest snapshot in seconds, 0 if there is none.
    package func age(of oldest: (transaction: UInt64, age: UInt64)?) -> Int {
        seen.withLock { seen in
            guard let oldest else {
                seen = nil
                return 0
            }
            let now = ContinuousClock.now
            guard let known = seen, known.transaction == oldest.transaction else {
                seen = (oldest.transaction, now)
                return 0
            }
            return Int((now - known.since).components.seconds)
        }
    }
}
