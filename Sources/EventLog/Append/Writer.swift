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
        /// Appends of the last group.
        var lastCount = 0

        /// Whether there is more to do; if not, the next append schedules the work.
        var goesOn: Bool {
            mutating get {
                isScheduled = !requests.isEmpty
                return isScheduled
            }
        }
    }

    init(_ committer: Committer, pacer: CheckpointPacer) {
        self.committer = committer
        self.pacer = pacer
    }

    /// Queues an append, or refuses at once when too many are waiting.
    ///
    /// A caller that `waitsAnyway` does the work itself where nobody else appends at the time: two changes of thread cost as
    /// much as a part of the sync. It is held up for one commit then, and only where another processor is left for the others.
    func submit(_ request: AppendRequest, waitsAnyway: Bool) throws(EventLogError) {
        let bytes = request.byteCount
        let verdict: (taken: Bool, mustSchedule: Bool, isAlone: Bool) = waiting.withLock { waiting in
            let isFull =
                waiting.requests.count >= AppendLimits.waitingAppends
                || !waiting.requests.isEmpty && waiting.bytes + bytes > AppendLimits.waitingBytes
            guard !isFull else { return (false, false, false) }
            waiting.requests.append(request)
            waiting.bytes += bytes
            defer { waiting.isScheduled = true }
            return (true, !waiting.isScheduled, waiting.lastCount == 1)
        }
        guard verdict.taken else {
            done.withLock { $0.turnedAway += 1 }
            throw EventLogError(.busy, "too many appends are waiting; try again in a moment")
        }
        guard verdict.mustSchedule else { return }
        if waitsAnyway, verdict.isAlone, Processors.count > 1 {
            queue.sync { _ = commitNext() }
            // What came in the meantime is not this caller's.
            if waiting.withLock({ $0.goesOn }) { queue.async { self.drain() } }
        } else {
            queue.async { self.drain() }
        }
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
        repeat { gather(after: commitNext()) } while waiting.withLock { $0.goesOn }
    }

    /// Commits the next group; answers how long that took.
    private func commitNext() -> Duration {
        let group = nextGroup()
        let duration = ContinuousClock().measure { committer.commit(group) }
        done.withLock { $0.count(group, in: duration) }
        pacer.appended(group.reduce(0) { $0 + $1.frames.count })
        return duration
    }

    /// Gives those who were just answered a moment to append again.
    ///
    /// Else a few would fall into two groups that take turns, and each sync would serve but half of them. No longer than a
    /// part of a commit, for they may be gone; and where many wait already it is enough to let the others run once.
    private func gather(after commit: Duration) {
        let expected = waiting.withLock { $0.lastCount + $0.requests.count }
        guard expected > 1 else { return }
        let enough = min(expected, Writer.largestGathering)
        let end = ContinuousClock.now + min(commit / 3, Writer.longestGathering)
        repeat {
            Threads.giveWay()
        } while waiting.withLock { $0.requests.count } < enough && ContinuousClock.now < end
    }

    private static let largestGathering = 16
    private static let longestGathering = Duration.microseconds(100)

    /// The appends that are committed together; at least one, for nothing is scheduled where nothing waits.
    private func nextGroup() -> [AppendRequest] {
        waiting.withLock { waiting in
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
            waiting.lastCount = count
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
