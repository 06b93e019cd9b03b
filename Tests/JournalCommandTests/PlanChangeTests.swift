import Foundation
import Interchange
import TestSupport
import Testing

/// Changes of plans, and doses outside them, with the commands alone.
@Suite("Changes of plans on the command line")
struct PlanChangeTests {
    private let plans: PlanFixture
    private var tool: CommandLineTool { plans.tool }

    init() throws {
        plans = try PlanFixture()
    }

    @Test("A rule that has ended cannot be replaced, and the message names the options that help")
    func endedRule() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", "2027-03-01", "--until", "2027-03-31")
        let change = ["plan", "change", plan, "--effective", "2027-05-01", "--daily", "09:00=1"]
        let refused = try tool.run(change + ["--rule", "1"])
        #expect(refused.status == 1)
        #expect(refused.message.contains("rule: this rule has ended"))
        #expect(refused.message.contains("--no-rule"))
        #expect(try plans.due("2027-05-01", "2027-05-03").isEmpty)
        // Before its end it is replaced, and keeps what was before.
        let early = ["plan", "change", plan, "--effective", "2027-03-20", "--daily", "09:00=1", "--rule", "1"]
        try tool.run(early).succeeded()
        #expect(
            try plans.column("wall", of: plans.due("2027-03-19", "2027-03-21")) == [
                "2027-03-19T08:00", "2027-03-20T09:00",
            ]
        )
        try tool.run(change + ["--no-rule"]).succeeded()
    }

    @Test("A course whose amounts change still ends when it was to end, unless another end is given")
    func courseKeepsItsEnd() throws {
        let course = ["--daily", "08:00=1", "--from", "2027-03-01", "--until", "2027-03-07"]
        let plan = try plans.plan("Clarithromycin", course[0], course[1], course[2], course[3], course[4], course[5])
        let change = ["plan", "change", plan, "--effective", "2027-03-04", "--daily", "09:00=2"]
        try tool.run(change).succeeded()
        #expect(
            try plans.column("wall", of: plans.due("2027-03-06", "2027-03-20")) == [
                "2027-03-06T09:00", "2027-03-07T09:00",
            ]
        )
        try tool.run(change + ["--until", "2027-03-06"]).succeeded()
        #expect(try plans.column("wall", of: plans.due("2027-03-06", "2027-03-20")) == ["2027-03-06T09:00"])
    }

    @Test("An end before the start is refused with the name of the option", arguments: ["change", "add"])
    func endBeforeStart(_ command: String) throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", "2027-03-01")
        let end = ["--daily", "09:00=1", "--until", "2027-04-30"]
        let start =
            command == "add"
            ? ["plan", "add", plans.record, "Other", "--from", "2027-05-01"]
            : ["plan", "change", plan, "--effective", "2027-05-01"]
        let refused = try tool.run(start + end)
        #expect(refused.status == 64)
        #expect(refused.message.contains("--until must be after the start"))
        #expect(!refused.message.contains("rules."))
    }

    @Test("What is taken when needed after the end of its rule, or after the stop of its plan, is outside the plan")
    func asNeededPastItsEnd() throws {
        let needed = ["--as-needed", "--amount", "1", "--from", "2026-03-01"]
        let ended = try plans.plan(
            "Ibuprofen",
            needed[0],
            needed[1],
            needed[2],
            needed[3],
            needed[4],
            "--until",
            "2026-03-10"
        )
        let stopped = try plans.plan("Cetirizine", needed[0], needed[1], needed[2], needed[3], needed[4])
        try tool.json("plan", "stop", stopped, "--at", "2026-03-11", "--why", "finished")
        for (plan, warnings) in [(ended, [JSONValue]()), (stopped, [.string("stopped")])] {
            let before = try tool.json("dose", "take", plan, "--at", "2026-03-10T12:00")
            #expect(before["warnings"]?.items == [])
            let asked = try tool.run("dose", "take", plan, "--at", "2026-03-11T12:00")
            #expect(asked.status == 4, "\(asked.message)")
            #expect(asked.message.contains("no dose at that time"), "\(asked.message)")
            let after = try tool.json("dose", "take", plan, "--at", "2026-03-11T12:00", "--yes")
            #expect(after["warnings"]?.items == [.string("unplanned")] + warnings)
        }
        #expect(try plans.total("asNeeded", "2026-03-10", "2026-03-11") == .number("2"))
        #expect(try plans.total("asNeeded", "2026-03-11", "2026-03-12") == .number("0"))
        #expect(try plans.total("unplanned", "2026-03-11", "2026-03-12") == .number("2"))
    }

    @Test("Of a plan that is paused or stopped, no dose is possible now")
    func possibleNow() throws {
        let plan = try plans.plan("Ibuprofen", "--as-needed", "--amount", "1", "--most", "3", "--from", "2026-03-01")
        func isPossible() throws -> Bool {
            try tool.run("today", plans.record).succeeded().text.contains("Ibuprofen: possible now, 3 of 3 left")
        }
        #expect(try isPossible())
        try tool.json("plan", "pause", plan)
        #expect(try !isPossible())
        try tool.json("plan", "resume", plan)
        #expect(try isPossible())
        try tool.json("plan", "stop", plan, "--why", "finished")
        #expect(try !isPossible())
    }

    @Test("A second dose of a planned one is outside the plan, also if the plan has doses when needed")
    func takenAgain() throws {
        let plan = try plans.plan("Ibuprofen", "--daily", "08:00=1", "--from", "2026-03-01")
        let more = ["plan", "change", plan, "--effective", "2026-03-01", "--as-needed", "--amount", "2", "--no-rule"]
        try tool.run(more).succeeded()
        let take = ["dose", "take", "\(plan)@2026-03-02T08:00", "--format", "json"]
        try tool.run(take + ["--at", "2026-03-02T08:05"]).succeeded()
        let again = try tool.run(take + ["--at", "2026-03-02T11:00", "--again"]).succeeded().json
        #expect(again["warnings"]?.items == [.string("unplanned")])
        for (name, count) in [
            ("due", "1"), ("taken", "1"), ("percentage", "100"), ("unplanned", "1"), ("asNeeded", "0"),
        ] {
            #expect(try plans.total(name, "2026-03-02", "2026-03-03") == .number(count), "\(name)")
        }
        // A dose that nobody planned for the morning is still one that was needed.
        try tool.json("dose", "take", plan, "--as-needed", "--at", "2026-03-02T15:00")
        #expect(try plans.total("asNeeded", "2026-03-02", "2026-03-03") == .number("1"))
        #expect(try plans.total("unplanned", "2026-03-02", "2026-03-03") == .number("1"))
        let today = try tool.run("today", plans.record, "--day", "2026-03-02").succeeded().text
        #expect(today.contains("Ibuprofen"))
    }

    @Test("A strength, and a taper, have the substance that a list knows for the name", arguments: [true, false])
    func substanceWithStrength(_ isTaper: Bool) throws {
        func added(_ name: String, _ more: String...) throws -> JSONValue {
            let taper = [
                "plan", "taper", plans.record, name, "--from", "2027-03-20", "--at", "08:00", "--steps", "500x5",
            ]
            let plan = ["plan", "add", plans.record, name, "--daily", "08:00=1"]
            let strength = ["--strength", "500 mg", "--format", "json"]
            let added = try tool.run((isTaper ? taper : plan) + strength + more).succeeded().json
            return try plans.entry(added.string("entry"))
        }
        let known = JSONWriter.text(try added("Acetaminophen"))
        #expect(known.contains(#""name":"paracetamol""#))
        #expect(known.contains(#""strength":"500""#))
        #expect(known.contains(#""inferred":["substances"]"#))
        let unknown = JSONWriter.text(try added("Zqxol"))
        #expect(unknown.contains(#""substances":[{"name":"Zqxol""#) && !unknown.contains("inferred"))
        let given = JSONWriter.text(try added("Acetaminophen", "--substance", "mine"))
        #expect(given.contains(#""name":"mine""#))
        #expect(!given.contains("inferred"))
    }

    @Test("An entry without a plan is shown as such, and how times are planned for it")
    func noPlan() throws {
        let entry = try tool.json("entry", "add", plans.record, "drug", "name=Lisinopril").string("entry")
        let shown = try tool.run("plan", "show", entry).succeeded()
        #expect(shown.text == "Lisinopril\n")
        #expect(shown.message.contains("no times are planned"))
        #expect(shown.message.contains("plan change \(entry)"))
        let listed = try tool.run("plan", "list", plans.record).succeeded().text
        #expect(listed.contains("no times are planned"))
        try tool.run("plan", "change", entry, "--daily", "08:00=1").succeeded()
        #expect(try tool.run("plan", "show", entry).succeeded().text.contains("daily 08:00=1"))
    }
}
