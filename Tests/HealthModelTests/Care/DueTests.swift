import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// What is due, in cases that were computed by hand.
@Suite("What is due")
struct DueTests {
    @Test("After more doses than the maximum, one is left only when enough of them have left the period")
    func leftAfterTooMany() throws {
        let limits = DoseLimits(maximumDoses: 2, period: 1_440)
        let now = try Instant(parsing: "2026-03-02T12:00:00Z")
        let doses = [18, 12, 6]
            .map { hours in
                LoggedDose(id: UUID(), plan: UUID(), status: .taken, at: now.adding(minutes: -60 * hours))
            }
        let allowance = try #require(limits.allowance(after: doses, amount: nil, now: now))
        #expect(allowance.left == 0)
        // The first of the three leaves at 18:00, and still none is left; the second leaves at midnight.
        #expect(allowance.until == (try Instant(parsing: "2026-03-03T00:00:00Z")))
        #expect(allowance.from == allowance.until)
    }

    @Test("A daily dose keeps its time by the clock when the clocks change")
    func daily() throws {
        let plan = try Plan(daily: "08:00=1", from: "2026-03-01")
        let due = try plan.due("2026-03-01", "2026-04-01", CareClocks("Europe/Zurich", plan: plan))
        #expect(due.count == 31)
        #expect(due.allSatisfy { $0.wall.description.hasSuffix("T08:00") })
        #expect(due[27].due == (try .at("2026-03-28T07:00:00Z")))
        #expect(due[28].due == (try .at("2026-03-29T06:00:00Z")))
    }

    @Test("A time that the clock skips is due with the offset before, and a time that it shows twice is due once")
    func gapAndFold() throws {
        let plan = try Plan(daily: "02:30=1", from: "2026-03-01")
        let clocks = try CareClocks("Europe/Zurich", plan: plan)
        let spring = try plan.due("2026-03-28", "2026-03-31", clocks)
        #expect(spring.map(\.isInGap) == [false, true, false])
        #expect(spring[1].due == (try .at("2026-03-29T01:30:00Z")))
        #expect(spring.allSatisfy { !$0.needsDecision })
        let autumn = try plan.due("2026-10-25", "2026-10-26", clocks)
        #expect(autumn.map(\.due) == [try .at("2026-10-25T00:30:00Z")])
    }

