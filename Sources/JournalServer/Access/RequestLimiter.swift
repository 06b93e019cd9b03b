import FoundationEssentials
import HealthJournal
import HealthModel
import Platform

/// Limits on the requests of one account, and on the events that record its refusals.
package struct RequestRates: Sendable {
    /// Requests per second that change nothing, and requests per second that may change something; nil for no limit.
    ///
    /// An account may send ten seconds' worth of requests in one burst.
    package var readsPerSecond: Int? = 200
    package var writesPerSecond: Int? = 200
    /// Events that record refusals of one account, per minute; nil for no limit.
    ///
    /// Equal refusals within `refusalWindow` are recorded as one event.
    package var refusalsPerMinute: Int? = 60
    package var refusalWindow: Duration = .seconds(60)

    package init() {}
}

/// Limits the request rate of each account, across all of its tokens and sessions.
final class RequestLimiter: Sendable {
    private struct Key: Hashable {
        let account: UUID
        let isSafe: Bool
    }

    private struct Bucket {
        var left: Double
        var newest: ContinuousClock.Instant
    }

    private let rates: RequestRates
    private let buckets = Guarded<[Key: Bucket]>([:])

    init(_ rates: RequestRates) {
        self.rates = rates
    }

    /// Takes one request from the account's budget; throws `busy` with the time to wait if the budget is empty.
    func admit(_ account: UUID, isSafe: Bool, now: ContinuousClock.Instant = .now) throws(JournalError) {
        guard let rate = (isSafe ? rates.readsPerSecond : rates.writesPerSecond).map(Double.init) else { return }
        let key = Key(account: account, isSafe: isSafe)
        let wait: Double? = buckets.withLock { buckets in
            let most = rate * RequestLimiter.burst
            var bucket = buckets[key] ?? Bucket(left: most, newest: now)
            bucket.left = min(most, bucket.left + max(0, (now - bucket.newest) / .seconds(1)) * rate)
            bucket.newest = now
            defer { buckets[key] = bucket }
            guard bucket.left >= 1 else { return (1 - bucket.left) / rate }
            bucket.left -= 1
            return nil
        }
        guard let wait else { return }
        throw JournalError(
            .busy,
            "this account sends more than \(Int(rate)) requests a second; try again later",
            retryAfter: max(1, Int(wait.rounded(.up)))
        )
    }

    /// The size of the budget, in seconds at the full rate.
    private static let burst = 10.0
}
