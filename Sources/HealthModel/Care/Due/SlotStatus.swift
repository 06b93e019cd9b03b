/// What became of a planned dose, as seen at one moment.
package enum SlotState: String, CaseIterable, Sendable {
    case taken
    /// Less than the planned amount was taken.
    case partly
    case skipped
    /// The plan is paused then.
    case paused
    /// The dose was due before its rule was recorded, so it cannot have been missed.
    case beforeKept
    /// The clock jumped over its time, and it is too close to another dose.
    case decide
    /// It is too early to take it.
    case later
    case open
    /// It is late, and stays due until it is taken or skipped, because the next one counts from it.
    case overdue
    case missed

    /// Whether the dose is to be taken now.
    package var isToTake: Bool { self == .open || self == .overdue }

    /// Whether it counts in the adherence.
    package var isSettled: Bool { [.taken, .partly, .skipped, .missed].contains(self) }

    /// The state in words.
    package var label: String {
        switch self {
        case .taken: "taken"
        case .partly: "partly taken"
        case .skipped: "skipped"
        case .paused: "paused"
        case .beforeKept: "before it was recorded"
        case .decide: "to decide"
        case .later: "later"
        case .open: "open"
        case .overdue: "overdue"
        case .missed: "missed"
        }
    }
}

/// A planned dose with its state.
package struct SlotStatus: Hashable, Sendable {
    package var due: Due
    package var state: SlotState
    /// The dose that was logged for it.
    package var dose: LoggedDose?
    /// From when on the dose is missed, or overdue, if nothing is logged; nil if it was logged.
    package var closes: Instant?
    /// Until when its reminders are or were postponed; only for a dose that is open or ahead.
    package var snoozedUntil: Instant?

    package init(due: Due, state: SlotState, dose: LoggedDose? = nil, closes: Instant? = nil) {
        self.due = due
        self.state = state
        self.dose = dose
        self.closes = closes
    }
}

/// The planned doses of a plan in a period, and the logged doses that are none of them.
package struct PlanDay: Hashable, Sendable {
    package var slots: [SlotStatus]
    /// Doses outside the plan, or planned by rules that are no longer there; in the order of their times.
    package var others: [LoggedDose]
}

extension Plan {
    /// Returns the planned doses from `start` until before `end` with their states at `now`, and the other doses that
    /// were taken or skipped in that period.
    ///
    /// A dose that waits until it is taken is in the period in which it was taken or skipped, not in which it was due;
    /// while it is overdue, it is also in a period that contains `now`.
    /// `doses` contains the logged doses of the plan that happened or were due in the period; all of them, if a rule
    /// counts from the last dose.
    package func day(
        from start: Instant,
        until end: Instant,
        _ clocks: CareClocks,
        doses: [LoggedDose],
        now: Instant
    ) throws(ModelError) -> PlanDay {
        var logged = Dictionary(doses.compactMap { dose in dose.slot.map { ($0, dose) } }) { first, _ in first }
        // A dose is missed when the next one is due, which may be after the period.
        let horizon = Instant(microseconds: end.microseconds + Int64(late) * 60_000_000)
        let all = try due(from: start, until: horizon, clocks, doses: doses)
        let kept = dosesOfReplacedRules(doses, among: all, logged, clocks)
        logged.merge(kept) { own, _ in own }
        var slots: [SlotStatus] = []
        for (index, due) in all.enumerated() where due.due < end && !due.slot.waits {
            let next = all[(index + 1)...].first { $0.due > due.due }
            let dose = logged[due.slot]
            let closes = closing(of: due, next: next?.due)
            let state = state(of: due, dose, closes: closes, now: now)
            slots.append(SlotStatus(due: due, state: state, dose: dose, closes: dose == nil ? closes : nil))
        }
        let waiting = waiting(clocks, doses)
        for due in waiting {
            let (dose, closes) = (logged[due.slot], due.due.adding(minutes: late))
            let state =
                dose == nil
                ? waitingState(of: due, clocks, closes: closes, now: now)
                : state(of: due, dose, closes: closes, now: now)
            let moment = dose?.at ?? (state.isToTake && due.due < start ? max(due.due, now) : due.due)
            guard moment >= start, moment < end else { continue }
            // What depends on the doses around it is known only of a dose that is due in the period.
            let due = all.first { $0.slot == due.slot } ?? due
            slots.append(SlotStatus(due: due, state: state, dose: dose, closes: dose == nil ? closes : nil))
        }
        if !waiting.isEmpty {
            slots.sort { ($0.due.due, $0.due.slot.description) < ($1.due.due, $1.due.slot.description) }
        }
        // A dose that happened in the period may have been planned for another one.
        let margin = Instant.microsecondsPerDay * 2
        let around = try due(
            from: Instant(microseconds: start.microseconds - margin),
            until: Instant(microseconds: end.microseconds + margin),
            clocks,
            doses: doses
        )
        let planned = Set(around.map(\.slot) + waiting.map(\.slot))
        let shown = Set(kept.values.map(\.id))
        let others = doses.filter { dose in
            dose.at >= start && dose.at < end && !(dose.slot.map { planned.contains($0) } ?? false)
                && !shown.contains(dose.id)
        }
        return PlanDay(slots: slots, others: others.sorted { ($0.at, $0.id.text) < ($1.at, $1.id.text) })
    }

