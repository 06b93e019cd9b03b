import Foundation
import Interchange
import TestSupport
import Testing

/// Commands on plans, doses and stock.
@Suite("Plans on the command line")
struct PlanTests {
    private let plans: PlanFixture
    private var tool: CommandLineTool { plans.tool }
    private var record: String { plans.record }

    init() throws {
        plans = try PlanFixture()
    }

    @Test("Each pattern is due when it says")
    func patterns() throws {
        _ = try plans.plan("Lisinopril", "--unit", "tablet", "--daily", "08:00=1", "--from", "2027-03-01")
        let march = try plans.due("2027-03-01", "2027-04-01")
        #expect(march.count == 31)
        #expect(try march[26].string("due") == "2027-03-27T07:00:00Z")
        #expect(try march[27].string("due") == "2027-03-28T06:00:00Z")
        #expect(try Set(plans.column("state", of: march)) == ["later"])

        let steps = try plans.plan("Patch", "--every", "36h", "--start", "2027-03-26T07:00:00Z")
        #expect(
            try plans.column("local", of: plans.due("2027-03-26", "2027-03-30", "--plan", steps)) == [
                "2027-03-26T08:00:00+01:00", "2027-03-27T20:00:00+01:00", "2027-03-29T09:00:00+02:00",
            ]
        )
        let weekly = try plans.plan(
            "Vitamin D",
            "--kind",
            "supplement",
            "--weekdays",
            "mon@09:00=1",
            "--from",
            "2027-03-01"
        )
        #expect(
            try plans.column("wall", of: plans.due("2027-03-01", "2027-03-16", "--plan", weekly)) == [
                "2027-03-01T09:00", "2027-03-08T09:00", "2027-03-15T09:00",
            ]
        )
        let pill = try plans.plan("Pill", "--cycle", "21/7@22:00=1", "--from", "2027-03-01")
        #expect(try plans.due("2027-03-01", "2027-04-01", "--plan", pill).count == 24)
        let once = try plans.plan("Vaccine", "--once", "2027-03-05T10:00=1")
        #expect(try plans.due("2027-03-01", "2027-04-01", "--plan", once).count == 1)
    }

    @Test("A taper is a rule for each step, which the stock covers or does not")
    func taper() throws {
        let taper =
            try tool.json(
                "plan",
                "taper",
                record,
                "Prednisone",
                "--strength",
                "5 mg",
                "--from",
                "2027-03-20",
                "--at",
                "08:00",
                "--steps",
                "40x5,30x5,20x5,10x5,5x5"
            )
            .string("entry")
        let doses = try plans.due("2027-03-01", "2027-05-01")
        #expect(try doses.count == 25 && doses.last?.string("wall") == "2027-04-13T08:00")
        try tool.json("stock", "add", taper, "105")
        func stock() throws -> JSONValue {
            try #require(tool.json("stock", record, "--now", "2027-03-19T12:00:00Z").items.first)
        }
        #expect(try stock().string("level") == "105" && stock()["runOut"] == nil)
        try tool.json("stock", "count", taper, "100")
        #expect(try stock().string("runOut") == "2027-04-09" && stock().string("refillBy") == "2027-04-02")
        #expect(try stock()["differences"]?.items.first?.string("computed") == "105")
        let shown = try tool.run("stock", record, "--now", "2027-03-19T12:00:00Z").succeeded().text
        #expect(shown.contains("5 fewer than the log says"))
    }

    @Test("A journey moves the moments of doses, and not their names")
    func journey() throws {
        _ = try tool.json("zone", "set", record, "Europe/Lisbon", "--from", "2027-04-01T00:00:00Z")
        _ = try plans.plan("Three", "--daily", "08:00=1,14:00=1,20:00=1", "--from", "2027-04-01")
        let before = try plans.column("slot", of: plans.due("2027-05-01", "2027-06-01"))
        let zone = try tool.json("zone", "set", record, "Asia/Kathmandu", "--from", "2027-05-04T11:00:00Z")
        let day = try plans.due("2027-05-04", "2027-05-05")
        #expect(
            try plans.column("due", of: day) == [
                "2027-05-04T07:00:00Z", "2027-05-04T13:00:00Z", "2027-05-04T14:15:00Z",
            ]
        )
        #expect(try plans.column("state", of: day) == ["later", "decide", "later"])
        #expect(day[1]["gap"] == .bool(true) && day[1]["closeTo"] == .number("75"))
        #expect(try plans.column("slot", of: plans.due("2027-05-01", "2027-06-01")) == before)
        let shown = try tool.run("due", record, "--from", "2027-05-04", "--to", "2027-05-05").succeeded().text
        #expect(shown.contains("2027-05-04 18:45 +05:45"))
        #expect(shown.contains("75 min from another dose"))
        try tool.json("entry", "retract", zone.string("entry"))
        #expect(try plans.column("slot", of: plans.due("2027-05-01", "2027-06-01")) == before)
        #expect(try tool.run("zone", "set", record, "Europe/Atlantis").status == 1)
    }

    @Test("A change from a moment on leaves the past, and a change of the past is refused")
    func change() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", "2027-03-01")
        let march = try plans.due("2027-03-01", "2027-04-01")
        let changed = try tool.json("plan", "change", plan, "--effective", "2027-04-01", "--daily", "09:00=2")
        #expect(try plans.due("2027-03-01", "2027-04-01") == march)
        #expect(try plans.column("wall", of: plans.due("2027-04-01", "2027-04-02")) == ["2027-04-01T09:00"])
        let position = try changed.integer("position")
        let then = try plans.due("2027-04-01", "2027-04-02", "--as-of", "\(position - 1)")
        #expect(try plans.column("wall", of: then) == ["2027-04-01T08:00"])
        try tool.json("plan", "pause", plan, "--from", "2027-04-05", "--until", "2027-04-07", "--why", "surgery")
        #expect(
            try plans.column("state", of: plans.due("2027-04-04", "2027-04-09")) == [
                "later", "paused", "paused", "paused", "later",
            ]
        )
        try tool.json("plan", "resume", plan, "--from", "2027-04-07")
        #expect(try plans.column("state", of: plans.due("2027-04-06", "2027-04-08")) == ["paused", "later"])
        try tool.json("plan", "stop", plan, "--at", "2027-04-20", "--why", "finished")
        #expect(try plans.due("2027-04-19", "2027-04-25").count == 1)
        try tool.json("plan", "change", plan, "--effective", "2027-05-01", "--weekdays", "sat@10:00=1")
        #expect(try plans.column("wall", of: plans.due("2027-04-19", "2027-05-09")).count == 3)
        let trail = try tool.json("entry", "history", plan).items
        #expect(try plans.column("type", of: trail) == ["entry.added"] + Array(repeating: "plan.changed", count: 5))
        let resumed = try tool.run("plan", "resume", plan, "--from", "2027-04-15")
        #expect(resumed.status == 4)
        #expect(resumed.message.contains("not paused"))
    }

    @Test("Doses are logged, repeated, taken back and counted")
    func doses() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", "2026-03-01")
        let first = ["dose", "take", "\(plan)@2026-03-02T08:00", "--at", "2026-03-02T08:05:00+01:00"]
        let logged = try tool.run(first + ["--format", "json"]).succeeded().json
        let again = try tool.run(first + ["--format", "json"]).succeeded().json
        #expect(try again.string("entry") == logged.string("entry") && again["changed"] == .bool(false))
        let other = ["dose", "take", "\(plan)@2026-03-02T08:00", "--at", "2026-03-02T11:00:00+01:00"]
        let conflict = try tool.run(other)
        #expect(
            conflict.status == 4 && conflict.message.contains("at 2026-03-02 08:05")
                && conflict.message.contains("at 2026-03-02 11:00")
        )
        let listed = try tool.run("entry", "list", record, "dose").succeeded().text
        #expect(listed.contains("Lisinopril"), "\(listed)")
        #expect(!listed.contains(plan.prefix(13)), "\(listed)")
        let second = try tool.run(other + ["--again"]).succeeded()
        #expect(second.message.contains("the plan has no such dose"))
        let skipped = try tool.json("dose", "skip", "\(plan)@2026-03-05T08:00", "--why", "outOfStock")
        func adherence(_ more: String...) throws -> String {
            let period = ["--from", "2026-03-01", "--to", "2026-03-08", "--by", "week"]
            return try tool.run(["adherence", record] + period + more).succeeded().text
        }
        #expect(try adherence().contains("2026-W10"))
        let document = try tool.json("adherence", record, "--from", "2026-03-01", "--to", "2026-03-08")
        #expect(document["total"]?["due"] == .number("2"))
        #expect(document["total"]?["percentage"] == .number("50"))
        try tool.json("dose", "undo", skipped.string("entry"))
        let undone = try tool.json("adherence", record, "--from", "2026-03-01", "--to", "2026-03-08")
        #expect(undone["total"]?["percentage"] == .number("100"))
        #expect(try tool.run("dose", "take", "\(plan)@2026-03-02T09:00").status == 2)
        #expect(try tool.run("dose", "take", "\(plan)@yesterday").status == 64)
        #expect(try tool.run("dose", "take", "\(plan)@2026-03-03T08:00", "--amount", "-1").status != 0)
    }

    @Test("What is taken when needed has a least interval and a most")
    func asNeeded() throws {
        let plan = try plans.plan(
            "Ibuprofen",
            "--unit",
            "tablet",
            "--as-needed",
            "--amount",
            "1",
            "--gap",
            "4h",
            "--most",
            "4",
            "--from",
            "2026-03-01"
        )
        var warnings: [[JSONValue]] = []
        for hour in ["00", "04", "08", "12"] {
            let logged = try tool.json("dose", "take", plan, "--at", "2026-03-02T\(hour):00:00Z")
            warnings.append(logged["warnings"]?.items ?? [])
        }
        #expect(warnings == [[], [], [], []])
        // Before one too many is recorded, the limit is named, and when a dose is possible again.
        let fifth = ["dose", "take", plan, "--at", "2026-03-02T16:00:00Z"]
        let asked = try tool.run(fifth)
        #expect(asked.status == 4, "\(asked.message)")
        #expect(asked.message.contains("at most 4 doses within 24 h"), "\(asked.message)")
        #expect(asked.message.contains("2026-03-03 01:00"), "\(asked.message)")
        #expect(asked.message.contains("--yes"), "\(asked.message)")
        #expect(try tool.json("entry", "list", record, "dose").items.count == 4)
        let close = try tool.run("dose", "take", plan, "--at", "2026-03-02T13:00:00Z")
        #expect(close.status == 4, "\(close.message)")
        #expect(close.message.contains("only 4 h after another one"), "\(close.message)")
        let logged = try tool.run(fifth + ["--yes", "--format", "json"]).succeeded().json
        #expect(logged["warnings"]?.items == [.string("overMaximum")])
        let today = try tool.run("today", record, "--now", "2026-03-02T16:30:00Z").succeeded().text
        #expect(today.contains("MORE THAN THE PLAN ALLOWS"))
        #expect(today.contains("possible again at 2026-03-03 05:00 +01:00, 0 of 4 left"))
    }

    @Test("A pattern that cannot be read is refused with an example")
    func mistyped() throws {
        for (arguments, hint) in [
            (["--daily", "8 o'clock"], "08:00"), (["--every", "36"], "36h"), (["--weekdays", "mo@08:00=1"], "mon"),
            (["--daily", "08:00=1", "--as-needed"], "only one pattern"),
            (["--every", "36h"], "--start"),
        ] {
            let outcome = try tool.run(["plan", "add", record, "Name"] + arguments)
            #expect(outcome.status == 64, "\(arguments): \(outcome.message)")
            #expect(outcome.message.contains(hint), "\(arguments): \(outcome.message)")
        }
        let reversed = try tool.run("due", record, "--from", "2026-03-05", "--to", "2026-03-01")
        #expect(reversed.status == 1)
        #expect(reversed.message.contains("to: must be after the first day"))
    }

    @Test("The same commands have the same results on the folder and through the service")
    func remote() throws {
        let service = try LiveService()
        let record = try service.local.person()
        let plan =
            try service.json(
                "plan",
                "add",
                record,
                "Lisinopril",
                "--unit",
                "tablet",
                "--daily",
                "08:00=1,20:00=1",
                "--from",
                "2026-03-01",
                "--stock",
                "30",
                "--gap",
                "4h",
                "--most",
                "3"
            )
            .string("entry")
        _ = try service.json("dose", "take", "\(plan)@2026-03-02T08:00", "--at", "2026-03-02T08:05:00Z")
        let conflict = try service.run("dose", "take", "\(plan)@2026-03-02T08:00", "--at", "2026-03-02T11:00:00Z")
        #expect(conflict.status == 4)
        let close = ["dose", "take", plan, "--at", "2026-03-02T09:00:00Z"]
        let asked = try service.run(close)
        #expect(
            asked.status == 4 && asked.message.contains("--yes") && asked.message.contains("4 h"),
            "\(asked.message)"
        )
        let early = try service.run(close + ["--yes", "--format", "json"]).succeeded().json
        #expect(early["warnings"] == .array([.string("tooSoon"), .string("unplanned")]))
        _ = try service.json("plan", "change", plan, "--effective", "2026-03-10", "--daily", "09:00=2")
        _ = try service.json("stock", "count", plan, "20")
        _ = try service.json("zone", "set", record, "Asia/Kathmandu", "--from", "2026-03-05T00:00:00Z")
        let (from, to, now) = ("2026-03-01", "2026-03-12", "2026-03-03T12:00:00Z")
        try service.expectAlike("due", record, "--from", from, "--to", to, "--now", now)
        try service.expectAlike("due", record, "--from", from, "--to", to, "--now", now, "--plan", plan)
        try service.expectAlike("today", record, "--day", "2026-03-02", "--now", now)
        for grouping in ["day", "week", "plan", "time"] {
            try service.expectAlike("adherence", record, "--from", from, "--to", to, "--now", now, "--by", grouping)
        }
        try service.expectAlike("stock", record, "--now", "2026-12-01T00:00:00Z")
        try service.expectAlike("plan", "list", record)
        try service.expectAlike("plan", "show", plan)
    }
}
