import FoundationEssentials

extension Plan {
    /// The longest period for which doses are computed, in days.
    package static let maximumDays = 400
    /// The maximum number of doses that are computed for one answer.
    package static let maximumSlots = 20_000

    /// Returns the doses that are due from `start` until before `end`, in the order of their times.
    ///
    /// Throws an error if the period is too long, or contains too many doses. `doses` contains the logged doses of the
    /// plan: all of them, if a rule counts from the last dose, otherwise none are needed.
    package func due(
        from start: Instant,
        until end: Instant,
        _ clocks: CareClocks,
        doses: [LoggedDose] = []
    ) throws(ModelError) -> [Due] {
        guard start < end else { return [] }
        guard end.microseconds - start.microseconds <= Int64(Plan.maximumDays) * Instant.microsecondsPerDay else {
            throw ModelError(.invalid, field: "to", "a period is at most \(Plan.maximumDays) days long")
        }
        // Neighbours outside the period decide how close a dose is to another one.
        let margin = Int64(max(5 * 1_440, (limits.minimumInterval ?? 0) + 2 * 1_440)) * 60_000_000
        let padded = (
            Instant(microseconds: start.microseconds - margin), Instant(microseconds: end.microseconds + margin)
        )
        var found: [Due] = []
        for rule in rules {
            let chained = rule.counted(doses, isAlone: restarts)
            let due = rule.due(from: padded.0, until: padded.1, clocks.clock(of: rule), chained)
            if found.isEmpty { found = due } else { found += due }
            guard found.count <= Plan.maximumSlots else {
                throw ModelError(.invalid, field: "to", "more than \(Plan.maximumSlots) doses are due in this period")
            }
        }
        if let stopped { found.removeAll { $0.wall >= stopped } }
        // The doses of a single rule are usually in order.
        let isSorted = found.indices.dropFirst().allSatisfy { !Due.isInOrder(found[$0], found[$0 - 1]) }
        if !isSorted { found.sort(by: Due.isInOrder) }
        compareNeighbours(&found, leastInterval)
        found.removeAll { $0.due < start || $0.due >= end }
        return found
    }

    /// Returns the doses of the rules that count from the last dose: those that were logged, and the next of each rule.
    func waiting(_ clocks: CareClocks, _ doses: [LoggedDose]) -> [Due] {
        rules.flatMap { rule -> [Due] in
            guard case .afterLast(let seconds, let first, let intake) = rule.pattern else { return [] }
            let counted = rule.counted(doses, isAlone: restarts)
            return rule.chain(seconds, first, intake, clocks.clock(of: rule), counted)
                .filter { due in stopped.map { due.wall < $0 } ?? true }
        }
    }

    /// Returns when the doses would be due that follow one which waits, if that and they are taken when they are due.
    ///
    /// For the stock alone: nothing of it is certain.
    package func expected(
        after due: Due,
        from start: Instant,
        until end: Instant,
        _ clocks: CareClocks
    ) -> [Due] {
        guard let rule = rules.first(where: { $0.id == due.slot.rule }),
            case .afterLast(let seconds, _, _) = rule.pattern
        else { return [] }
        let (step, clock) = (max(1, seconds) * Instant.microsecondsPerSecond, clocks.clock(of: rule))
        var next = due
        var found: [Due] = []
        next.due = Instant(microseconds: max(due.due, start).microseconds + step)
        while next.due < end, found.count < Plan.maximumSlots {
            next.wall = clock.wall(at: next.due)
            guard rule.applies(at: next.wall), stopped.map({ next.wall < $0 }) ?? true else { break }
            if !isPaused(at: next.wall) { found.append(next) }
            next.due = Instant(microseconds: next.due.microseconds + step)
        }
        return found
    }

    /// Whether a dose outside the plan counts as the last dose of a rule that counts from it.
    ///
    /// Not if doses are also taken when needed: they are others.
    private var restarts: Bool { !rules.contains { if case .asNeeded = $0.pattern { true } else { false } } }

    /// The shortest step of a rule that counts elapsed time, in minutes.
    private var leastInterval: Int? {
        rules.compactMap { rule in
            switch rule.pattern {
            case .interval(let seconds, _, _), .afterLast(let seconds, _, _): Int(seconds / 60)
            case .days, .once, .asNeeded: nil
            }
        }
        .min()
    }

