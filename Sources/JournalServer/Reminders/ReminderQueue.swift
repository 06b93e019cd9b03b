import FoundationEssentials
import HealthJournal
import HealthModel

/// A due reminder with what decides when it is sent.
struct QueuedReminder {
    let outgoing: OutgoingReminder
    let host: ReminderHost

    init(_ outgoing: OutgoingReminder) {
        self.outgoing = outgoing
        host = ReminderHost(of: outgoing.reminder.channel)
    }

    var id: UUID { outgoing.reminder.id }
    var account: UUID { outgoing.reminder.account }
    var channel: UUID { outgoing.reminder.channel.id }
    var isCritical: Bool { outgoing.reminder.isCritical }
}

/// How an attempt to send a reminder ended.
enum ReminderAttempt: Hashable {
    /// It was sent and recorded.
    case sent
    /// It was sent, but cannot be recorded: this process does not send it again.
    case unrecorded
    case failed(ReminderFailure)
    /// The service stopped before the attempt was over.
    case cancelled
}

/// Decides which of the due reminders are sent next.
///
/// Pure: the same reminders, attempts and moments always give the same order. Accounts take turns, each with its critical
/// reminders first and then its oldest. The first critical reminders of all accounts come before all others. The number of
/// attempts in progress is limited in all, by host and by account.
struct ReminderQueue {
    private let limits: ReminderLimits
    private var backOff: ReminderBackOff
    /// The reminders to send, the next one last.
    private var waiting: [QueuedReminder] = []
    private var running: [UUID: QueuedReminder] = [:]
    private var runningAt: [ReminderHost: Int] = [:]
    private var runningFor: [UUID: Int] = [:]
    /// Sent reminders that cannot be recorded.
    private var unrecorded: Set<UUID> = []

    init(_ limits: ReminderLimits) {
        self.limits = limits
        backOff = ReminderBackOff(limits)
    }

    var isWaiting: Bool { !waiting.isEmpty }
    var isSending: Bool { !running.isEmpty }

    /// Replaces the waiting reminders with those that are due now; returns those that this process has not sent yet.
    @discardableResult
    mutating func replace(with due: [OutgoingReminder]) -> [OutgoingReminder] {
        let all = due.map { QueuedReminder($0) }
        backOff.keep(only: all + running.values)
        unrecorded.formIntersection(all.map(\.id))
        let open = all.filter { running[$0.id] == nil && !unrecorded.contains($0.id) }
        var turns: [UUID: Turn] = [:]
        var counts = runningFor
        for reminder in open.sorted(by: ReminderQueue.ownOrder) {
            turns[reminder.id] = Turn(reminder, number: counts[reminder.account, default: 0], limits)
            counts[reminder.account, default: 0] += 1
        }
        let ordered =
            open.filter { (turns[$0.id]?.number ?? 0) < limits.queuePerAccount }
            .sorted { left, right in
                guard let first = turns[left.id], let second = turns[right.id] else { return false }
                return first.order == second.order ? left.id.text < right.id.text : first.order < second.order
            }
            .prefix(limits.queue)
        waiting = ordered.reversed()
        return open.map(\.outgoing)
    }

    /// Takes the reminders to send now; also returns when one may be sent next, if that is only a matter of time.
    mutating func take(
        at now: ContinuousClock.Instant
    ) -> (reminders: [QueuedReminder], next: ContinuousClock.Instant?) {
        var taken: [QueuedReminder] = []
        var next: ContinuousClock.Instant?
        for index in waiting.indices.reversed() {
            guard running.count < limits.parallel else { break }
            let reminder = waiting[index]
            let ceiling = backOff.isSilent(reminder.host) ? limits.perSilentHost : limits.perHost
            guard runningAt[reminder.host, default: 0] < ceiling,
                runningFor[reminder.account, default: 0] < limits.perAccount
            else { continue }
            if let until = backOff.until(reminder, at: now) {
                next = min(next ?? until, until)
                continue
            }
            waiting.remove(at: index)
            running[reminder.id] = reminder
            runningAt[reminder.host, default: 0] += 1
            runningFor[reminder.account, default: 0] += 1
            taken.append(reminder)
        }
        return (taken, next)
    }

    /// Takes note of how an attempt ended; returns when the reminder may be sent again, nil if it need not be.
    mutating func finish(
        _ reminder: QueuedReminder,
        _ attempt: ReminderAttempt,
        at now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        running[reminder.id] = nil
        runningAt.release(reminder.host)
        runningFor.release(reminder.account)
        backOff.note(attempt, reminder, at: now)
        switch attempt {
        case .sent, .failed(.ended), .cancelled: return nil
        case .unrecorded:
            unrecorded.insert(reminder.id)
            return nil
        case .failed: return backOff.until(reminder, at: now) ?? now
        }
    }

    // MARK: - Order

    /// The place of a reminder among all.
    private struct Turn {
        /// How many reminders of the account come before it.
        let number: Int
        let order: (Int, Int, Int64)

        init(_ reminder: QueuedReminder, number: Int, _ limits: ReminderLimits) {
            self.number = number
            let isFirst = reminder.isCritical && number < limits.criticalTurns
            order = (isFirst ? 0 : 1, number, reminder.since)
        }
    }

    /// The order among the reminders of one account.
    private static func ownOrder(_ left: QueuedReminder, _ right: QueuedReminder) -> Bool {
        (left.isCritical ? 0 : 1, left.since, left.id.text) < (right.isCritical ? 0 : 1, right.since, right.id.text)
    }
}

extension QueuedReminder {
    /// The moment by which it is ordered: the latest one if it is not about a time.
    fileprivate var since: Int64 { outgoing.reminder.since?.microseconds ?? .max }
}

extension [ReminderHost: Int] {
    fileprivate mutating func release(_ host: ReminderHost) {
        self[host] = self[host].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}

extension [UUID: Int] {
    fileprivate mutating func release(_ account: UUID) {
        self[account] = self[account].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
