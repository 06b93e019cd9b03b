internal import Dispatch
internal import Platform

/// The single writer of a process: commits queued appends in groups, and answers each append after the sync.
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
        /// The number of appends in the last group, and how long its commit took.
        var lastCount = 0
        var lastDuration = Duration.zero

        /// Whether more appends are queued; if not, the next append schedules the work.
        var hasMoreWork: Bool {
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

    /// Queues an append, or refuses it at once if the queue is full.
    ///
    /// With `mayBlockCaller`, the commit may run on the caller's thread, because two thread switches would take a
    /// noticeable part of the time of a sync. This is done only if no work is scheduled, the last group was a single
    /// append that was committed quickly, more than one processor is available, and no write transaction is open in any
    /// process. Otherwise a slow disk, or another process that holds the log's write lock, would block a thread of the
    /// cooperative pool.
    func submit(_ request: AppendRequest, mayBlockCaller: Bool) throws(EventLogError) {
        let bytes = request.byteCount
        let admission: (taken: Bool, mustSchedule: Bool, isAlone: Bool) = waiting.withLock { waiting in
            let isFull =
                waiting.requests.count >= AppendLimits.waitingAppends
                || !waiting.requests.isEmpty && waiting.bytes + bytes > AppendLimits.waitingBytes
            guard !isFull else { return (false, false, false) }
            waiting.requests.append(request)
            waiting.bytes += bytes
            defer { waiting.isScheduled = true }
            return (
                true, !waiting.isScheduled, waiting.lastCount == 1 && waiting.lastDuration < Writer.quickCommit
            )
        }
        guard admission.taken else {
            done.withLock { $0.rejected += 1 }
            throw EventLogError(.busy, "too many appends are waiting; try again in a moment")
        }
        guard admission.mustSchedule else { return }
        if mayBlockCaller, admission.isAlone, Threads.processorCount > 1, !committer.isWriterLockHeld {
            queue.sync { _ = commitNext() }
            // Appends that were queued in the meantime are not committed on this caller's thread.
            if waiting.withLock({ $0.hasMoreWork }) { queue.async { self.drain() } }
        } else {
            queue.async { self.drain() }
        }
    }

    var statistics: AppendStatistics {
        var statistics = done.withLock { $0 }
        statistics.waiting = waiting.withLock { $0.requests.count }
        return statistics
    }

    /// Waits until every append that was queued before the call has been answered.
    func finish() {
        // A caller that commits its own append schedules those that came meanwhile only when it has left the queue.
        repeat {
            queue.sync {}
            Threads.giveWay()
        } while waiting.withLock { $0.isScheduled }
    }

    private func drain() {
        repeat { waitForMoreAppends(after: commitNext()) } while waiting.withLock { $0.hasMoreWork }
    }

    /// Commits the next group, and returns how long that took.
    private func commitNext() -> Duration {
        let group = nextGroup()
        let duration = ContinuousClock().measure { committer.commit(group) }
        done.withLock { $0.count(group, in: duration) }
        waiting.withLock { $0.lastDuration = duration }
        pacer.appended(group.reduce(0) { $0 + $1.frames.count })
        return duration
    }

    /// Waits briefly so that callers that were just answered can append again.
    ///
    /// Otherwise a few clients would split into two groups that alternate, and each sync would serve only half of them.
    /// The wait is at most a third of a commit, because the clients may not return. If many appends are already queued,
    /// it is enough to let other threads run once.
    private func waitForMoreAppends(after commit: Duration) {
        let expected = waiting.withLock { $0.lastCount + $0.requests.count }
        guard expected > 1 else { return }
        let enough = min(expected, Writer.largestGathering)
        let end = ContinuousClock.now + min(commit / 3, Writer.longestGathering)
        repeat {
            Threads.giveWay()
        } while waiting.withLock { $0.requests.count } < enough && ContinuousClock.now < end
    }

    /// The longest commit after which the next one may run on a caller's thread.
    private static let quickCommit = Duration.milliseconds(5)
    private static let largestGathering = 16
    private static let longestGathering = Duration.microseconds(100)

    /// Returns the appends to commit together: at least one, because work is scheduled only if an append is queued.
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
                // All appends: return the array itself instead of a copy, and begin a new one.
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
