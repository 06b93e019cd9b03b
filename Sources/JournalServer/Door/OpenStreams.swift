import FoundationEssentials
import HealthJournal
import NIOConcurrencyHelpers

/// The requests that stay open for long, counted so that they leave room for others.
final class OpenStreams: Sendable {
    private let limits: DoorLimits
    private let counts = NIOLockedValueBox<[UUID: Int]>([:])

    init(_ limits: DoorLimits) {
        self.limits = limits
    }

    /// A place among them, given back when it is let go of: also by a request whose answer was never begun.
    final class Place: Sendable {
        private let streams: OpenStreams
        private let account: UUID

        fileprivate init(_ streams: OpenStreams, _ account: UUID) {
            self.streams = streams
            self.account = account
        }

        deinit { streams.leave(account) }
    }

    /// Takes a place for an account, or says that there is none.
    func enter(_ account: UUID) throws(JournalError) -> Place {
        let objection: String? = counts.withLockedValue { counts in
            if counts.values.reduce(0, +) >= limits.streams { return "too many streams are open; try again in a while" }
            if counts[account, default: 0] >= limits.streamsPerAccount {
                return "this account has \(limits.streamsPerAccount) streams open, and no more are allowed: close one"
            }
            counts[account, default: 0] += 1
            return nil
        }
        if let objection { throw JournalError(.busy, objection, retryAfter: 5) }
        return Place(self, account)
    }

    private func leave(_ account: UUID) {
        counts.withLockedValue { counts in
            counts[account, default: 1] -= 1
            if counts[account] == 0 { counts[account] = nil }
        }
    }
}
