import Foundation
import Testing

@testable import HealthModel

/// Which rules of a plan apply at a moment, and which of them a change replaces.
@Suite("Rules that apply")
struct PlanApplyingTests {
    /// A rule for each form; `until` is not included.
    private static func rule(
        _ form: PlanRule.Pattern.Form = .daily,
        _ text: String = "08:00=1",
        from: String = "2026-03-01",
        until: String? = nil
    ) throws -> PlanRule {
        let first = try WallMoment(parsing: from)
        return PlanRule(
            id: UUID(),
            from: first,
            until: try until.map { try WallMoment(parsing: $0) },
            pattern: try PlanRule.Pattern(form, parsing: text, anchor: first.day) { UUID() },
            recordedAt: .epoch
        )
    }

    private static func moment(_ text: String) throws -> WallMoment { try WallMoment(parsing: text) }

    @Test(
        "A rule applies from its start until before its end, and a single dose until its moment",
        arguments: [
            ("2026-02-28T23:59", false, false), ("2026-03-01", true, false), ("2026-03-10T23:59", true, false),
            ("2026-03-11", false, true), ("2026-04-01", false, true),
        ]
    )
    func applies(_ text: String, _ applies: Bool, _ hasEnded: Bool) throws {
        let moment = try Self.moment(text)
        let rule = try Self.rule(until: "2026-03-11")
        #expect(rule.applies(at: moment) == applies)
        #expect(rule.hasEnded(at: moment) == hasEnded)
        let once = try Self.rule(.once, "2026-03-10T23:59=1")
        #expect(once.applies(at: moment) == applies)
        #expect(once.hasEnded(at: moment) == hasEnded)
    }

    @Test(
        "Of a plan that is stopped nothing applies from then on, and of a plan whose stop lies ahead what begins before"
    )
    func stopped() throws {
        let (first, later) = (try Self.rule(), try Self.rule(from: "2026-04-01"))
        let last = try Self.rule(from: "2026-05-01")
        var plan = Plan(id: UUID(), rules: [first, later, last], stopped: try Self.moment("2026-04-15"))
        #expect(plan.rules(at: try Self.moment("2026-03-05")) == [first])
        #expect(plan.rules(from: try Self.moment("2026-03-05")) == [first, later])
        #expect(plan.rules(at: try Self.moment("2026-04-14T23:59")) == [first, later])
        #expect(plan.rules(at: try Self.moment("2026-04-15")).isEmpty)
        #expect(plan.rules(from: try Self.moment("2026-04-15")).isEmpty)
        plan.stopped = nil
        #expect(plan.rules(from: try Self.moment("2026-04-15")) == [first, later, last])
    }

    @Test("A dose is taken when needed only while a rule permits it")
    func whenNeeded() throws {
        let needed = try Self.rule(.asNeeded, "1", until: "2026-03-11")
        let alone = Plan(id: UUID(), rules: [needed])
        #expect(alone.isTakenWhenNeeded(at: try Self.moment("2026-03-10T12:00")))
        #expect(!alone.isTakenWhenNeeded(at: try Self.moment("2026-03-11")))
        // What was taken before the plan was recorded belongs to it.
        #expect(alone.isTakenWhenNeeded(at: try Self.moment("2026-02-01")))
        let mixed = Plan(id: UUID(), rules: [try Self.rule(), needed])
        #expect(mixed.isTakenWhenNeeded(at: try Self.moment("2026-03-10T12:00")))
        #expect(!mixed.isTakenWhenNeeded(at: try Self.moment("2026-03-11")))
        #expect(!mixed.isTakenWhenNeeded(at: try Self.moment("2026-02-01")))
        let stopped = Plan(id: UUID(), rules: [needed], stopped: try Self.moment("2026-03-05"))
        #expect(!stopped.isTakenWhenNeeded(at: try Self.moment("2026-03-06")))
        #expect(Plan(id: UUID(), rules: []).isTakenWhenNeeded(at: try Self.moment("2026-03-06")))
    }

    @Test("A change replaces the rule that was chosen, all rules or none; what it does not replace is kept")
    func replacing() throws {
        let (first, second) = (try Self.rule(), try Self.rule(.weekdays, "mon@21:00=1"))
        let (ended, later) = (try Self.rule(until: "2026-03-11"), try Self.rule(from: "2026-06-01"))
        let plan = Plan(id: UUID(), rules: [first, second, ended, later])
        let effective = try Self.moment("2026-04-01")
        let chosen = try plan.replacing(.rule(first.id), from: effective)
        #expect(chosen.replacement == .rule(first.id))
        #expect(chosen.replaced == [first])
        #expect(chosen.kept == [second, later])
        let all = try plan.replacing(.all, from: effective)
        #expect(all.replacement == .all)
        #expect(all.replaced == [first, second, later])
        #expect(all.kept.isEmpty)
        let none = try plan.replacing(.nothing, from: effective)
        #expect(none.replacement == .nothing)
        #expect(none.replaced.isEmpty)
        #expect(none.kept == [first, second, later])
        #expect(throws: ScheduleReplacement.Problem.severalRules) { try plan.replacing(nil, from: effective) }
        #expect(throws: ScheduleReplacement.Problem.endedRule) { try plan.replacing(.rule(ended.id), from: effective) }
        #expect(throws: ScheduleReplacement.Problem.unknownRule) { try plan.replacing(.rule(UUID()), from: effective) }
        // Before its end it can be replaced, and one rule alone needs no choice.
        #expect(try plan.replacing(.rule(ended.id), from: Self.moment("2026-03-10")).replaced == [ended])
        #expect(try Plan(id: UUID(), rules: [first, ended]).replacing(nil, from: effective).replaced == [first])
        // A rule that begins later is not replaced unless somebody says so.
        let planned = Plan(id: UUID(), rules: [first, later])
        #expect(throws: ScheduleReplacement.Problem.severalRules) { try planned.replacing(nil, from: effective) }
    }

    @Test("A plan that is stopped by then starts again with the new rules alone, whichever was chosen")
    func restarting() throws {
        let rule = try Self.rule()
        let plan = Plan(id: UUID(), rules: [rule], stopped: try Self.moment("2026-03-20"))
        for choice in [nil, EntryContent.Replacement.all, .rule(rule.id)] {
            let change = try plan.replacing(choice, from: Self.moment("2026-04-01"))
            #expect(change == ScheduleReplacement(replacement: .all, replaced: [], kept: []))
        }
    }

    @Test("A stopped plan can be changed after the day on which a later rule was to begin")
    func neverBegun() throws {
        var content = EntryContent(kind: Drug.kind)
        try content.set("name", text: "Prednisone")
        content.addRule(try Self.rule(until: "2026-03-11"))
        content.addRule(try Self.rule(from: "2026-03-11"))
        content.stop(at: try Self.moment("2026-03-05"), why: .advised)
        var changed = content
        let effective = try Self.moment("2026-04-01")
        changed.changeSchedule(to: [try Self.rule(from: "2026-04-01")], from: effective)
        try PlanChange.check(from: content, to: changed)
        // It must not come back with its old start.
        var revived = changed
        revived.body[PlanFields.rules] = .list(
            changed.body.values(PlanFields.rules) + [.group(content.body.groups(PlanFields.rules)[1])]
        )
        #expect(throws: ModelError.self) { try PlanChange.check(from: content, to: revived) }
    }
}
