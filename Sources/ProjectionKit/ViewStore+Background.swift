internal import EventLog
internal import LMDB
internal import Platform

/// The error when a view cannot answer because it is being brought up to date in the background.
package struct ViewCatchingUp: Error, Hashable, Sendable {
    package let projection: String
    /// The events that the view has processed, and all events of the log.
    package let done: UInt64
    package let total: UInt64
    /// The estimated time until the view is up to date, in seconds.
    package let seconds: Int
}

extension ViewCatchingUp: CustomStringConvertible {
    package var description: String {
        "the view \(projection) is being brought up to date (\(done) of \(total) events); try again in \(seconds) seconds"
    }
}

/// The error when a view lags a little and bringing it up to date may block.
///
/// The catch-up may have to wait for another process or take a while. A service then calls `catchUp` on a thread that
/// may block, and repeats the query.
package struct ViewLagging: Error, Hashable, Sendable {
    package let projection: String
}

/// The start time and start position of a catch-up in the background.
struct BackgroundWork {
    let startedAt: ContinuousClock.Instant
    let startedFrom: UInt64
}

extension ViewStore {
    /// Makes queries of a view that lags far behind fail at once with `ViewCatchingUp`.
    ///
    /// The view is then brought up to date in the background. For services: a query that waits for millions of events
    /// would block a thread on which all requests run.
    package func answerOnlyWhenUpToDate() {
        background.withLock { $0.isUsed = true }
    }

    /// Throws if a view lags too far for a query to wait for it.
    private func requireNearlyUpToDate<View: Projection>(_ view: View, _ done: UInt64, at head: UInt64) throws {
        guard isLate(done, at: head) else { return }
        let work = try background.withLock { background throws -> BackgroundWork in
            // The error of the last attempt is reported once; the next query starts another attempt.
            if let failure = background.failures.removeValue(forKey: View.name) { throw failure }
            if let work = background.works[View.name] { return work }
            let work = BackgroundWork(startedAt: .now, startedFrom: done)
            background.works[View.name] = work
            BlockingWork.begin { self.catchUpInBackground(view) }
            return work
        }
        throw ViewCatchingUp(
            projection: View.name,
            done: done,
            total: head,
            seconds: ViewStore.seconds(for: head - min(done, head), since: work, done)
        )
    }

    /// Throws if a query cannot bring a view up to date quickly on its own thread.
    func requireQuickCatchUp<View: Projection>(_ view: View, at head: UInt64) throws {
        let (isUsed, isLong) = background.withLock { ($0.isUsed, $0.longCatchUps > 0) }
        guard isUsed else { return }
        let done = try usableCheckpoint(of: view)
        try requireNearlyUpToDate(view, done, at: head)
        let isQuick =
            switch environment.writeActivity {
            case .elsewhere: false
            case .here: !isLong
            case .none: true
            }
        guard isQuick, head <= done || head - done <= ViewStore.longestQuickCatchUp else {
            throw ViewLagging(projection: View.name)
        }
    }

    /// The maximum number of events that a query processes on its own thread.
    static var longestQuickCatchUp: UInt64 { 1_024 }

    /// Returns the checkpoint of a view that lags too far for a query to wait for it; nil if the view is nearly up to
    /// date.
    package func lateCheckpoint<View: Projection>(of view: View, at head: UInt64) throws -> UInt64? {
        let done = try usableCheckpoint(of: view)
        return isLate(done, at: head) ? done : nil
    }

    private func isLate(_ done: UInt64, at head: UInt64) -> Bool { head > done && head - done > longestWait }

    private func catchUpInBackground<View: Projection>(_ view: View) {
        var failure: (any Error)?
        do {
            try catchUp(view, through: log.head())
        } catch {
            failure = error
        }
        background.withLock { background in
            background.works[View.name] = nil
            background.failures[View.name] = failure
        }
    }

    private static func seconds(for rest: UInt64, since work: BackgroundWork, _ done: UInt64) -> Int {
        let passed = (ContinuousClock.now - work.startedAt) / .seconds(1)
        guard done > work.startedFrom, passed > 0 else { return 1 }
        let rate = Double(done - work.startedFrom) / passed
        return max(1, min(longestRetry, Int((Double(rest) / rate).rounded(.up))))
    }

    private static var longestRetry: Int { 60 }
}
