import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The laws of what is due, over random plans, journeys and time zones, real and made up.
@Suite("Laws of what is due")
struct DueLawTests {
    /// The days of the properties.
    private static let first = Day(daysSince1970: 20_454)
    private static let last = Day(daysSince1970: 20_454 + 365)

    private static func clocks(_ plan: Plan, _ random: inout SeededGenerator) throws -> CareClocks {
        let table = random.bool() ? ZoneTable.real : .random(&random)
        return try CareClocks(.random(&random), rules: plan.rules, table)
    }

    /// Returns what is due in the year and some days around it.
    private static func year(_ plan: Plan, _ clocks: CareClocks) throws -> [Due] {
        try plan.due(from: first.adding(days: -4).startInstant, until: last.adding(days: 4).startInstant, clocks)
    }

    @Test("Every time of every day that passes the filters has one moment, whatever the time zones are")
    func oneMomentEach() throws {
        try checkProperty("one moment each", times: 300) { random, comment in
            let plan = try Plan.random(&random)
            let days = DueLawTests.first...DueLawTests.last
            let expected = plan.rules.flatMap { SlowDays.slots(of: $0, in: days) }
            for _ in 0..<2 {
                let due = try DueLawTests.year(plan, DueLawTests.clocks(plan, &random))
                let slots = due.filter { days.contains($0.wall.day) }.map(\.slot)
                #expect(slots.count == Set(slots).count, comment)
                #expect(Set(slots) == Set(expected), comment)
            }
        }
    }

    @Test("What is due in two adjacent periods is what is due in both together")
    func split() throws {
        try checkProperty("adjacent periods", times: 300) { random, comment in
            let plan = try Plan.random(&random)
            let clocks = try DueLawTests.clocks(plan, &random)
            let start = DueLawTests.first.startInstant
            let times = [0, random.below(400 * 1_440), random.below(400 * 1_440)].sorted()
                .map { start.adding(minutes: $0) }
            let before = try plan.due(from: times[0], until: times[1], clocks)
            let after = try plan.due(from: times[1], until: times[2], clocks)
            #expect(before + after == (try plan.due(from: times[0], until: times[2], clocks)), comment)
        }
    }

    @Test("The clock shows the planned time of a dose, unless it skips it")
    func wallTimes() throws {
        try checkProperty("planned times", times: 200) { random, comment in
            let plan = try Plan.random(&random)
            let clocks = try DueLawTests.clocks(plan, &random)
            for due in try DueLawTests.year(plan, clocks) where !due.isInGap {
                guard let rule = plan.rules.first(where: { $0.id == due.slot.rule }) else { continue }
                #expect(clocks.clock(of: rule).wall(at: due.due) == due.wall, comment)
            }
        }
    }

    @Test("A dose is found by its name")
    func byName() throws {
        try checkProperty("doses by name", times: 100) { random, comment in
            let plan = try Plan.random(&random)
            let clocks = try DueLawTests.clocks(plan, &random)
            let year = try DueLawTests.year(plan, clocks)
            for _ in 0..<5 {
                guard let due = year.randomElement(using: &random) else { continue }
                let found = try plan.due(try Slot(parsing: due.slot.description), clocks)
                #expect(found == due, comment)
            }
        }
    }

    @Test("A change of the plan leaves what was due before it as it was")
    func changeLeavesThePast() throws {
        try checkProperty("changes of plans", times: 200) { random, comment in
            let before = try Plan.random(&random)
            let clocks = try DueLawTests.clocks(before, &random)
            var content = EntryContent(kind: Drug.kind)
            for rule in before.rules { content.addRule(rule) }
            let effective = WallMoment(
                day: DueLawTests.first.adding(days: random.int(0...360)),
                time: random.bool() ? nil : WallTime(minutes: random.below(1_440))
            )
            var rule = try PlanRule.randomDays(&random)
            (rule.from, rule.clock) = (max(rule.from, effective), .local)
            let old = content
            content.changeSchedule(to: [rule], from: effective)
            try PlanChange.check(from: old, to: content)
            let recorded = Plan.Recorded(at: .epoch, day: DueLawTests.first)
            let (one, other) = (Plan(id: .zero, old) { _ in recorded }, Plan(id: .zero, content) { _ in recorded })
            func past(_ plan: Plan) throws -> [PastDose] {
                try DueLawTests.year(plan, clocks).filter { $0.wall < effective }.map(PastDose.init)
            }
            #expect(try past(one) == past(other), comment)
            let slots = Set(try DueLawTests.year(one, clocks).map(\.slot))
            let later = try DueLawTests.year(other, clocks).filter { $0.wall >= effective }
            // A dose that was logged by an old rule never becomes a dose of the new ones.
            #expect(later.allSatisfy { !slots.contains($0.slot) }, comment)
        }
    }

