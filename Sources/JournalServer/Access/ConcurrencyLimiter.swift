import FoundationEssentials
import HealthJournal
import HealthModel
import Platform
import Synchronization

/// Limits how many operations of one kind are in progress at once, for one account and in total.
final class ConcurrencyLimiter: Sendable {
    /// An operation that waits for a slot.
    private struct Waiter {
        let number: UInt64
        let account: UUID
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private enum Outcome {
        case granted
        case cancelled
        case refused(Message)
    }

    private struct State {
        var inProgress: [UUID: Int] = [:]
        /// In the order in which they asked.
        var waiting: [Waiter] = []
        var number: UInt64 = 0
    }

    /// The plural of the operation, for error messages.
    private let operations: String
    private let total: Int
    private let perAccount: Int
    private let waitingPerAccount: Int
    /// How long a client that was refused should wait before it retries, in seconds.
    private let retryAfter: Int
    private let state = Guarded(State())

    /// `waitingPerAccount` operations of an account may wait for a slot, if their callers do not prefer to be refused.
    init(_ operations: String, total: Int, perAccount: Int, waitingPerAccount: Int = 0, retryAfter: Int = 5) {
        self.operations = operations
        self.total = total
        self.perAccount = perAccount
        self.waitingPerAccount = waitingPerAccount
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
        if let refusal = state.withLock({ take(account, &$0) }) {
            throw JournalError(.busy, refusal, retryAfter: retryAfter)
        }
        return Slot(self, account)
    }

    /// Takes a slot for an account; waits for one, or throws `busy` if too many operations of the account wait already.
    ///
    /// Throws `CancellationError` if the task is cancelled while it waits.
    func acquireOrWait(for account: UUID) async throws -> Slot {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    // The cancellation handler removes the waiter only if it comes later.
                    if Task.isCancelled { return .cancelled }
                    guard let refusal = take(account, &state) else { return .granted }
                    guard state.waiting.count(where: { $0.account == account }) < waitingPerAccount else {
                        return .refused(refusal)
                    }
                    state.waiting.append(Waiter(number: number, account: account, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: .cancelled)
        }
        switch outcome {
        case .granted: return Slot(self, account)
        case .cancelled: throw CancellationError()
        case .refused(let refusal): throw JournalError(.busy, refusal, retryAfter: retryAfter)
        }
    }

    /// How many operations wait for a slot.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Counts an operation; returns why it cannot be in progress now, or nil if it is.
    private func take(_ account: UUID, _ state: inout State) -> Message? {
        if state.inProgress[account, default: 0] >= perAccount {
            return """
                this account has reached its limit of concurrent \(operations) (\(perAccount)); wait until one ends
                """
        }
        if state.inProgress.values.reduce(0, +) >= total {
            return "the service has reached its limit of concurrent \(operations); try again in a few seconds"
        }
        state.inProgress[account, default: 0] += 1
        return nil
    }

    private func release(_ account: UUID) {
        let granted = state.withLock { state in
            state.inProgress[account, default: 1] -= 1
            if state.inProgress[account] == 0 { state.inProgress[account] = nil }
            let next = state.waiting.indices.first { take(state.waiting[$0].account, &state) == nil }
            return next.map { state.waiting.remove(at: $0) }
        }
        granted?.continuation.resume(returning: .granted)
    }
}
