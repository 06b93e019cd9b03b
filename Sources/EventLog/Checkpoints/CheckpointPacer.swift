internal import Dispatch
internal import Platform

/// Schedules checkpoints after a number of events or a time, off the threads that append.
final class CheckpointPacer: Sendable {
    private let pace: CheckpointPace
    private let queue = DispatchQueue(label: "healthjournal.checkpoints", qos: .utility)
    private let state = Guarded(State())
    private let keep: @Sendable () -> Void

    private struct State {
        var events = 0
        /// The number of the next checkpoint; a timer that was set for an earlier one does nothing.
        var number = 0
        var isTimed = false
        var isUrgent = false
        var isFinished = false
        var last = ContinuousClock.now - .seconds(3_600)
    }

    init(_ pace: CheckpointPace, keep: @escaping @Sendable () -> Void) {
        self.pace = pace
        self.keep = keep
    }

    /// Counts appended events, and schedules the next checkpoint.
    func appended(_ events: Int) {
        let due: (number: Int, delays: [Duration]) = state.withLock { state in
            state.events += events
            var delays: [Duration] = []
            if !state.isFinished, !state.isTimed {
                state.isTimed = true
                delays.append(pace.interval)
            }
            if !state.isFinished, !state.isUrgent, state.events >= pace.events {
                state.isUrgent = true
                delays.append(max(.zero, pace.pause - (ContinuousClock.now - state.last)))
            }
            return (state.number, delays)
        }
        for delay in due.delays {
            queue.asyncAfter(deadline: .now() + delay.timeInterval) { [weak self] in self?.fire(due.number) }
        }
    }

    /// Waits for a checkpoint that is in progress, and prevents further ones.
    func finish() {
        queue.sync { state.withLock { $0.isFinished = true } }
    }

    private func fire(_ number: Int) {
        let isDue = state.withLock { state in
            guard state.number == number, !state.isFinished else { return false }
            state.number += 1
            (state.events, state.isTimed, state.isUrgent) = (0, false, false)
            state.last = .now
            return true
        }
        if isDue { keep() }
    }
}

extension Duration {
    fileprivate var timeInterval: DispatchTimeInterval {
        .milliseconds(Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }
}

/// How often the kept checkpoint is renewed while events are appended.
package struct CheckpointPace: Sendable {
    /// The number of events since the last checkpoint after which the next one is due.
    package var events = 100_000
    /// The time since the first event without a checkpoint after which the next one is due.
    package var interval: Duration = .seconds(60)
    /// The minimum time between a checkpoint and the next one that is due because of the number of events.
    package var pause: Duration = .seconds(5)

    package init() {}
}