    /// What must not change about a dose that was due before a change.
    private struct PastDose: Equatable {
        let slot: Slot
        let wall: WallMoment
        let due: Instant
        let intake: Intake

        init(_ due: Due) { (slot, wall, self.due, intake) = (due.slot, due.wall, due.due, due.intake) }
    }

    @Test("Steps of elapsed time are equally far apart")
    func intervals() throws {
        try checkProperty("intervals", times: 200) { random, comment in
            let minutes = random.int(15...20_000)
            let start = DueLawTests.first.startInstant.adding(minutes: random.int(-50_000...50_000))
            let rule = PlanRule(
                id: random.id(),
                from: WallMoment(day: Day(of: start).adding(days: -2)),
                pattern: .interval(seconds: Int64(minutes) * 60, start: start, Intake()),
                recordedAt: .epoch
            )
            let plan = Plan(id: random.id(), rules: [rule])
            let clocks = try DueLawTests.clocks(plan, &random)
            let from = DueLawTests.first.startInstant.adding(minutes: random.below(300_000))
            let due = try plan.due(from: from, until: from.adding(minutes: 60 * 1_440), clocks)
            let numbers = due.map { due in if case .number(_, let number) = due.slot { number } else { -1 } }
            for (one, other) in zip(due.indices, due.indices.dropFirst()) {
                #expect(due[other].due == due[one].due.adding(minutes: minutes), comment)
                #expect(numbers[other] == numbers[one] + 1, comment)
            }
            for (index, number) in numbers.enumerated() {
                #expect(due[index].due == start.adding(minutes: number * minutes), comment)
            }
        }
    }

    @Test("A rule that counts from the last dose always has one next dose, as by walking from dose to dose")
    func chains() throws {
        try checkProperty("chains", times: 300) { random, comment in
            let minutes = random.int(15...10_000)
            let start = DueLawTests.first.startInstant.adding(minutes: random.int(-20_000...20_000))
            let ruleID = random.id()
            let rule = PlanRule(
                id: ruleID,
                from: WallMoment(day: Day(of: start).adding(days: -30)),
                pattern: .afterLast(seconds: Int64(minutes) * 60, start: start, Intake(amount: random.amount())),
                recordedAt: DueLawTests.first.startInstant.adding(minutes: random.int(-20_000...60_000))
            )
            let plan = Plan(id: random.id(), rules: [rule], early: random.int(0...240), late: random.int(5...1_440))
            let clocks = try DueLawTests.clocks(plan, &random)
            var doses: [LoggedDose] = []
            var (expected, slot) = (start, Slot.after(rule: ruleID, dose: nil))
            var at = start
            for _ in 0..<random.below(8) {
                at = at.adding(minutes: random.int(1...20_000))
                // Taken or skipped as planned, or taken outside the plan.
                let isPlanned = random.below(4) > 0
                var dose = LoggedDose.taken(isPlanned ? slot : nil, at: at, amount: random.amount(), &random)
                if isPlanned, random.below(4) == 0 { (dose.status, dose.amount) = (.skipped, nil) }
                doses.append(dose)
                slot = .after(rule: ruleID, dose: dose.id)
                expected = at.adding(minutes: minutes)
            }
            // Whenever one looks, the next dose is there once: when it is due, or as one that is overdue.
            let now = at.adding(minutes: random.below(60_000))
            let day = try plan.day(
                from: min(start, at, expected).adding(minutes: -30_000),
                until: max(now, expected).adding(minutes: 1_440),
                clocks,
                doses: doses.shuffled(using: &random),
                now: now
            )
            let open = day.slots.filter { $0.dose == nil }
            #expect(open.map(\.due.slot) == [slot] && open.map(\.due.due) == [expected], comment)
            let isLate = now >= expected.adding(minutes: plan.late)
            let isEarly = now < expected.adding(minutes: -plan.early)
            #expect(open.map(\.state) == [isLate ? .overdue : isEarly ? .later : .open], comment)
            #expect(day.slots.count == doses.count { $0.slot != nil } + 1, comment)
            #expect(Set(day.others.map(\.id)) == Set(doses.filter { $0.slot == nil }.map(\.id)), comment)
            // Days contain what a whole period contains, once.
            let today = Day(of: now).startInstant
            let here = try plan.day(from: today, until: today.adding(minutes: 1_440), clocks, doses: doses, now: now)
            let isHere =
                isLate || expected >= today && expected < today.adding(minutes: 1_440)
                || expected < today && !isEarly
            #expect(here.slots.contains { $0.due.slot == slot } == isHere, comment)
        }
    }

