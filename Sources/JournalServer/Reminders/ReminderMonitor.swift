import FoundationEssentials
import HealthJournal
import HealthModel
import Platform

/// Counts the reminders sent, waiting and never sent since the service started, for the metrics and the pages.
///
/// Contains no texts and no addresses.
final class ReminderMonitor: Sendable {
    /// The upper bounds of the buckets of lateness, in seconds.
    static let bounds: [Double] = [1, 5, 15, 60, 300, 900, 3_600]

    /// The counters and the lateness of all reminders.
    struct Totals {
        var sent: [ReminderChannel.Kind: Int] = [:]
        var failed: [ReminderChannel.Kind: Int] = [:]
        var lapsed: [ReminderChannel.Kind: Int] = [:]
        /// Sent reminders by lateness: each is counted in the first bucket whose bound it does not exceed.
        var lateness = [Int](repeating: 0, count: ReminderMonitor.bounds.count + 1)
        var latenessSeconds = 0.0
    }

    /// The state of one channel.
    struct Channel: Hashable, Sendable {
        /// The reminders that wait after an attempt failed, and since when the oldest of them is due.
        var waiting = 0
        var lateSince: Instant?
        /// Why the latest attempt failed; nil if it did not.
        var failure: Message?
        /// The reminders that were not sent before they were of no more use, and when that was last.
        var lapsed = 0
        var lapsedAt: Instant?

        /// Whether a person should know.
        var needsAttention: Bool { waiting > 0 || lapsed > 0 }
    }

    fileprivate struct State {
        var totals = Totals()
        /// The reminders that are due and were not sent yet, with the moment from which they were due.
        var due: [UUID: (reminder: Reminder, since: Instant)] = [:]
        var channels: [UUID: Channel] = [:]
        var accounts: [UUID: UUID] = [:]
    }

    private let limits: ReminderLimits
    private let state = Guarded(State())

    init(_ limits: ReminderLimits) {
        self.limits = limits
    }

    /// Takes note of the reminders that are due and not sent; returns how many lapsed since the last time.
    func update(_ due: [OutgoingReminder], at now: Instant) -> Int {
        state.withLock { state in
            let reminders = Dictionary(due.map { ($0.reminder.id, $0.reminder) }) { first, _ in first }
            var lapsed = 0
            for (id, old) in state.due where reminders[id] == nil {
                guard let end = old.reminder.lapses, end <= now else { continue }
                lapsed += 1
                state.totals.lapsed[old.reminder.channel.kind, default: 0] += 1
                state.change(old.reminder, limits.remembered) { ($0.lapsed, $0.lapsedAt) = ($0.lapsed + 1, now) }
            }
            let before = state.due
            state.due = [:]
            for (id, reminder) in reminders {
                state.due[id] = (reminder, reminder.since ?? before[id]?.since ?? now)
            }
            for id in state.channels.keys { state.recount(id) }
            return lapsed
        }
    }

    /// Takes note of a reminder that was sent.
    func sent(_ reminder: Reminder, at now: Instant) {
        state.withLock { state in
            let since = state.due.removeValue(forKey: reminder.id)?.since ?? reminder.since ?? now
            let seconds = since.seconds(until: now)
            let bucket = ReminderMonitor.bounds.firstIndex { seconds <= $0 } ?? ReminderMonitor.bounds.count
            state.totals.lateness[bucket] += 1
            state.totals.latenessSeconds += seconds
            state.totals.sent[reminder.channel.kind, default: 0] += 1
            let channel = reminder.channel.id
            guard state.channels[channel] != nil else { return }
            state.channels[channel]?.failure = nil
            state.recount(channel)
        }
    }

    /// Takes note of an attempt that failed.
    func failed(_ reminder: Reminder, _ failure: ReminderFailure) {
        state.withLock { state in
            state.totals.failed[reminder.channel.kind, default: 0] += 1
            state.change(reminder, limits.remembered) { $0.failure = failure.reason }
            state.recount(reminder.channel.id)
        }
    }

    var totals: Totals { state.withLock { $0.totals } }

    /// The number of reminders that are due and not sent, and how late the oldest of them is, in seconds.
    func waiting(at now: Instant) -> (count: Int, seconds: Double) {
        state.withLock { state in
            (state.due.count, state.due.values.map { $0.since.seconds(until: now) }.max() ?? 0)
        }
    }

    /// The state of the channels of an account that have waiting or lapsed reminders.
    func troubles(of account: UUID) -> [UUID: Channel] {
        state.withLock { state in
            state.channels.filter { $0.value.needsAttention && state.accounts[$0.key] == account }
        }
    }
}

extension ReminderMonitor.State {
    /// Changes the state of a channel; an undisturbed channel, or any other, is forgotten if there are too many.
    fileprivate mutating func change(
        _ reminder: Reminder,
        _ limit: Int,
        _ edit: (inout ReminderMonitor.Channel) -> Void
    ) {
        let channel = reminder.channel.id
        if channels[channel] == nil, channels.count >= limit,
            let old = channels.first(where: { !$0.value.needsAttention })?.key ?? channels.keys.first
        {
            channels[old] = nil
            accounts[old] = nil
        }
        edit(&channels[channel, default: ReminderMonitor.Channel()])
        accounts[channel] = reminder.account
    }

    /// Counts the reminders that wait on a channel whose latest attempt failed.
    fileprivate mutating func recount(_ channel: UUID) {
        guard channels[channel] != nil else { return }
        let waiting = channels[channel]?.failure == nil ? [] : due.values.filter { $0.reminder.channel.id == channel }
        channels[channel]?.waiting = waiting.count
        channels[channel]?.lateSince = waiting.map(\.since).min()
    }
}

extension Instant {
    /// The seconds from this instant to another; zero if that is earlier.
    fileprivate func seconds(until other: Instant) -> Double {
        Double(max(0, other.microseconds - microseconds)) / Double(Instant.microsecondsPerSecond)
    }
}
