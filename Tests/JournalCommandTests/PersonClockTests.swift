import Interchange
import TestSupport
import Testing

/// Times that are typed mean the clock of the person, whatever the clock of the machine is.
@Suite("The person's clock on the command line")
struct PersonClockTests {
    @Test("The first dose of an interval is typed by the person's clock", arguments: ["UTC", "Pacific/Auckland"])
    func start(machine: String) throws {
        let plans = try PlanFixture(["TZ": machine])
        let steps = try plans.plan("X", "--every", "12h", "--start", "2027-12-04T08:00", "--amount", "1")
        let due = try plans.due("2027-12-04", "2027-12-05", "--plan", steps)
        #expect(try plans.column("local", of: due) == ["2027-12-04T08:00:00+01:00", "2027-12-04T20:00:00+01:00"])
        // Somebody who travels types by the clock of the place where they are.
        try plans.tool.json("zone", "set", plans.record, "Asia/Kathmandu", "--from", "2026-01-01T00:00:00Z")
        let there = try plans.plan("Y", "--every", "12h", "--start", "2027-12-04T08:00", "--amount", "1")
        let first = try plans.due("2027-12-04", "2027-12-05", "--plan", there)
        #expect(try plans.column("local", of: first).first == "2027-12-04T08:00:00+05:45")
        // A rule that is pinned to a zone is typed by its clocks, and a time with an offset is that time.
        for (start, more) in [("2027-12-04T03:15", ["--clock", "Europe/Zurich"]), ("2027-12-04T02:15:00Z", [])] {
            let arguments =
                ["plan", "add", plans.record, "Z", "--every", "12h", "--start", start, "--amount", "1"] + more
            let plan = try plans.tool.run(arguments + ["--format", "json"]).succeeded().json.string("entry")
            let found = try plans.due("2027-12-04", "2027-12-05", "--plan", plan)
            #expect(try plans.column("due", of: found).first == "2027-12-04T02:15:00Z", "\(start)")
        }
    }

    @Test("A patch whose first dose was not logged is overdue until it is taken, and then the next one counts from it")
    func overdue() throws {
        let plans = try PlanFixture(["TZ": "UTC"])
        let start = ["--every", "72h", "--after", "taken", "--start", "2026-03-01T08:00", "--amount", "1"]
        let arguments = ["plan", "add", plans.record, "Patch", "--unit", "patch"] + start + ["--format", "json"]
        let patch = try plans.tool.run(arguments).succeeded().json.string("entry")
        let today = try plans.tool.run("today", plans.record, "--now", "2026-03-02T12:00").succeeded().text
        #expect(today.contains("overdue"), "\(today)")
        #expect(today.contains("Patch"), "\(today)")
        let logged = try plans.tool.json("dose", "take", patch, "--at", "2026-03-02T12:00")
        #expect(logged["warnings"]?.items == [])
        let due = try plans.due("2026-03-01", "2026-03-10", "--now", "2026-03-03T12:00")
        #expect(try plans.column("state", of: due) == ["taken", "later"])
        #expect(try plans.column("local", of: due).last == "2026-03-05T12:00:00+01:00")
    }

    @Test("An amount stands with its unit and its strength wherever a dose is shown")
    func strength() throws {
        let plans = try PlanFixture(["TZ": "UTC"])
        let (tool, record) = (plans.tool, plans.record)
        let steps = ["--from", "2026-03-01", "--at", "08:00", "--steps", "40x2,2.5x2", "--unit", "tablet"]
        let taper = ["plan", "taper", record, "Prednisone", "--strength", "5 mg"] + steps + ["--format", "json"]
        let plan = try tool.run(taper).succeeded().json.string("entry")
        let whole = "8 tablets × 5 mg = 40 mg"
        let due = ["due", record, "--from", "2026-03-01", "--to", "2026-03-05"]
        let shown = try tool.run(due).succeeded().text
        #expect(shown.contains(whole), "\(shown)")
        #expect(shown.contains("0.5 tablet × 5 mg = 2.5 mg"), "\(shown)")
        #expect(try plans.due("2026-03-01", "2026-03-02").first?.string("strength") == "5 mg")
        #expect(try tool.run("today", record, "--now", "2026-03-01T09:00").succeeded().text.contains(whole))
        #expect(try tool.run("plan", "list", record).succeeded().text.contains("(tablet of 5 mg)"))
        #expect(try tool.run("plan", "show", plan).succeeded().text.contains("(tablet of 5 mg)"))
        try tool.json("dose", "take", "\(plan)@2026-03-01T08:00", "--at", "planned")
        #expect(try tool.run("entry", "list", record, "dose").succeeded().text.contains("Prednisone (tablet, 5 mg)"))
        let page = try tool.run("export", record, "--as", "html").succeeded().text
        #expect(page.contains("8\u{A0}tablets × 5 mg = 40 mg"), "\(page)")
    }
}