    @Test("Every planned dose has one state, and a settled state does not change as time passes")
    func states() throws {
        try checkProperty("states", times: 200) { random, comment in
            let plan = try Plan.random(&random)
            let clocks = try DueLawTests.clocks(plan, &random)
            let start = DueLawTests.first.startInstant.adding(minutes: random.below(300 * 1_440))
            let end = start.adding(minutes: 30 * 1_440)
            var doses: [LoggedDose] = []
            for due in try plan.due(from: start, until: end, clocks) where random.below(3) == 0 {
                doses.append(.taken(due.slot, at: due.due.adding(minutes: random.int(-60...600)), &random))
            }
            let times = [random.below(60 * 1_440), random.below(60 * 1_440)].sorted()
                .map { start.adding(minutes: $0 - 10 * 1_440) }
            let early = try plan.day(from: start, until: end, clocks, doses: doses, now: times[0])
            let late = try plan.day(from: start, until: end, clocks, doses: doses, now: times[1])
            #expect(early.slots.map(\.due) == late.slots.map(\.due), comment)
            #expect(early.others == late.others, comment)
            #expect(early.slots.count { $0.dose != nil } == doses.count, comment)
            for (one, other) in zip(early.slots, late.slots) {
                if ![.open, .later].contains(one.state) { #expect(one.state == other.state, comment) }
                if one.state == .open { #expect(other.state == .open || other.state == .missed, comment) }
            }
            var count = Adherence()
            for slot in late.slots { count.add(slot) }
            #expect(count.settled + count.leftOut == late.slots.count, comment)
        }
    }

    @Test("The adherence of days and of plans adds up to that of the period")
    func adherenceAddsUp() throws {
        try checkProperty("adherence", times: 100) { random, comment in
            let plans = try (0..<3).map { _ in try Plan.random(&random) }
            let clocks = try CareClocks(.random(&random), rules: plans.flatMap(\.rules), .real)
            let start = DueLawTests.first.startInstant
            let now = start.adding(minutes: random.below(60 * 1_440))
            var byDay = Adherence()
            var byPlan = Adherence()
            for plan in plans {
                let all = try plan.due(from: start, until: start.adding(minutes: 30 * 1_440), clocks)
                let doses = all.filter { _ in random.bool() }.map { LoggedDose.taken($0.slot, at: $0.due, &random) }
                func count(_ from: Int, _ to: Int) throws -> Adherence {
                    let day = try plan.day(
                        from: start.adding(minutes: from * 1_440),
                        until: start.adding(minutes: to * 1_440),
                        clocks,
                        doses: doses,
                        now: now
                    )
                    var count = Adherence()
                    for slot in day.slots { count.add(slot) }
                    return count
                }
                byPlan = byPlan + (try count(0, 30))
                for day in 0..<30 { byDay = byDay + (try count(day, day + 1)) }
            }
            #expect(byDay == byPlan, comment)
        }
    }

    @Test("The stock depends on when things happened, not on the order in which they were told")
    func stockOrder() throws {
        try checkProperty("stock", times: 300) { random, comment in
            var changes: [StockChange] = []
            var doses: [LoggedDose] = []
            for _ in 0..<random.int(1...12) {
                let at = DueLawTests.first.startInstant.adding(minutes: random.below(20) * 720)
                if random.bool() {
                    // Some doses have no amount that can be counted.
                    doses.append(.taken(at: at, amount: random.below(6) == 0 ? nil : random.amount(), &random))
                } else {
                    let expires = DueLawTests.first.adding(days: random.below(90))
                    changes.append(
                        StockChange(
                            id: random.id(),
                            what: try random.pick(Supply.What.allCases),
                            amount: random.bool() ? random.amount() : .whole(random.below(30)),
                            at: at,
                            expires: random.bool() ? nil : expires
                        )
                    )
                }
            }
            let now = DueLawTests.first.startInstant.adding(minutes: random.below(15) * 1_440)
            let stock = Stock(changes, doses: doses, at: now)
            let shuffled = Stock(changes.shuffled(using: &random), doses: doses.shuffled(using: &random), at: now)
            #expect(stock == shuffled, comment)
            #expect(stock.level == SlowStock.level(changes, doses, at: now), comment)
            #expect(stock.uncounted == SlowStock.uncounted(changes, doses, at: now), comment)
            #expect(stock.level.map { $0 >= .zero } ?? true, comment)
            let inPacks = stock.packs.reduce(ExactDecimal.zero) { $0.adding($1.amount) ?? $0 }
            #expect(inPacks == stock.level ?? .zero, comment)
        }
    }

    @Test("Stock is used up in the order in which packs expire, and not after they expired")
    func packs() throws {
        let plan = try Plan(daily: "08:00=1", from: "2026-03-01")
        let clocks = try CareClocks("UTC", plan: plan)
        let due = try plan.due("2026-03-01", "2026-06-01", clocks)
        func received(_ amount: Int, _ expires: String?) throws -> StockChange {
            StockChange(
                id: UUID(),
                what: .received,
                amount: ExactDecimal(coefficient: Int64(amount), scale: 0),
                at: try .at("2026-02-28T00:00:00Z"),
                expires: try expires.map { try Day(parsing: $0) }
            )
        }
        let now = try Instant.at("2026-02-28T12:00:00Z")
        let both = Stock([try received(10, nil), try received(10, "2026-03-05")], doses: [], at: now)
        // Five of the pack that expires are used in time, and then the ten others.
        #expect(both.firstUncovered(of: due)?.wall.day.description == "2026-03-16")
        let plenty = Stock([try received(200, nil)], doses: [], at: now)
        #expect(plenty.firstUncovered(of: due) == nil)
    }
}

/// The days on which a rule applies, by counting day by day.
private enum SlowDays {
    static func slots(of rule: PlanRule, in days: ClosedRange<Day>) -> [Slot] {
        guard case .days(let filter, let times) = rule.pattern else { return [] }
        var slots: [Slot] = []
        for number in days.lowerBound.daysSince1970...days.upperBound.daysSince1970 {
            let day = Day(daysSince1970: number)
            guard passes(day, filter) else { continue }
            for time in times {
                let minutes = Int(number) * 1_440 + time.at.minutes
                let from = Int(rule.from.day.daysSince1970) * 1_440 + (rule.from.time?.minutes ?? 0)
                let until = rule.until.map { Int($0.day.daysSince1970) * 1_440 + ($0.time?.minutes ?? 0) }
                if minutes >= from, until.map({ minutes < $0 }) ?? true {
                    slots.append(.time(rule: rule.id, day: day, time: time.id))
                }
            }
        }
        return slots
    }

    private static func passes(_ day: Day, _ filter: DayFilter) -> Bool {
        if let every = filter.everyDays, !isReached(day, from: filter.anchor, step: every) { return false }
        if let cycle = filter.cycle {
            let starts = (0..<cycle.daysOn).map { day.adding(days: -$0) }
            let length = cycle.daysOn + cycle.daysOff
            if !starts.contains(where: { isReached($0, from: filter.anchor, step: length) }) { return false }
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400)
        if let weekdays = filter.weekdays {
            let number = (calendar.component(.weekday, from: date) + 5) % 7 + 1
            if !weekdays.contains(where: { $0.rawValue == number }) { return false }
        }
        if let monthDays = filter.monthDays {
            let length = calendar.range(of: .day, in: .month, for: date)?.count ?? 0
            let numbers = monthDays.map { if case .day(let number) = $0 { min(number, length) } else { length } }
            if !numbers.contains(calendar.component(.day, from: date)) { return false }
        }
        return true
    }

    private static func isReached(_ day: Day, from anchor: Day, step: Int) -> Bool {
        var reached = anchor
        while reached < day { reached = reached.adding(days: step) }
        while reached > day { reached = reached.adding(days: -step) }
        return reached == day
    }
}

extension ExactDecimal {
    fileprivate static func whole(_ number: Int) -> ExactDecimal { ExactDecimal(coefficient: Int64(number), scale: 0) }
}

/// The level of a stock by its definition: the last count, and what happened since.
private enum SlowStock {
    /// How many doses without an amount were taken while there was a level from which to take them, and how many amounts
    /// cannot be added to it, because the sum of the fractions would have too many digits.
    static func uncounted(_ changes: [StockChange], _ doses: [LoggedDose], at now: Instant) -> Int {
        let count = changes.filter { $0.what == .counted && $0.at <= now }.map(\.at).max()
        let withoutAmount = doses.count { dose in
            guard dose.amount == nil, dose.at <= now, count.map({ dose.at > $0 }) ?? true else { return false }
            let (at, id) = (dose.at, dose.id.text)
            let before = changes.filter { $0.what == .counted || ($0.at, $0.id.text) < (at, id) }
            return level(before, doses.filter { ($0.at, $0.id.text) < (at, id) }, at: at) != nil
        }
        return withoutAmount + sum(changes, doses, at: now).left
    }

    static func level(_ changes: [StockChange], _ doses: [LoggedDose], at now: Instant) -> ExactDecimal? {
        sum(changes, doses, at: now).level
    }

    /// Returns the level, and how many amounts were left out of it.
    private static func sum(
        _ changes: [StockChange],
        _ doses: [LoggedDose],
        at now: Instant
    ) -> (level: ExactDecimal?, left: Int) {
        let past = changes.filter { $0.at <= now }
        let count = past.filter { $0.what == .counted }.max { ($0.at, $0.id.text) < ($1.at, $1.id.text) }
        let first = past.filter { $0.what == .received }.map(\.at).min()
        guard let start = count?.at ?? first else { return (nil, 0) }
        // What happened at the moment of a count is part of it; of the first reception, it is not.
        func counts(_ at: Instant) -> Bool { at <= now && (count == nil ? at >= start : at > start) }
        var steps = past.filter { counts($0.at) && $0.what != .counted }
            .map { change in
                let isReceived = change.what == .received
                return (
                    at: change.at, id: change.id, amount: isReceived ? change.amount : -change.amount,
                    begins: isReceived
                )
            }
        steps += doses.filter { counts($0.at) }
            .map { (at: $0.at, id: $0.id, amount: -($0.amount ?? .zero), begins: false) }
        steps.sort { ($0.at, $0.id.text) < ($1.at, $1.id.text) }
        var (level, left) = (count?.amount, 0)
        for step in steps {
            // Before the first reception nothing is counted.
            if level == nil, !step.begins { continue }
            guard let sum = (level ?? .zero).adding(step.amount) else {
                left += 1
                continue
            }
            if sum < .zero { return (nil, left) }
            level = sum
        }
        return (level, left)
    }
}
