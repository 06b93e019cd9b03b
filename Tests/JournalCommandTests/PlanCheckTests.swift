import Foundation
import Interchange
import TestSupport
import Testing

/// What anybody can check about plans, days and doses with the commands alone.
@Suite("Checks of plans on the command line")
struct PlanCheckTests {
    private let plans: PlanFixture
    private var tool: CommandLineTool { plans.tool }
    private var record: String { plans.record }

    init() throws {
        plans = try PlanFixture()
    }

    /// Returns a day some days after another one, or after today.
    private func day(_ offset: Int, after start: String? = nil) -> String {
        let format = DateFormatter()
        format.dateFormat = "yyyy-MM-dd"
        format.timeZone = TimeZone(identifier: "Europe/Zurich")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = format.timeZone
        let first = start.flatMap { format.date(from: $0) } ?? Date()
        return format.string(from: calendar.date(byAdding: .day, value: offset, to: first) ?? first)
    }

    @Test("A time that the clock skips or repeats is due once")
    func clockChanges() throws {
        _ = try plans.plan("Lisinopril", "--daily", "02:30=1", "--from", "2026-03-01")
        let spring = try plans.due("2026-03-28", "2026-03-31")
        #expect(
            try plans.column("due", of: spring) == [
                "2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z",
            ]
        )
        #expect(try spring[1].string("local") == "2026-03-29T03:30:00+02:00" && spring[1]["gap"] == .bool(true))
        #expect(try spring[1].string("state") != "decide")
        #expect(try plans.column("due", of: plans.due("2026-10-25", "2026-10-26")) == ["2026-10-25T00:30:00Z"])
    }

    @Test("A plan that follows the clocks of home keeps its moments on a journey, and its local times move")
    func clocksOfHome() throws {
        _ = try tool.json("zone", "set", record, "Europe/Lisbon", "--from", "2027-04-01T00:00:00Z")
        _ = try plans.plan(
            "Three",
            "--daily",
            "08:00=1,14:00=1,20:00=1",
            "--from",
            "2027-04-01",
            "--clock",
            "Europe/Lisbon"
        )
        let before = try plans.due("2027-05-01", "2027-06-01")
        _ = try tool.json("zone", "set", record, "Asia/Kathmandu", "--from", "2027-05-04T11:00:00Z")
        let after = try plans.due("2027-05-01", "2027-06-01")
        // The period is one of days by the person's clock, which begins and ends at other moments now.
        let kept = Set(try plans.column("due", of: before)).intersection(try plans.column("due", of: after))
        #expect(kept.count >= 91)
        let local = try after.filter { try $0.string("wall").hasPrefix("2027-05-10") }.map { try $0.string("local") }
        #expect(local == ["2027-05-10T12:45:00+05:45", "2027-05-10T18:45:00+05:45", "2027-05-11T00:45:00+05:45"])
    }

    @Test("A dose of the evening that is taken after midnight is that of the evening")
    func afterMidnight() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "23:00=1", "--from", "2026-03-01")
        _ = try tool.json("dose", "take", "\(plan)@2026-03-09T23:00", "--at", "2026-03-10T00:20")
        let doses = try plans.due("2026-03-09", "2026-03-11")
        #expect(try plans.column("wall", of: doses) == ["2026-03-09T23:00", "2026-03-10T23:00"])
        #expect(try plans.column("state", of: doses) == ["taken", "beforeKept"])
        #expect(try doses[0].string("at") == "2026-03-10T00:20:00+01:00")
    }

    @Test("A dose that is skipped afterwards counts for its day, and is not known as of the position before")
    func skippedAfterwards() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", "2026-03-01")
        let skipped = try tool.json("dose", "skip", "\(plan)@2026-03-05T08:00", "--why", "outOfStock")
        let day = ("2026-03-05", "2026-03-06")
        #expect(
            try plans.total("due", day.0, day.1) == .number("1") && plans.total("taken", day.0, day.1) == .number("0")
        )
        #expect(try dates() == ["2026-03-05T07:00:00Z"])
        let before = try skipped.integer("position") - 1
        #expect(try plans.column("state", of: plans.due(day.0, day.1, "--as-of", "\(before)")) == ["beforeKept"])
        #expect(try plans.total("due", day.0, day.1, "--as-of", "\(before)") == .number("0"))
        let text = try tool.run("adherence", record, "--from", day.0, "--to", day.1, "--as-of", "\(before)")
        #expect(try text.succeeded().text.contains("nothing due"))
        _ = try tool.json("dose", "skip", "\(plan)@2026-03-05T08:00", "--why", "advised", "--instead")
        #expect(try plans.total("due", day.0, day.1) == .number("0"))
        #expect(try dates() == ["2026-03-05T07:00:00Z"])
    }

    @Test("A dose that is still open is skipped now, and not when it was due")
    func skippedNow() throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "Europe/Zurich")
        format.dateFormat = "yyyy-MM-dd'T'HH:mm"
        let start = Date()
        let plan = try plans.plan("Iron", "--once", format.string(from: start.addingTimeInterval(-3_600)) + "=1")
        try tool.json("dose", "skip", plan, "--why", "forgot")
        let text = try #require(try dates().first)
        let date = try Date(text.prefix(19) + "Z", strategy: .iso8601)
        #expect(date >= start.addingTimeInterval(-1), "\(text)")
        #expect(date <= Date(), "\(text)")
    }

    /// Returns when the doses of the record were taken or skipped.
    private func dates() throws -> [String] {
        try tool.json("entry", "list", record, "dose").items.map { try $0.string("date") }
    }

    @Test("A plan that is told late blames nobody for the days before, and counts from then on")
    func toldLate() throws {
        _ = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", day(-30))
        let before = try plans.column("state", of: plans.due(day(-30), day(-1)))
        #expect(Set(before) == ["beforeKept"])
        let (from, to) = (day(1), day(8))
        let now = ["--now", "\(day(9))T12:00:00Z"]
        #expect(try plans.total("due", from, to, now[0], now[1]) == .number("7"))
        #expect(try plans.total("missed", from, to, now[0], now[1]) == .number("7"))
    }

    @Test("A dose that was taken before a count changes nothing after it")
    func countedStock() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", "2026-03-01", "--unit", "tablet")
        try tool.json("stock", "add", plan, "30", "--date", "2026-03-01")
        try tool.json("stock", "count", plan, "27", "--date", "2026-03-10")
        func level() throws -> String { try #require(tool.json("stock", record).items.first).string("level") }
        #expect(try level() == "27")
        _ = try tool.json("dose", "take", "\(plan)@2026-03-05T08:00", "--at", "2026-03-05T08:00")
        #expect(try level() == "27")
        _ = try tool.json("dose", "take", "\(plan)@2026-03-12T08:00", "--at", "2026-03-12T08:00")
        #expect(try level() == "26")
        #expect(try tool.run("stock", record).succeeded().text.contains("fewer than the log says"))
    }

    @Test("The list of stocks says that a refill is overdue, but not of a stock that lasts, or of an earlier state")
    func refill() throws {
        let position = try plans.tool.json("plan", "add", record, "Long", "--daily", "08:00=1", "--stock", "30")
            .integer("position")
        #expect(try !tool.run("stock", record).succeeded().text.contains("REFILL IS OVERDUE"))
        _ = try plans.plan("Short", "--daily", "08:00=1", "--stock", "3")
        #expect(try tool.run("stock", record).succeeded().text.contains("REFILL IS OVERDUE"))
        #expect(try !tool.run("stock", record, "--as-of", "#\(position)").succeeded().text.contains("OVERDUE"))
    }

    @Test("A pause uses no stock and leaves the adherence alone")
    func paused() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", day(0), "--unit", "tablet")
        try tool.json("stock", "add", plan, "30", "--date", day(0))
        func runOut() throws -> String { try #require(tool.json("stock", record).items.first).string("runOut") }
        let before = try runOut()
        let (from, until) = (day(5), day(15))
        try tool.json("plan", "pause", plan, "--from", from, "--until", day(14))
        #expect(try runOut() == day(10, after: before))
        let states = try plans.column("state", of: plans.due(from, until))
        #expect(states == Array(repeating: "paused", count: 10))
        let later = "\(day(20))T12:00:00Z"
        #expect(try plans.total("due", from, until, "--now", later) == .number("0"))
        #expect(try plans.total("paused", from, until, "--now", later) == .number("10"))
    }

    @Test("A correction moves the time of past doses too, and logged doses stay with it")
    func corrected() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", "2026-03-01")
        let added = try tool.json("dose", "take", "\(plan)@2026-03-02T08:00", "--at", "2026-03-02T08:05")
        try tool.run("entry", "correct", plan, "rules.0.times.0.at=08:30", "--reason", "it was always half past")
            .succeeded()
        let doses = try plans.due("2026-03-02", "2026-03-03")
        #expect(try plans.column("wall", of: doses) == ["2026-03-02T08:30"])
        #expect(try plans.column("state", of: doses) == ["taken"])
        #expect(try doses[0].string("dose") == added.string("entry"))
        let trail = try plans.column("type", of: tool.json("entry", "history", plan).items)
        #expect(trail == ["entry.added", "entry.corrected"])
    }

    @Test("Times and doses when needed of one plan are kept apart")
    func bothKinds() throws {
        let plan = try plans.plan("Ibuprofen", "--unit", "tablet", "--daily", "08:00=1", "--from", "2026-03-01")
        let more = ["plan", "change", plan, "--effective", "2026-03-01T00:00", "--as-needed", "--amount", "2"]
        try tool.run(more + ["--no-rule", "--format", "json"]).succeeded()
        let needed = try tool.json("dose", "take", plan, "--as-needed", "--at", "2026-03-02T08:10")
        #expect(needed["warnings"]?.items == [])
        #expect(try plans.column("state", of: plans.due("2026-03-02", "2026-03-03")) == ["beforeKept"])
        // Without it, the dose of the morning is meant, which is open.
        _ = try tool.json("dose", "take", plan, "--at", "2026-03-02T08:15")
        let doses = try plans.due("2026-03-02", "2026-03-03")
        #expect(try plans.column("state", of: doses) == ["taken"])
        #expect(try doses[0].string("at") == "2026-03-02T08:15:00+01:00")
        #expect(try plans.total("asNeeded", "2026-03-02", "2026-03-03") == .number("1"))
        let both = try tool.run("dose", "take", "\(plan)@2026-03-02T08:00", "--as-needed")
        #expect(both.status == 64)
    }

    @Test("A change that was planned for later is not replaced by an earlier one unless somebody says so")
    func laterChange() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=1", "--from", "2027-03-01")
        try tool.run("plan", "change", plan, "--effective", "2027-04-01", "--daily", "09:00=2").succeeded()
        let earlier = ["plan", "change", plan, "--effective", "2027-03-10", "--daily", "10:00=3"]
        let unclear = try tool.run(earlier)
        #expect(unclear.status == 1)
        #expect(unclear.message.contains("several rules apply then or later"))
        try tool.run(earlier + ["--rule", "1"]).succeeded()
        let walls = try plans.column("wall", of: plans.due("2027-03-31", "2027-04-02"))
        // The new rule ends where the chosen one ended, so that two rules do not add up.
        #expect(walls == ["2027-03-31T10:00", "2027-04-01T09:00"])
        try tool.run("plan", "change", plan, "--effective", "2027-03-20", "--daily", "11:00=1", "--all-rules")
            .succeeded()
        #expect(try plans.column("wall", of: plans.due("2027-04-01", "2027-04-02")) == ["2027-04-01T11:00"])
    }

    @Test("Of several rules, one is changed and the others stay")
    func severalRules() throws {
        let plan = try plans.plan("Lisinopril", "--daily", "08:00=2", "--from", "2027-03-01")
        let weekly = ["plan", "change", plan, "--effective", "2027-03-01T06:00", "--weekdays", "mon@21:00=1"]
        // 2027-03-01 is a Monday.
        try tool.run(weekly + ["--no-rule"]).succeeded()
        #expect(
            try plans.column("wall", of: plans.due("2027-03-08", "2027-03-09")) == [
                "2027-03-08T08:00", "2027-03-08T21:00",
            ]
        )
        let change = ["plan", "change", plan, "--effective", "2027-04-01", "--daily", "09:00=1"]
        let unclear = try tool.run(change)
        #expect(unclear.status == 1)
        #expect(unclear.message.contains("--rule"))
        #expect(!unclear.message.contains("21:00"))
        let listed = try tool.run("plan", "show", plan).succeeded().text
        // Each rule with its number, its start and its times.
        #expect(listed.contains(/RULE +FROM +UNTIL +WHEN/))
        #expect(listed.contains(/(?m)^ *1 +2027-03-01 +daily 08:00=2 *$/))
        #expect(listed.contains(/(?m)^ *2 +2027-03-01T06:00 +weekdays mon@21:00=1 *$/))
        #expect(try tool.run(change + ["--rule", "7"]).status == 2)
        try tool.run(change + ["--rule", "1"]).succeeded()
        #expect(
            try plans.column("wall", of: plans.due("2027-04-05", "2027-04-06")) == [
                "2027-04-05T09:00", "2027-04-05T21:00",
            ]
        )
        try tool.run("plan", "change", plan, "--effective", "2027-05-01", "--daily", "10:00=1", "--all-rules")
            .succeeded()
        #expect(try plans.column("wall", of: plans.due("2027-05-03", "2027-05-04")) == ["2027-05-03T10:00"])
    }

    @Test(
        "A name that a list knows fills in the substance, also if a longer name begins with it",
        arguments: [("Acetaminophen", "paracetamol"), ("Felodipin", "felodipine")]
    )
    func substance(_ name: String, _ substance: String) throws {
        let plan = try plans.plan(name, "--daily", "08:00=1")
        let shown = JSONWriter.text(try plans.entry(plan))
        #expect(shown.contains(#""name":"\#(substance)""#))
        #expect(shown.contains(#""inferred":["substances"]"#))
        let given = try plans.plan("Lisinopril", "--substance", "mine", "--daily", "08:00=1")
        #expect(!JSONWriter.text(try plans.entry(given)).contains("inferred"))
    }
}