    /// Sets what depends on the other doses of the plan.
    private func compareNeighbours(_ found: inout [Due], _ interval: Int?) {
        var spacings = NominalSpacings(found)
        var (day, nominal) = (Day?.none, Int?.none)
        for index in found.indices {
            let (wall, due) = (found[index].wall, found[index].due)
            if index > 0 {
                let gap = minutes(from: found[index - 1].due, to: due)
                if gap <= 2 * 1_440 { found[index].sincePrevious = gap }
            }
            if day != wall.day { (day, nominal) = (wall.day, spacings.least(on: wall.day)) }
            let spacing = [nominal, interval].compactMap(\.self).min()
            found[index].spacing = spacing
            guard let limit = limits.minimumInterval ?? spacing.map({ $0 / 2 }) else { continue }
            // Two rules may plan doses for one time; these belong together.
            var (before, after) = (index - 1, index + 1)
            while before >= 0, found[before].wall == wall { before -= 1 }
            while after < found.count, found[after].wall == wall { after += 1 }
            var closest = Int.max
            if before >= 0 { closest = minutes(from: found[before].due, to: due) }
            if after < found.count { closest = min(closest, minutes(from: due, to: found[after].due)) }
            guard closest < limit else { continue }
            found[index].closeTo = closest
            found[index].needsDecision = found[index].isInGap
        }
    }

    private func minutes(from one: Instant, to other: Instant) -> Int {
        Int((other.microseconds - one.microseconds).magnitude / 60_000_000)
    }
}

/// The distances by the clock between doses that follow each other.
private struct NominalSpacings {
    private struct Gap {
        /// The days on which the distance counts: those within two days of both doses.
        let days: ClosedRange<Day>
        let minutes: Int
    }

    /// In ascending order, of the first days and of the last ones.
    private var gaps: [Gap] = []
    /// The first gap that may count on the day that was asked for last.
    private var next = 0

    init(_ found: [Due]) {
        var walls: [WallMoment] = []
        walls.reserveCapacity(found.count)
        for index in found.indices {
            // Doses in steps of elapsed time have no distance by the clock.
            if case .number = found[index].slot { continue }
            walls.append(found[index].wall)
        }
        if zip(walls, walls.dropFirst()).contains(where: { $1 < $0 }) { walls.sort() }
        for (earlier, later) in zip(walls, walls.dropFirst()) where earlier != later {
            let (first, last) = (later.day.adding(days: -2), earlier.day.adding(days: 2))
            if first <= last { gaps.append(Gap(days: first...last, minutes: later.minutes - earlier.minutes)) }
        }
    }

    /// Returns the least distance that counts on a day; fastest if the days ascend.
    mutating func least(on day: Day) -> Int? {
        if next > 0, gaps[next - 1].days.upperBound >= day { next = 0 }
        while next < gaps.count, gaps[next].days.upperBound < day { next += 1 }
        var least: Int?
        var index = next
        while index < gaps.count, gaps[index].days.lowerBound <= day {
            least = min(least ?? .max, gaps[index].minutes)
            index += 1
        }
        return least
    }
}

extension Due {
    /// Whether a dose comes before another one: by its moment, then by its clock time and its name.
    fileprivate static func isInOrder(_ one: Due, _ other: Due) -> Bool {
        if one.due != other.due { return one.due < other.due }
        return one.wall == other.wall ? one.slot.description < other.slot.description : one.wall < other.wall
    }
}

extension WallMoment {
    /// The minutes since the start of 1970 by this clock.
    var minutes: Int { Int(day.daysSince1970) * 1_440 + (time?.minutes ?? 0) }
}

extension PlanRule {
    /// Returns the doses that are due from `start` until before `end`, without what depends on other doses.
    fileprivate func due(from start: Instant, until end: Instant, _ clock: PersonClock, _ doses: [LoggedDose]) -> [Due]
    {
        switch pattern {
        case .days(let filter, let times): days(filter, times, start, end, clock)
        case .interval(let seconds, let first, let intake): steps(seconds, first, intake, start, end, clock)
        case .afterLast(let seconds, let first, let intake):
            chain(seconds, first, intake, clock, doses).filter { $0.due >= start && $0.due < end }
        case .once(let wall, let intake):
            [at(wall, .once(rule: id), intake, clock)].filter { applies(at: wall) && $0.due >= start && $0.due < end }
        case .asNeeded: []
        }
    }

    private func at(_ wall: WallMoment, _ slot: Slot, _ intake: Intake, _ clock: PersonClock) -> Due {
        let moment = clock.moment(of: wall)
        return Due(
            slot: slot,
            wall: wall,
            due: moment.instant,
            intake: intake,
            recordedAt: recordedAt,
            isInGap: moment.isInGap
        )
    }

