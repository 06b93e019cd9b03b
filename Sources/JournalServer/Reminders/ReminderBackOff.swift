import FoundationEssentials
import HealthJournal

/// Which destinations failed, and until when they are left alone.
///
/// A destination without an answer is left alone for the account that uses it. Others at the same host are not: a host may
/// be silent for one address only. A host that is silent for several accounts is given fewer attempts at a time.
struct ReminderBackOff {
    private enum Scope: Hashable {
        /// One reminder, whose destination the operator does not permit.
        case reminder(UUID)
        /// A channel that answers, but does not accept messages.
        case channel(UUID)
        /// A host that does not answer an account.
        case destination(ReminderHost, UUID)
    }

    private struct Rest {
        var failures = 0
        var last: ContinuousClock.Instant
        var until: ContinuousClock.Instant
    }

    private let limits: ReminderLimits
    private var rests: [Scope: Rest] = [:]
    /// The accounts that each host did not answer since it last answered anybody.
    private var unanswered: [ReminderHost: Set<UUID>] = [:]

    init(_ limits: ReminderLimits) {
        self.limits = limits
    }

    /// Returns until when a reminder is not sent; nil if it may be sent now.
    func until(_ reminder: QueuedReminder, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let ends = ReminderBackOff.scopes(of: reminder)
            .compactMap { scope -> ContinuousClock.Instant? in
                guard let rest = rests[scope] else { return nil }
                if reminder.isCritical, case .reminder = scope { return rest.until }
                return reminder.isCritical ? min(rest.until, rest.last + limits.longestCriticalRest) : rest.until
            }
        return ends.max().flatMap { $0 > now ? $0 : nil }
    }

    func isSilent(_ host: ReminderHost) -> Bool { unanswered[host, default: []].count >= limits.silentAccounts }

    /// Takes note of an attempt.
    mutating func note(_ attempt: ReminderAttempt, _ reminder: QueuedReminder, at now: ContinuousClock.Instant) {
        let scopes = ReminderBackOff.scopes(of: reminder)
        switch attempt {
        case .sent, .unrecorded, .failed(.ended):
            answered(reminder.host)
            for scope in scopes { rests[scope] = nil }
        case .failed(.rejected):
            answered(reminder.host)
            rest(.channel(reminder.channel), at: now)
        case .failed(.silent):
            unanswered[reminder.host, default: []].insert(reminder.account)
            rest(.destination(reminder.host, reminder.account), at: now)
        case .failed(.notAllowed):
            rests[.reminder(reminder.id)] = Rest(failures: 1, last: now, until: now + limits.refused)
        case .cancelled: break
        }
    }

    /// Forgets what concerns none of these reminders.
    mutating func keep(only reminders: some Sequence<QueuedReminder>) {
        var scopes: Set<Scope> = []
        var hosts: Set<ReminderHost> = []
        for reminder in reminders {
            scopes.formUnion(ReminderBackOff.scopes(of: reminder))
            hosts.insert(reminder.host)
        }
        rests = rests.filter { scopes.contains($0.key) }
        unanswered = unanswered.filter { hosts.contains($0.key) }
    }

    private mutating func rest(_ scope: Scope, at now: ContinuousClock.Instant) {
        let failures = (rests[scope]?.failures ?? 0) + 1
        var duration = limits.firstRest
        for _ in 1..<failures where duration < limits.longestRest { duration *= 2 }
        rests[scope] = Rest(failures: failures, last: now, until: now + min(duration, limits.longestRest))
    }

    /// A host that answers for one account is tried for all accounts again.
    private mutating func answered(_ host: ReminderHost) {
        for account in unanswered.removeValue(forKey: host) ?? [] { rests[.destination(host, account)] = nil }
    }

    private static func scopes(of reminder: QueuedReminder) -> [Scope] {
        [.reminder(reminder.id), .channel(reminder.channel), .destination(reminder.host, reminder.account)]
    }
}
