internal import Dispatch
internal import EventLog
internal import HealthModel
internal import Platform

/// A worker that hashes passwords one at a time, on a queue of its own.
///
/// Each hash takes a tenth of a second and 32 MiB on purpose, so many concurrent sign-ins must not starve the requests
/// of users who are signed in.
final class PasswordWorker: Sendable {
    /// The maximum number of hashes that are queued or running.
    private static let longestQueue = 32

    private let queue = DispatchQueue(label: "org.healthjournal.passwords")
    private let waiting = Guarded(0)
    /// The cost of new password hashes.
    let cost: PasswordCost
    /// The hash to compare with if an account has no password.
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

    /// Reports whether a text matches the stored password; does the same work if there is no stored password.
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
            throw JournalError(.busy, "too many people are signing in at this moment; try again", retryAfter: 2)
        }
        defer { waiting.withLock { $0 -= 1 } }
        return try await BlockingWork.run(on: queue, body)
    }
}
