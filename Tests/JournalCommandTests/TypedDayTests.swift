import Foundation
import Interchange
import TestSupport
import Testing

/// Days that are typed as words, and the last days of plans.
@Suite("Days on the command line")
struct TypedDayTests {
    private let plans: PlanFixture
    private var tool: CommandLineTool { plans.tool }
    private var record: String { plans.record }

    /// The journal is in Zurich, and the machine of the user in Auckland, where it is mostly another day.
    init() throws {
        plans = try PlanFixture(["TZ": "Pacific/Auckland"])
    }

    /// A day in Zurich so many days from now.
    private func day(_ offset: Int) throws -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Zurich"))
        let date = try #require(calendar.date(byAdding: .day, value: offset, to: Date()))
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return try String(
            format: "%04d-%02d-%02d",
            #require(parts.year),
            #require(parts.month),
            #require(parts.day)
        )
    }

    @Test(
        "A day may be typed as a word, and is a day of the journal's clock, not of the machine's",
        arguments: [("yesterday", -1), ("Today", 0), ("YESTERDAY", -1)]
    )
    func words(_ word: String, _ offset: Int) throws {
        try tool.run("weight", "log", record, "70kg", "--date", word).succeeded()
        try tool.run("entry", "add", record, "allergy", "name=Nuts", "date=\(word)").succeeded()
        for kind in ["weight", "allergy"] {
            let entry = try #require(tool.json("entry", "list", record, kind).items.first)
            #expect(try entry.string("date") == day(offset))
        }
        #expect(try tool.json("entry", "list", record, "--since", word, "--until", "today").items.count == 2)
        #expect(try tool.json("entry", "list", record, "--since", "tomorrow").items.isEmpty)
    }

    @Test("Queries and plans take words, too; a past state is that of the end of the day")
    func queries() throws {
        try tool.run("weight", "log", record, "70kg").succeeded()
        #expect(try tool.json("entry", "list", record, "weight", "--as-of", "today").items.count == 1)
        #expect(try tool.run("entry", "list", record, "weight", "--as-of", "yesterday").status != 0)
        let plan = try plans.plan("Foo", "--daily", "08:00=1", "--from", "tomorrow", "--until", "tomorrow")
        let due = try plans.due("today", try day(5))
        #expect(try plans.column("wall", of: due) == ["\(day(1))T08:00"])
        try tool.run("today", record, "--day", "tomorrow").succeeded()
        try tool.run("stock", "add", plan, "5", "--date", "yesterday").succeeded()
        try tool.run("plan", "stop", plan, "--at", "tomorrow", "--why", "finished").succeeded()
        #expect(try plans.due("today", try day(5)).isEmpty)
    }

    @Test(
        "A word of another language and a date in another form are refused, with the forms that are understood",
        arguments: ["gestern", "hier", "1.3.2026", "03/01/2026", "last week", "monday"]
    )
    func otherWords(_ word: String) throws {
        for arguments in [
            ["weight", "log", record, "70kg", "--date", word], ["entry", "add", record, "allergy", "date=\(word)"],
        ] {
            let refused = try tool.run(arguments)
            #expect(refused.status == 1, "\(refused.message)")
            #expect(refused.message.contains("write it as 2026-03-01"), "\(refused.message)")
            #expect(refused.message.contains("yesterday"), "\(refused.message)")
        }
        for arguments in [
            ["due", record, "--from", word], ["entry", "list", record, "--since", word],
            ["plan", "add", record, "Foo", "--daily", "08:00=1", "--from", word],
        ] {
            let refused = try tool.run(arguments)
            #expect(refused.status == 64, "\(refused.message)")
            #expect(refused.message.contains("is invalid for '--"), "\(refused.message)")
            #expect(refused.message.contains(/202[56]-03-01/), "\(refused.message)")
        }
        #expect(try tool.json("entry", "list", record).items.isEmpty)
    }

    @Test("Days that end before they begin are refused, also as words")
    func inverted() throws {
        let refused = try tool.run("entry", "list", record, "--since", "today", "--until", "yesterday")
        #expect(refused.status == 64, "\(refused.message)")
        #expect(refused.message.contains("is before --since") && refused.message.contains("Usage: healthjournal"))
    }

    @Test("The last day of a plan and of a pause is included, as in the forms of the pages")
    func lastDay() throws {
        let plan = try plans.plan("Foo", "--daily", "08:00=1", "--from", "2060-03-01", "--until", "2060-03-03")
        #expect(try plans.due("2060-03-01", "2060-03-10").count == 3)
        // Stored, the end is not included.
        let rules = try #require(plans.entry(plan)["rules"]?.items)
        #expect(rules[0]["until"] == "2060-03-04")
        let listed = try tool.run("plan", "list", record).succeeded().text
        #expect(listed.contains("2060-03-01  2060-03-03  daily 08:00=1"), "\(listed)")
        try tool.run("plan", "pause", plan, "--from", "2060-03-02", "--until", "2060-03-02").succeeded()
        let states = try plans.column("state", of: plans.due("2060-03-01", "2060-03-10"))
        #expect(states == ["later", "paused", "later"])
        let shown = try tool.run("plan", "show", plan).succeeded().text
        #expect(shown.contains("      2060-03-02  2060-03-02  PAUSED"), "\(shown)")
        // One day is a period.
        let one = ["plan", "change", plan, "--effective", "2060-03-10", "--daily", "09:00=1", "--no-rule"]
        try tool.run(one + ["--until", "2060-03-10"]).succeeded()
        #expect(try plans.due("2060-03-10", "2060-03-20").count == 1)
    }

    @Test("A time as the end of a plan is that moment")
    func lastMoment() throws {
        _ = try plans.plan(
            "Foo",
            "--daily",
            "08:00=1,20:00=1",
            "--from",
            "2060-03-01",
            "--until",
            "2060-03-02T12:00"
        )
        let due = try plans.due("2060-03-01", "2060-03-10")
        #expect(
            try plans.column("wall", of: due) == ["2060-03-01T08:00", "2060-03-01T20:00", "2060-03-02T08:00"]
        )
        #expect(try tool.run("plan", "list", record).succeeded().text.contains("2060-03-02T12:00"))
    }
}