    @Test("A dose that a flight brings close to the next one is left to the person")
    func flightEast() throws {
        let plan = try Plan(daily: "08:00=1,14:00=1,20:00=1", from: "2026-04-01")
        let clocks = try CareClocks("Europe/Lisbon", ("2026-05-04T11:00:00Z", "Asia/Kathmandu"), plan: plan)
        let due = try plan.due("2026-05-04", "2026-05-05", clocks)
        #expect(
            due.map(\.due) == [
                try .at("2026-05-04T07:00:00Z"), try .at("2026-05-04T13:00:00Z"), try .at("2026-05-04T14:15:00Z"),
            ]
        )
        #expect(due.map(\.isInGap) == [false, true, false])
        #expect(due.map(\.needsDecision) == [false, true, false])
        #expect(due.map(\.closeTo) == [nil, 75, 75])
    }

    @Test("A dose that was due before a flight back is not due again")
    func flightWest() throws {
        let plan = try Plan(daily: "08:00=1,14:00=1,20:00=1", from: "2026-04-01")
        let clocks = try CareClocks(
            "Europe/Lisbon",
            ("2026-05-04T11:00:00Z", "Asia/Kathmandu"),
            ("2026-05-18T03:15:00Z", "Europe/Lisbon"),
            plan: plan
        )
        let due = try plan.due("2026-05-18", "2026-05-19", clocks)
        #expect(due.map(\.due).prefix(2) == [try .at("2026-05-18T02:15:00Z"), try .at("2026-05-18T13:00:00Z")])
        #expect(due.count == 3)
        #expect(due[1].sincePrevious == 10 * 60 + 45)
    }

    @Test(
        "A day that the clock skips",
        arguments: [
            ("Pacific/Honolulu", "2026-12-02T08:00:00Z", "Pacific/Auckland", "2026-12-02", "2026-12-02T18:00:00Z"),
            ("Pacific/Apia", "2011-01-01T00:00:00Z", "Pacific/Apia", "2011-12-30", "2011-12-30T18:00:00Z"),
        ]
    )
    func skippedDay(home: String, from: String, zone: String, day: String, due: String) throws {
        let plan = try Plan(daily: "08:00=1", from: "2010-01-01")
        let clocks = try CareClocks(home, (from, zone), plan: plan)
        let middle = try Instant.at(due)
        let found = try plan.due(from: middle.adding(minutes: -2_880), until: middle.adding(minutes: 2_880), clocks)
        let skipped = try #require(found.first { $0.wall.day.description == day })
        #expect(skipped.due == middle)
        #expect(skipped.isInGap)
        #expect(skipped.needsDecision)
        #expect(found.count { $0.needsDecision } == 1)
    }

    @Test("Steps of 36 hours drift by the clock")
    func interval() throws {
        let start = try Instant.at("2026-03-27T07:00:00Z")
        let pattern = PlanRule.Pattern.interval(seconds: 36 * 3_600, start: start, Intake())
        let first = WallMoment(day: try Day(parsing: "2026-03-26"))
        let plan = Plan(id: .zero, rules: [PlanRule(id: .zero, from: first, pattern: pattern, recordedAt: .epoch)])
        let due = try plan.due("2026-03-26", "2026-04-03", CareClocks("Europe/Zurich", plan: plan))
        #expect(
            due.map(\.wall.description) == [
                "2026-03-27T08:00", "2026-03-28T20:00", "2026-03-30T09:00", "2026-03-31T21:00", "2026-04-02T09:00",
            ]
        )
    }

    @Test("A cycle of 21 days on and 7 off")
    func cycle() throws {
        let anchor = try Day(parsing: "2026-03-01")
        let pattern = try PlanRule.Pattern(.cycle, parsing: "21/7@22:00=1", anchor: anchor) { .zero }
        let rule = PlanRule(id: .zero, from: WallMoment(day: anchor), pattern: pattern, recordedAt: .epoch)
        let plan = Plan(id: .zero, rules: [rule])
        let clocks = try CareClocks("Europe/Zurich", plan: plan)
        let march = try plan.due("2026-03-01", "2026-04-01", clocks)
        #expect(march.count == 24)
        #expect(march.allSatisfy { !(22...28).contains($0.wall.day.day) })
        let april = try plan.due("2026-04-01", "2026-05-01", clocks).map(\.wall.day.day)
        #expect(april == Array(1...18) + Array(26...30))
    }

    @Test("A taper has one rule for each step, and refuses a dose that is no whole number of half units")
    func taper() throws {
        let strength = try ExactDecimal(parsing: "5")
        let eight = try WallTime(parsing: "08:00")
        let first = try Day(parsing: "2026-03-20")
        let rules = try PlanRule.taper(
            strength: strength,
            from: first,
            at: eight,
            steps: "40x5,30x5,20x5,10x5,5x5",
            recordedAt: .epoch
        )
        let plan = Plan(id: .zero, rules: rules)
        let due = try plan.due("2026-03-01", "2026-05-01", CareClocks("Europe/Zurich", plan: plan))
        #expect(due.count == 25)
        let amounts = due.compactMap { due in due.intake.amount.flatMap { Int($0.description) } }
        #expect(amounts.reduce(0, +) == 105)
        #expect(due.last?.wall.description == "2026-04-13T08:00")
        let commas = try PlanRule.taper(
            strength: strength,
            from: first,
            at: eight,
            steps: "12,5x1; 10x1",
            recordedAt: .epoch
        )
        let reduced = try Plan(id: .zero, rules: commas).due("2026-03-01", "2026-05-01", CareClocks("UTC", plan: plan))
        #expect(reduced.map { $0.intake.amount?.description } == ["2.5", "2"])
        for steps in ["4x5", "40", "40x0", "40x5,", "-5x3", "", "12,5x3", "40x5,12,5x3"] {
            #expect(throws: ModelError.self, "\(steps)") {
                try PlanRule.taper(strength: strength, from: first, at: eight, steps: steps, recordedAt: .epoch)
            }
        }
    }

    @Test("Every second day, weekdays, days of the month")
    func filters() throws {
        func days(_ form: PlanRule.Pattern.Form, _ text: String) throws -> [Int] {
            let anchor = try Day(parsing: "2026-02-01")
            let pattern = try PlanRule.Pattern(form, parsing: text, anchor: anchor) { .zero }
            let rule = PlanRule(id: .zero, from: WallMoment(day: anchor), pattern: pattern, recordedAt: .epoch)
            let plan = Plan(id: .zero, rules: [rule])
            return try plan.due("2026-02-01", "2026-03-01", CareClocks("UTC", plan: plan)).map(\.wall.day.day)
        }
        #expect(try days(.days, "2@08:00=1") == Array(stride(from: 1, through: 27, by: 2)))
        #expect(try days(.weekdays, "mon,thu@08:00=1") == [2, 5, 9, 12, 16, 19, 23, 26])
        #expect(try days(.monthDays, "1,31@08:00=1") == [1, 28])
        #expect(try days(.monthDays, "last@08:00=1") == [28])
    }

    @Test("The next dose after the last one is one dose, however long ago that was")
    func chain() throws {
        let start = try Instant.at("2026-03-01T08:00:00Z")
        let pattern = PlanRule.Pattern.afterLast(seconds: 8 * 3_600, start: start, Intake())
        let rule = PlanRule(
            id: .zero,
            from: WallMoment(day: try Day(parsing: "2026-02-28")),
            pattern: pattern,
            recordedAt: .epoch
        )
        let plan = Plan(id: .zero, rules: [rule])
        let clocks = try CareClocks("UTC", plan: plan)
        let (from, to) = (try Instant.at("2026-03-01T00:00:00Z"), try Instant.at("2026-03-08T00:00:00Z"))
        let first = try plan.due(from: from, until: to, clocks)
        #expect(first.map(\.slot) == [.after(rule: .zero, dose: nil)])
        var random = SeededGenerator(seed: 7)
        let dose = LoggedDose.taken(first[0].slot, at: try .at("2026-03-02T09:10:00Z"), &random)
        let next = try plan.due(from: from, until: to, clocks, doses: [dose])
        #expect(next.map(\.slot) == [.after(rule: .zero, dose: nil), .after(rule: .zero, dose: dose.id)])
        #expect(next[1].due == (try .at("2026-03-02T17:10:00Z")))
        let state = try plan.day(from: from, until: to, clocks, doses: [dose], now: try .at("2026-03-07T00:00:00Z"))
        #expect(state.slots.map(\.state) == [.taken, .overdue])
    }

    /// A patch every 72 hours after the last one, by a clock of UTC.
    private func patch(
        recordedAt: Instant = .epoch,
        until: WallMoment? = nil,
        pauses: [PlanPause] = []
    ) throws -> (plan: Plan, clocks: CareClocks) {
        let rule = PlanRule(
            id: .zero,
            from: WallMoment(day: try Day(parsing: "2026-11-28")),
            until: until,
            pattern: .afterLast(seconds: 72 * 3_600, start: try .at("2026-11-29T08:00:00Z"), Intake()),
            recordedAt: recordedAt
        )
        let plan = Plan(id: .zero, rules: [rule], pauses: pauses)
        return (plan, try CareClocks("UTC", plan: plan))
    }

    private func day(
        _ day: String,
        _ made: (plan: Plan, clocks: CareClocks),
        _ doses: [LoggedDose] = [],
        at now: String? = nil
    ) throws -> PlanDay {
        let start = try Day(parsing: day).startInstant
        return try made.plan.day(
            from: start,
            until: start.adding(minutes: 1_440),
            made.clocks,
            doses: doses,
            now: try now.map { try .at($0) } ?? start.adding(minutes: 720)
        )
    }

    @Test("A dose that counts from the last one stays overdue until it is taken, and then the next one counts from it")
    func overdue() throws {
        // Recorded after the first dose was due, which makes no difference.
        let made = try patch(recordedAt: .at("2026-11-29T20:00:00Z"))
        for (day, state) in [("2026-11-29", SlotState.open), ("2026-11-30", .overdue), ("2027-03-30", .overdue)] {
            let found = try self.day(day, made).slots
            #expect(found.map(\.state) == [state])
            #expect(found.map(\.due.slot) == [.after(rule: .zero, dose: nil)])
        }
        // On another day it is not shown again.
        #expect(try day("2026-11-30", made, at: "2026-12-02T12:00:00Z").slots.isEmpty)
        var random = SeededGenerator(seed: 3)
        let dose = LoggedDose.taken(.after(rule: .zero, dose: nil), at: try .at("2026-12-09T10:00:00Z"), &random)
        let taken = try day("2026-12-09", made, [dose])
        #expect(taken.slots.map(\.state) == [.taken])
        #expect(taken.others.isEmpty)
        #expect(try day("2026-11-29", made, [dose], at: "2026-12-09T12:00:00Z").slots.isEmpty)
        let next = try day("2026-12-12", made, [dose])
        #expect(next.slots.map(\.due.due) == [try .at("2026-12-12T10:00:00Z")])
        #expect(next.slots.map(\.due.slot) == [.after(rule: .zero, dose: dose.id)])
        // One that was taken outside the plan is the last one too.
        let more = LoggedDose.taken(at: try .at("2026-12-10T10:00:00Z"), &random)
        #expect(try day("2026-12-13", made, [dose, more]).slots.map(\.due.due) == [try .at("2026-12-13T10:00:00Z")])
    }

    @Test("A pause postpones a dose that counts from the last one, and only the end of its rule ends it")
    func overdueAndPaused() throws {
        let (from, until) = (try Day(parsing: "2026-11-29"), try Day(parsing: "2026-12-05"))
        let paused = try patch(pauses: [PlanPause(from: WallMoment(day: from), until: WallMoment(day: until))])
        #expect(try day("2026-11-29", paused).slots.map(\.state) == [.paused])
        #expect(try day("2026-12-01", paused).slots.isEmpty)
        #expect(try day("2026-12-06", paused).slots.map(\.state) == [.overdue])
        let ended = try patch(until: WallMoment(day: until))
        #expect(try day("2026-12-04", ended).slots.map(\.state) == [.overdue])
        #expect(try day("2026-12-06", ended).slots.isEmpty)
        #expect(try day("2026-11-29", ended, at: "2026-12-06T12:00:00Z").slots.map(\.state) == [.missed])
    }

    @Test("A dose that was taken early stays taken when a change replaces its rule on the same day")
    func replacedRule() throws {
        var plan = try Plan(daily: "08:00=1,20:00=1", from: "2026-03-01")
        let clocks = try CareClocks("UTC", plan: plan)
        let evening = try #require(try plan.due("2026-03-05", "2026-03-06", clocks).last)
        var random = SeededGenerator(seed: 5)
        var dose = LoggedDose.taken(evening.slot, at: try .at("2026-03-05T18:00:00Z"), &random)
        (dose.planned, dose.plannedAmount) = (evening.due, dose.amount)
        let change = WallMoment(day: try Day(parsing: "2026-03-05"), time: try WallTime(parsing: "18:30"))
        plan.rules[0].until = change
        var changed = try Plan(daily: "08:00=2,21:00=2", from: "2026-03-05").rules[0]
        (changed.id, changed.from) = (random.id(), change)
        plan.rules.append(changed)
        let today = try day("2026-03-05", (plan, clocks), [dose], at: "2026-03-05T19:00:00Z")
        #expect(today.slots.map(\.state) == [.open, .taken])
        #expect(today.slots.last?.dose == dose)
        #expect(today.slots.last?.due.slot.rule == changed.id)
        #expect(today.others.isEmpty)
        // It fills no dose of another day, and none that is far from it.
        let tomorrow = try day("2026-03-06", (plan, clocks), [dose], at: "2026-03-06T09:00:00Z")
        #expect(tomorrow.slots.map(\.state) == [.open, .later])
        plan.rules[1].pattern = try Plan(daily: "08:00=2,18:45=2,21:00=2,23:15=2", from: "2026-03-05").rules[0].pattern
        let several = try day("2026-03-05", (plan, clocks), [dose], at: "2026-03-05T19:00:00Z")
        #expect(several.slots.map { $0.dose?.id } == [nil, nil, dose.id, nil])
    }

    @Test("A period that is too long, or has too many doses, is refused")
    func limits() throws {
        let plan = try Plan(daily: "08:00=1", from: "2026-03-01")
        let clocks = try CareClocks("UTC", plan: plan)
        #expect(throws: ModelError.self) { try plan.due("2026-01-01", "2027-03-01", clocks) }
        let rules = (0..<100)
            .map { index in
                var rule = plan.rules[0]
                rule.pattern = .interval(seconds: 900, start: .epoch, Intake())
                rule.id = UUID(uuid: (UInt8(index), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                return rule
            }
        #expect(throws: ModelError.self) {
            try Plan(id: .zero, rules: rules).due("2026-03-01", "2026-06-01", clocks)
        }
    }
}