    /// Returns the doses that were logged ahead of time for a rule which a change then replaced, by the planned doses
    /// that they fill instead.
    ///
    /// Otherwise the dose of this evening, which was taken early, would be open again after a change at noon, and would
    /// be taken twice. Such a dose fills the nearest one that a later rule plans for the same day, if no other dose is
    /// nearer to it.
    private func dosesOfReplacedRules(
        _ doses: [LoggedDose],
        among all: [Due],
        _ logged: [Slot: LoggedDose],
        _ clocks: CareClocks
    ) -> [Slot: LoggedDose] {
        guard rules.contains(where: { $0.until != nil }) else { return [:] }
        var kept: [Slot: LoggedDose] = [:]
        for dose in doses.sorted(by: { ($0.at, $0.id.text) < ($1.at, $1.id.text) }) {
            guard let slot = dose.slot, let planned = dose.planned, let end = replacement(of: slot, planned, clocks)
            else { continue }
            let day = clocks.person.wall(at: planned).day
            let candidates = all.filter { due in
                let distance = (due.due.microseconds - planned.microseconds).magnitude / 60_000_000
                return due.wall.day == day && logged[due.slot] == nil && kept[due.slot] == nil && !due.slot.waits
                    && (rules.first { $0.id == due.slot.rule }.map { $0.from >= end } ?? false)
                    && distance * 2 <= UInt64(due.spacing ?? 1_440)
            }
            let nearest = candidates.min { one, other in
                (one.due.microseconds - planned.microseconds).magnitude
                    < (other.due.microseconds - planned.microseconds).magnitude
            }
            if let nearest { kept[nearest.slot] = dose }
        }
        return kept
    }

    /// Returns when the rule of a planned dose ended, if that was at or before the dose was due; nil if the plan still
    /// has the dose.
    private func replacement(of slot: Slot, _ planned: Instant, _ clocks: CareClocks) -> WallMoment? {
        guard let rule = rules.first(where: { $0.id == slot.rule }), let until = rule.until,
            until <= clocks.clock(of: rule).wall(at: planned)
        else { return nil }
        return until
    }

    private func state(of due: Due, _ dose: LoggedDose?, closes: Instant, now: Instant) -> SlotState {
        if let dose {
            if dose.status == .skipped { return .skipped }
            guard let amount = dose.amount, let planned = dose.plannedAmount ?? due.intake.amount else { return .taken }
            return amount < planned ? .partly : .taken
        }
        if isPaused(at: due.wall) { return .paused }
        if due.needsDecision { return .decide }
        if due.due < due.recordedAt { return .beforeKept }
        if isEarly(due, now) { return .later }
        return now < closes ? .open : .missed
    }

    /// Returns the state of a dose that was not logged, and stays due until it is.
    ///
    /// It is missed only if its rule ended meanwhile, and a pause only postpones it: otherwise nothing would be due after
    /// it, because the next dose counts from it. That it was due before its rule was recorded makes no difference.
    private func waitingState(of due: Due, _ clocks: CareClocks, closes: Instant, now: Instant) -> SlotState {
        let rule = rules.first { $0.id == due.slot.rule }
        let wall = rule.map { clocks.clock(of: $0).wall(at: now) } ?? due.wall
        if now < due.due { return isPaused(at: due.wall) ? .paused : isEarly(due, now) ? .later : .open }
        if let end = [rule?.until, stopped].compactMap(\.self).min(), wall >= end { return .missed }
        if isPaused(at: wall) { return .paused }
        return now < closes ? .open : .overdue
    }

    private func isEarly(_ due: Due, _ now: Instant) -> Bool { now < due.due.adding(minutes: -early) }

    /// Returns from when on a dose is missed: when it is too late for it, or the plan's next one is due.
    private func closing(of due: Due, next: Instant?) -> Instant {
        let end = Instant(microseconds: due.due.microseconds + Int64(late) * 60_000_000)
        return min(end, next ?? end)
    }

    /// Reports whether the plan is paused when the clock shows a time.
    package func isPaused(at wall: WallMoment) -> Bool {
        pauses.contains { $0.from <= wall && $0.until.map { wall < $0 } ?? true }
    }
}
