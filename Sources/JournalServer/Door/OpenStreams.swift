import FoundationEssentials
import HealthJournal
import NIOConcurrencyHelpers

/// The requests that stay open for long or hold much, counted so that they leave room for others.
final class OpenStreams: Sendable {
    private let most: Int
    private let mostPerAccount: Int
    /// What they are, for whoever finds no place.
    private let what: String
    private let counts = NIOLockedValueBox<[UUID: Int]>([:])

    convenience init(_ limits: DoorLimits) {
        self.init("streams", most: limits.streams, perAccount: limits.streamsPerAccount)
    }

    init(_ what: String, most: Int, perAccount: Int) {
        self.what = what
        self.most = most
        mostPerAccount = perAccount
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
            if counts.values.reduce(0, +) >= most { return "too many \(what) are open; try again in a while" }
            if counts[account, default: 0] >= mostPerAccount {
                return "this account has \(mostPerAccount) \(what) open, and no more are allowed: end one, or wait"
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
