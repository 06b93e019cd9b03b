import Interchange
import TestSupport
import Testing

/// Amounts that are no whole numbers, from the plan to the stock.
@Suite("Amounts on the command line")
struct AmountCommandTests {
    private let plans: PlanFixture
    private var tool: CommandLineTool { plans.tool }
    private var record: String { plans.record }

    init() throws {
        plans = try PlanFixture()
    }

    private func stock(_ name: String) throws -> JSONValue? {
        try tool.json("stock", record)
            .items.first { try $0.string("name") == name }
    }

    @Test(
        "The stock falls by exactly what was taken",
        arguments: [
            ("1/3", "1", "1/3"), ("1/2", "10", "9"), ("½", "10", "9"), ("1 1/2", "10", "7"), ("2/3", "2", "2/3"),
            ("0.25", "1/2", "0"),
        ]
    )
    func fractions(amount: String, stock first: String, left: String) throws {
        let plan = try plans.plan("Pill", "--unit", "tablet", "--daily", "08:00=\(amount)", "--stock", first)
        for _ in 0..<2 { try tool.run("dose", "take", plan, "--as-needed", "--yes").succeeded() }
        #expect(try stock("Pill")?.string("level") == left)
        #expect(try stock("Pill")?["uncounted"] == nil)
        #expect(try tool.run("stock", record).succeeded().text.contains(left))
    }

    @Test(
        "A weight has its unit in capitals or small letters, with or without a blank, and a comma that cannot be thousands",
        arguments: [
            ("61.2 KG", "61.2", "kg"), ("61.2 kg", "61.2", "kg"), ("61,2kg", "61.2", "kg"), ("61,2 Kg", "61.2", "kg"),
            ("4200G", "4200", "g"), ("160 LBS", "160", "lb"), ("11ST 4LB", "158", "lb"), ("0,075kg", "0.075", "kg"),
            ("1,500kg", nil, nil), ("61.2 stone", nil, nil), ("61.2,5kg", nil, nil),
        ] as [(String, String?, String?)]
    )
    func weights(_ typed: String, _ value: String?, _ unit: String?) throws {
        let outcome = try tool.run("weight", "log", record, typed, "--yes")
        let entries = try tool.json("entry", "list", record, "weight").items
        guard let value, let unit else {
            #expect(outcome.status == 1, "\(outcome.message)")
            #expect(entries.isEmpty)
            return
        }
        try outcome.succeeded()
        let entry = try #require(entries.first)
        #expect(try entry.string("value") == value && entry.string("unit") == unit)
    }

    @Test("A decimal comma is read where the locale has one, also between times")
    func decimalComma() throws {
        let plans = try PlanFixture(["LC_ALL": "de_CH.UTF-8"])
        let added = try plans.plan("Saft", "--unit", "mL", "--daily", "08:00=7,5,20:00=2,5")
        let due = try plans.due("2027-03-01", "2027-03-02", "--plan", added)
        #expect(try plans.column("amount", of: due) == ["7.5", "2.5"])
    }

    @Test(
        "An amount that cannot be counted is refused, and nothing is stored",
        arguments: ["abc", "1/0", "0", "-1", "1/2 tablet", "1/1003", "1,500", "one"]
    )
    func refused(amount: String) throws {
        for arguments in [
            ["plan", "add", record, "Pill", "--daily", "08:00=\(amount)"],
            ["plan", "add", record, "Pill", "--as-needed", "--amount=\(amount)"],
            ["plan", "add", record, "Pill", "--every", "8h", "--start", "2027-03-01T08:00", "--amount=\(amount)"],
        ] {
            let refused = try tool.run(arguments)
            #expect([1, 64].contains(refused.status), "\(arguments)")
            #expect(refused.message.contains("amount") || refused.message.contains("write it as"), "\(refused.message)")
        }
        #expect(try tool.json("plan", "list", record).items.isEmpty)
    }

    @Test("A dose that cannot be counted is named today and in the stock")
    func uncounted() throws {
        let plan = try plans.plan("Salbe", "--daily", "00:00", "--stock", "10")
        let shown = try tool.run("today", record).succeeded().text
        #expect(shown.contains("cannot be counted"))
        let taken = try tool.run("dose", "take", plan, "--as-needed", "--yes").succeeded()
        #expect(taken.message.contains("cannot be counted"))
        #expect(try stock("Salbe")?.string("level") == "10")
        #expect(try stock("Salbe")?.integer("uncounted") == 1)
        #expect(try tool.run("stock", record).succeeded().text.contains("count the stock"))
        try tool.json("stock", "count", plan, "9 2/3")
        #expect(try stock("Salbe")?.string("level") == "9 2/3" && stock("Salbe")?["uncounted"] == nil)
    }
}
