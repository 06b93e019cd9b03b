internal import FoundationEssentials
internal import HealthModel
internal import Platform

/// Lets those who decide on the same streams take turns within this process, first come, first served.
///
/// This is fairness alone: that no two decisions contradict each other is ensured by the versions that each append
/// expects.
final class Turns: Sendable {
    private let queues = Guarded<[UUID: [Waiting]]>([:])
    /// What those are told who would wait behind too many others.
    private let busy: Message

    /// The maximum number of callers that wait for one stream.
    package static let maximumWaiting = 256

    package init(busy: Message = "too many people book this at the same time; try again in a moment") {
        self.busy = busy
    }

    private enum Waiting {
        /// The caller that has the turn.
        case current
        case next(CheckedContinuation<Void, Never>)
    }

    /// Runs `body` with the turn on all of some streams.
    package func take<Result>(_ streams: some Collection<UUID>, _ body: () async throws -> Result) async throws
        -> Result
    {
        var taken: [UUID] = []
        // In ascending order, so that two callers never wait for each other.
        defer { for stream in taken.reversed() { pass(stream) } }
        for stream in Set(streams).sorted() {
            try await wait(for: stream)
            taken.append(stream)
        }
        return try await body()
    }

    private func wait(for stream: UUID) async throws(JournalError) {
        let isFree = try queues.withLock { queues throws(JournalError) in
            guard let queue = queues[stream] else {
                queues[stream] = [.current]
                return true
            }
            guard queue.count <= Turns.maximumWaiting else {
                throw JournalError(.busy, busy)
            }
            return false
        }
        if isFree { return }
        await withCheckedContinuation { continuation in
            let isMine = queues.withLock { queues in
                guard queues[stream] != nil else {
                    queues[stream] = [.current]
                    return true
                }
                queues[stream]?.append(.next(continuation))
                return false
            }
            if isMine { continuation.resume() }
        }
    }

    /// Passes the turn on a stream to the next one who waits for it.
    private func pass(_ stream: UUID) {
        let next: CheckedContinuation<Void, Never>? = queues.withLock { queues in
            queues[stream]?.removeFirst()
            guard case .next(let continuation)? = queues[stream]?.first else {
                queues[stream] = nil
                return nil
            }
            queues[stream]?[0] = .current
            return continuation
        }
        next?.resume()
    }
}
