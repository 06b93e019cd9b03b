internal import Dispatch
internal import HealthModel
internal import LMDB

/// Hashes passwords, one at a time and apart from everything else.
///
/// Each takes a tenth of a second and 32 MiB on purpose: many at once must not take the machine from those who are in.
final class PasswordWorker: Sendable {
    /// How many may wait.
    private static let longestQueue = 32

    private let queue = DispatchQueue(label: "org.healthjournal.passwords")
    private let waiting = Guarded(0)
    /// What new passwords are hashed with.
    let cost: PasswordCost
    /// What is compared with where there is nothing to compare with.
    private let dummy: PasswordHash

    init(cost: PasswordCost) {
        self.cost = cost
        let random = (0..<48).map { _ in UInt8.random(in: 0...255) }
        dummy = PasswordHash(salt: Array(random[..<16]), hash: Array(random[16...]), cost: cost)
    }

    func hash(_ password: Password) async throws -> PasswordHash {
        let cost = cost
        return try await run { try password.hash(cost) }
    }

    /// Whether what was typed is what was set; where nothing was, the same work is done for nothing.
    func matches(_ text: String, _ stored: PasswordHash?) async throws -> Bool {
        let password = Password(typed: text)
        let typed = password ?? Password(typed: "nothing that anybody set")
        let compared = stored ?? dummy
        let isEqual = try await run { try typed?.matches(compared) ?? false }
        return isEqual && stored != nil && password != nil
    }

    private func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let isTaken = waiting.withLock { waiting in
            guard waiting < PasswordWorker.longestQueue else { return false }
            waiting += 1
            return true
        }
        guard isTaken else {
            throw JournalError(.busy, "too many sign in at this moment; try again", retryAfter: 2)
        }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
