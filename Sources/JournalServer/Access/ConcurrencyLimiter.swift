import FoundationEssentials
import HealthJournal
import Platform
import Synchronization

/// Limits how many operations of one kind are in progress at once, for one account and in total.
final class ConcurrencyLimiter: Sendable {
    /// The plural of the operation, for error messages.
    private let operations: String
    private let total: Int
    private let perAccount: Int
    /// How long a client that was refused should wait before it retries, in seconds.
    private let retryAfter: Int
    private let inProgress = Guarded<[UUID: Int]>([:])

    init(_ operations: String, total: Int, perAccount: Int, retryAfter: Int = 5) {
        self.operations = operations
        self.total = total
        self.perAccount = perAccount
        self.retryAfter = retryAfter
    }

    /// One operation in progress, until it is ended or the slot is no longer referenced.
    ///
    /// A response that is never sent, or that is cut off, gives its slot back like any other.
    final class Slot: Sendable {
        private let limiter: ConcurrencyLimiter
        private let account: UUID
        private let isTaken = Atomic(true)

        fileprivate init(_ limiter: ConcurrencyLimiter, _ account: UUID) {
            self.limiter = limiter
            self.account = account
        }

        deinit { end() }

        /// Gives the slot back.
        ///
        /// A response that is sent in parts does so before its last part, so that a client that has received all of it
        /// can make the next request at once.
        func end() {
            if isTaken.exchange(false, ordering: .relaxed) { limiter.release(account) }
        }
    }

    /// Takes a slot for an account, or throws `busy` at once.
    func acquire(for account: UUID) throws(JournalError) -> Slot {
        let refusal: String? = inProgress.withLock { inProgress in
            if inProgress[account, default: 0] >= perAccount {
                return "this account has reached its limit of concurrent \(operations) (\(perAccount)); "
                    + "wait until one ends"
            }
            if inProgress.values.reduce(0, +) >= total {
                return "the service has reached its limit of concurrent \(operations); try again in a few seconds"
            }
            inProgress[account, default: 0] += 1
            return nil
        }
        if let refusal { throw JournalError(.busy, refusal, retryAfter: retryAfter) }
        return Slot(self, account)
    }

    private func release(_ account: UUID) {
        inProgress.withLock { inProgress in
            inProgress[account, default: 1] -= 1
            if inProgress[account] == 0 { inProgress[account] = nil }
        }
    }
}
