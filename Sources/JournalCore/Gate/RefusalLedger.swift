internal import FoundationEssentials
internal import HealthModel
internal import Platform

/// A ledger that prevents equal refusals from filling the log: the first one has an event of its own, later ones are
/// counted.
///
/// Kept in memory only. A refusal is returned to the client only after its first event is durable, so a crash loses the
/// counts since the last summary, but never a first refusal.
package final class RefusalLedger: Sendable {
    /// Identifies refusals that are recorded together.
    struct Key: Hashable {
        let account: UUID
        let record: UUID?
        let erased: UUID?
        let action: AccessAction
        let sections: [Section]

        init(_ denial: Denial, by account: UUID) {
            self.account = account
            record = denial.record
            erased = denial.erased
            action = denial.action
            sections = denial.sections
        }
    }

    /// Refusals that were counted and have no events yet.
    struct Summary {
        let key: Key
        let source: EventSource
        var count: Int
        var first: Int64
        var last: Int64
    }

    fileprivate struct Entry {
        /// The time of the refusal that has an event, in microseconds.
        var began: Int64
        var counted: Summary
    }

    fileprivate struct Budget {
        var left: Double
        var newest: Int64
    }

    fileprivate struct State {
        var window: Int64 = 0
        var perMinute: Int?
        var entries: [Key: Entry] = [:]
        var budgets: [UUID: Budget] = [:]
    }

    /// The maximum number of keys in memory.
    static let remembered = 10_000

    private let state = Guarded(State())

    /// Sets the window in which equal refusals are counted, and the refusal events that an account may cause per
    /// minute.
    ///
    /// If this is not called, as in a short-lived command, each refusal has its own event, except that equal refusals
    /// of one batch are counted.
    package func configure(window: Duration, perMinute: Int?) {
        state.withLock {
            $0.window = Int64(window / .microseconds(1))
            $0.perMinute = perMinute
        }
    }

    /// Counts a refusal if an equal one was recorded recently; returns false if it needs an event of its own.
    func count(_ key: Key, now: Int64) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[key], now - entry.began < state.window, now >= entry.began else {
                return false
            }
            state.entries[key]?.counted.add(1, at: now)
            return true
        }
    }

    /// Takes one refusal event from the account's budget.
    ///
    /// Returns nil if there was one left, otherwise the number of seconds to wait.
    func spend(_ account: UUID, now: Int64) -> Int? {
        state.withLock { state in
            guard let perMinute = state.perMinute else { return nil }
            let most = Double(perMinute)
            var budget = state.budgets[account] ?? Budget(left: most, newest: now)
            budget.left = min(most, budget.left + Double(max(0, now - budget.newest)) / 60_000_000 * most)
            budget.newest = now
            defer { state.budgets[account] = budget }
            guard budget.left >= 1 else { return max(1, Int((1 - budget.left) / most * 60) + 1) }
            budget.left -= 1
            return nil
        }
    }

    /// Starts a new window for a refusal that has a durable event; returns the count of the window before, if any.
    func recorded(_ key: Key, from source: EventSource, now: Int64) -> Summary? {
        state.withLock { state in
            guard state.window > 0 else { return nil }
            let before = state.entries.removeValue(forKey: key)?.counted
            if state.entries.count >= RefusalLedger.remembered { state.forgetOld(now) }
            if state.entries.count < RefusalLedger.remembered {
                state.entries[key] = Entry(
                    began: now,
                    counted: Summary(key: key, source: source, count: 0, first: now, last: now)
                )
            }
            return before.flatMap { $0.count > 0 ? $0 : nil }
        }
    }

    /// Removes and returns the counts whose window is over, or all of them.
    func take(all: Bool, now: Int64) -> [Summary] {
        state.withLock { state in
            var taken: [Summary] = []
            for (key, entry) in state.entries where all || now - entry.began >= state.window || now < entry.began {
                state.entries[key] = nil
                if entry.counted.count > 0 { taken.append(entry.counted) }
            }
            return taken
        }
    }
}

extension RefusalLedger.Summary {
    mutating func add(_ more: Int, at now: Int64) {
        if count == 0 { first = now }
        count += more
        last = now
    }

    var event: AccessSummary {
        AccessSummary(
            action: key.action,
            sections: key.sections,
            count: count,
            first: Instant(microseconds: first),
            last: Instant(microseconds: last)
        )
    }
}

extension RefusalLedger.State {
    /// Removes keys whose window is over and that have no counted refusals.
    fileprivate mutating func forgetOld(_ now: Int64) {
        entries = entries.filter { $0.value.counted.count > 0 || now - $0.value.began < window }
    }
}
