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
    case missed

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
    /// From when on the dose is missed if nothing is logged; nil if it was logged.
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
    /// `doses` contains the logged doses of the plan that happened or were due in the period; all of them, if a rule
    /// counts from the last dose.
    package func day(
        from start: Instant,
        until end: Instant,
        _ clocks: CareClocks,
        doses: [LoggedDose],
        now: Instant
    ) throws(ModelError) -> PlanDay {
        let logged = Dictionary(doses.compactMap { dose in dose.slot.map { ($0, dose) } }) { first, _ in first }
        // A dose is missed when the next one is due, which may be after the period.
        let horizon = Instant(microseconds: end.microseconds + Int64(late) * 60_000_000)
        let all = try due(from: start, until: horizon, clocks, doses: doses)
        var slots: [SlotStatus] = []
        for (index, due) in all.enumerated() where due.due < end {
            let next = all[(index + 1)...].first { $0.due > due.due }
            let dose = logged[due.slot]
            let closes = closing(of: due, next: next?.due)
            let state = state(of: due, dose, closes: closes, now: now)
            slots.append(SlotStatus(due: due, state: state, dose: dose, closes: dose == nil ? closes : nil))
        }
        // A dose that happened in the period may have been planned for another one.
        let margin = Instant.microsecondsPerDay * 2
        let around = try due(
            from: Instant(microseconds: start.microseconds - margin),
            until: Instant(microseconds: end.microseconds + margin),
            clocks,
            doses: doses
        )
        let planned = Set(around.map(\.slot))
        let others = doses.filter { dose in
            dose.at >= start && dose.at < end && !(dose.slot.map { planned.contains($0) } ?? false)
        }
        return PlanDay(slots: slots, others: others.sorted { ($0.at, $0.id.text) < ($1.at, $1.id.text) })
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
        if now.microseconds < due.due.microseconds - Int64(early) * 60_000_000 { return .later }
        return now < closes ? .open : .missed
    }

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