    private func days(
        _ filter: DayFilter,
        _ times: [DoseTime],
        _ start: Instant,
        _ end: Instant,
        _ clock: PersonClock
    ) -> [Due] {
        // A jump of the clock moves a dose by up to 26 hours, so days on either side are computed as well.
        let first = max(clock.day(at: start).adding(days: -2), from.day)
        let last = min(clock.day(at: end).adding(days: 2), until?.day ?? Day(daysSince1970: .max))
        guard first <= last else { return [] }
        var found: [Due] = []
        for number in first.daysSince1970...last.daysSince1970 {
            let day = Day(daysSince1970: number)
            guard filter.passes(day) else { continue }
            for time in times {
                let wall = WallMoment(day: day, time: time.at)
                guard applies(at: wall) else { continue }
                let due = at(wall, .time(rule: id, day: day, time: time.id), time.intake, clock)
                if due.due >= start, due.due < end { found.append(due) }
            }
        }
        return found
    }

    private func steps(
        _ seconds: Int64,
        _ first: Instant,
        _ intake: Intake,
        _ start: Instant,
        _ end: Instant,
        _ clock: PersonClock
    ) -> [Due] {
        let step = max(1, seconds) * Instant.microsecondsPerSecond
        var number = max(0, (start.microseconds - first.microseconds + step - 1).dividedRoundingDown(by: step).quotient)
        var found: [Due] = []
        while case let due = Instant(microseconds: first.microseconds + number * step), due < end {
            let wall = clock.wall(at: due)
            if applies(at: wall) {
                let slot = Slot.number(rule: id, Int(number))
                found.append(Due(slot: slot, wall: wall, due: due, intake: intake, recordedAt: recordedAt))
            }
            number += 1
            if found.count > Plan.maximumSlots { break }
        }
        return found
    }

    /// Returns the doses from which the next one of this rule may count: its own and, if they count, those that were
    /// taken outside the plan.
    fileprivate func counted(_ doses: [LoggedDose], isAlone: Bool) -> [LoggedDose] {
        guard case .afterLast = pattern else { return [] }
        return doses.filter { dose in
            dose.slot.map { $0.rule == id } ?? (isAlone && dose.status == .taken)
        }
    }

    /// Returns the doses that were logged, each when it was due, and the one that is due next.
    fileprivate func chain(
        _ seconds: Int64,
        _ first: Instant,
        _ intake: Intake,
        _ clock: PersonClock,
        _ doses: [LoggedDose]
    ) -> [Due] {
        let logged = doses.sorted { ($0.at, $0.id.text) < ($1.at, $1.id.text) }
        var found: [Due] = []
        func append(_ slot: Slot, _ due: Instant) {
            let wall = clock.wall(at: due)
            if applies(at: wall) {
                found.append(Due(slot: slot, wall: wall, due: due, intake: intake, recordedAt: recordedAt))
            }
        }
        func after(_ dose: LoggedDose?) -> Instant {
            guard let dose else { return first }
            return Instant(microseconds: dose.at.microseconds + seconds * Instant.microsecondsPerSecond)
        }
        var last: LoggedDose?
        for dose in logged {
            if let slot = dose.slot { append(slot, after(last)) }
            last = dose
        }
        append(.after(rule: id, dose: last?.id), after(last))
        return found
    }
}

extension Plan {
    /// Returns a planned dose by its name; nil if the plan has no such dose.
    ///
    /// `doses` contains all logged doses of the plan, if a rule counts from the last dose.
    package func due(_ slot: Slot, _ clocks: CareClocks, doses: [LoggedDose] = []) throws(ModelError) -> Due? {
        guard let rule = rules.first(where: { $0.id == slot.rule }),
            let moment = rule.moment(of: slot, clocks.clock(of: rule), rule.counted(doses, isAlone: restarts))
        else { return nil }
        return try due(from: moment, until: Instant(microseconds: moment.microseconds + 1), clocks, doses: doses)
            .first { $0.slot == slot }
    }
}

extension PlanRule {
    /// Returns when a dose with a name would be due, whether or not the rule applies then.
    fileprivate func moment(of slot: Slot, _ clock: PersonClock, _ doses: [LoggedDose]) -> Instant? {
        switch (slot, pattern) {
        case (.time(_, let day, let id), .days(_, let times)):
            return times.first { $0.id == id }.map { clock.moment(of: WallMoment(day: day, time: $0.at)).instant }
        case (.number(_, let number), .interval(let seconds, let first, _)):
            let (distance, overflow) = Int64(number).multipliedReportingOverflow(by: seconds)
            guard !overflow, distance < Int64(Int32.max) * 86_400 else { return nil }
            return Instant(microseconds: first.microseconds + distance * Instant.microsecondsPerSecond)
        case (.once, .once(let wall, _)):
            return clock.moment(of: wall).instant
        case (.after, .afterLast(let seconds, let first, let intake)):
            return chain(seconds, first, intake, clock, doses).first { $0.slot == slot }?.due
        default:
            return nil
        }
    }
}
