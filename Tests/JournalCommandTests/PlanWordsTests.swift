import Interchange
import TestSupport
import Testing

/// What commands on plans say to a person.
@Suite("Words about plans on the command line")
struct PlanWordsTests {
    private let tool: CommandLineTool
    private let record: String

    init() throws {
        tool = try CommandLineTool(hasJournal: false)
        try tool.run("init", "--zone", "Europe/Zurich").succeeded()
        record = try tool.person()
    }

    @Test(
        "A unit that is an English word is in the plural behind more than one, and no other unit is changed",
        arguments: [
            ("tablet", "2", "2 tablets"), ("tablet", "1", "1 tablet"), ("tablet", "0.5", "0.5 tablet"),
            ("suppository", "2", "2 suppositories"), ("mL", "2", "2 mL"), ("Tropfen", "20", "20 Tropfen"),
        ]
    )
    func units(_ unit: String, _ amount: String, _ shown: String) throws {
        let plan = ["plan", "add", record, "Foo", "--unit", unit, "--daily", "08:00=\(amount)", "--from", "2027-03-01"]
        try tool.run(plan).succeeded()
        let due = try tool.run("due", record, "--from", "2027-03-01", "--to", "2027-03-02").succeeded().text
        #expect(due.contains(" \(shown) "), "\(due)")
    }

    @Test("A list of entries shows no ids of rules and times")
    func list() throws {
        let plan = try tool.json("plan", "add", record, "Foo", "--daily", "08:00=1").string("entry")
        let shown = try tool.run("entry", "list", record, "drug").succeeded().text
        #expect(shown.contains("08:00"), "\(shown)")
        #expect(shown.contains(plan.prefix(13)), "\(shown)")
        #expect(shown.matches(of: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/).isEmpty, "\(shown)")
    }

    @Test("Lists, searches and histories show a plan in the words in which it is typed, with its last day")
    func words() throws {
        let pattern = ["--days", "2@08:00=1", "--unit", "tablet", "--with-meal", "--instructions", "with water"]
        let plan = ["plan", "add", record, "Foo"] + pattern + ["--from", "2026-11-28", "--until", "2026-12-10"]
        let id = try tool.run(plan + ["--format", "json"]).succeeded().json.string("entry")
        let days = ["--from", "2026-12-03", "--until", "2026-12-04", "--why", "surgery"]
        try tool.run(["plan", "pause", id] + days).succeeded()
        let rule = "days 2@08:00=1 (tablet), with a meal, with water from 2026-11-28 to 2026-12-10"
        let pause = "PAUSED: surgery from 2026-12-03 to 2026-12-04"
        for command in [
            ["entry", "list", record], ["entry", "list", record, "medication"], ["record", "show", record],
            ["search", "foo"], ["entry", "show", id], ["entry", "history", id],
        ] {
            let shown = try tool.run(command + ["--wide"]).succeeded().text
            #expect(shown.contains(rule) && shown.contains(pause), "\(command): \(shown)")
            for internals in ["RULES", "rules", "pauses", "LAST CHANGE", "last change", "lastChange"] {
                #expect(!shown.contains(internals), "\(command): \(shown)")
            }
        }
        // JSON has the fields.
        #expect(try tool.json("entry", "list", record, "drug").items.first?["rules"] != nil)
    }

    @Test("A length of time outside its range is refused with the unit of the range")
    func ranges() throws {
        let refused = try tool.run(["plan", "add", record, "Foo", "--every", "5min", "--start", "2026-01-01T00:00:00Z"])
        #expect(refused.status == 1)
        #expect(refused.message.contains("must be between 15 and 527040 minutes"), "\(refused.message)")
    }

    @Test(
        "A strength is a number and a unit, with or without a blank between them",
        arguments: [
            ("5 mg", "5", "mg"), ("5mg", "5", "mg"), ("2.5mg", "2.5", "mg"), ("10%", "10", "%"),
            ("1,5mg", "1.5", "mg"), ("½ mg", "0.5", "mg"), ("50 mcg", "50", "µg"), ("50 ug", "50", "µg"),
            ("50 \u{3BC}g", "50", "µg"), ("50 \u{B5}g", "50", "µg"), ("1000 I.E.", "1000", "IU"),
            ("0,075 mg", "0.075", "mg"), ("0.125 mg", "0.125", "mg"), ("1.125 mg", "1.125", "mg"),
            ("1.000 mg", nil, nil), ("lots", nil, nil), ("5", nil, nil), ("1,500 mg", nil, nil), ("10 mg/ml", nil, nil),
            ("5 spoons", nil, nil),
            ("50 mg + 12.5 mg", nil, nil),
        ] as [(String, String?, String?)]
    )
    func strength(_ text: String, _ number: String?, _ unit: String?) throws {
        let outcome = try tool.run("plan", "add", record, "Foo", "--strength", text, "--daily", "08:00=1")
        guard let number, let unit else {
            #expect(outcome.status == 64, "\(outcome.message)")
            #expect(outcome.message.contains("a number and a unit"), "\(outcome.message)")
            return
        }
        try outcome.succeeded()
        let substance = try #require(tool.json("entry", "list", record, "drug").items.first?["substances"]?.items.first)
        #expect(try substance.string("strength") == number && substance.string("strengthUnit") == unit)
    }

    @Test("A strength of zero is refused, because the dose would be nothing")
    func noStrength() throws {
        let outcome = try tool.run("plan", "add", record, "Foo", "--strength", "0 mg", "--daily", "08:00=1")
        #expect(outcome.status == 64, "\(outcome.message)")
        #expect(outcome.message.contains("greater than 0"), "\(outcome.message)")
    }

    @Test("A plan without a schedule is announced as such, and gets one by the command that is shown")
    func withoutSchedule() throws {
        let added = try tool.run("plan", "add", record, "Foo").succeeded()
        #expect(added.text.contains("without a schedule"))
        let command = try #require(added.message.firstMatch(of: /healthjournal (plan change .*)/)).1
        try tool.run(command.split(separator: " ").map(String.init)).succeeded()
        #expect(try tool.run("plan", "list", record).succeeded().text.contains("daily 08:00=1"))
    }
}
