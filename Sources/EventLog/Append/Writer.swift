internal import Dispatch
internal import LMDB

/// The one writer of a process: commits together what is waiting, and answers each append after the sync.
///
/// A serial queue runs one commit at a time, so that a write transaction begins and ends on one thread.
final class Writer: Sendable {
    private let queue = DispatchQueue(label: "healthjournal.writer")
    private let waiting = Guarded(Waiting())
    private let committer: Committer
    private let pacer: CheckpointPacer
    private let done = Guarded(AppendStatistics())

    private struct Waiting {
        var requests: [AppendRequest] = []
        var bytes = 0
        var isScheduled = false
    }

    init(_ committer: Committer, pacer: CheckpointPacer) {
        self.committer = committer
        self.pacer = pacer
    }

    /// Queues an append, or refuses at once when too many are waiting.
    func submit(_ request: AppendRequest) throws(EventLogError) {
        let bytes = request.byteCount
        let verdict: (taken: Bool, mustSchedule: Bool) = waiting.withLock { waiting in
            let isFull =
                waiting.requests.count >= AppendLimits.waitingAppends
                || !waiting.requests.isEmpty && waiting.bytes + bytes > AppendLimits.waitingBytes
            guard !isFull else { return (false, false) }
            waiting.requests.append(request)
            waiting.bytes += bytes
            defer { waiting.isScheduled = true }
            return (true, !waiting.isScheduled)
        }
        guard verdict.taken else {
            done.withLock { $0.turnedAway += 1 }
            throw EventLogError(.busy, "too many appends are waiting; try again in a moment")
        }
        if verdict.mustSchedule { queue.async { self.drain() } }
    }

    var statistics: AppendStatistics {
        var statistics = done.withLock { $0 }
        statistics.waiting = waiting.withLock { $0.requests.count }
        return statistics
    }

    /// Waits until all that was queued is answered.
    func finish() {
        queue.sync {}
    }

    private func drain() {
        while let group = nextGroup() {
            let duration = ContinuousClock().measure { committer.commit(group) }
            done.withLock { $0.count(group, in: duration) }
            pacer.appended(group.reduce(0) { $0 + $1.frames.count })
        }
    }

    private func nextGroup() -> [AppendRequest]? {
        waiting.withLock { waiting in
            if waiting.requests.isEmpty {
                waiting.isScheduled = false
                return nil
            }
            var events = 0
            var bytes = 0
            var count = 0
            for request in waiting.requests {
                let size = request.byteCount
                if count > 0,
                    events + request.frames.count > AppendLimits.eventsPerCommit
                        || bytes + size > AppendLimits.bytesPerCommit
                {
                    break
                }
                events += request.frames.count
                bytes += size
                count += 1
            }
            waiting.bytes -= bytes
            if count == waiting.requests.count {
                // All of them: what comes next goes into an array of its own.
                let group = waiting.requests
                waiting.requests = []
                return group
            }
            let group = Array(waiting.requests.prefix(count))
            waiting.requests.removeFirst(count)
            return group
        }
    }
}
