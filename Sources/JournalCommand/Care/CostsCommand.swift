import ArgumentParser
import CostSummary
import HealthJournal
import HealthModel
import Interchange

/// What was spent.
struct CostsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract: "What was spent, by year, currency and category; as known now or at any moment.",
        discussion: """
            Example:  healthjournal costs 018f2c3a --year 2024 --currency CHF
            Currencies are never added up, nor is a year's total added to the items of that year.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id (else all records that the account may see).")
    var record: String?

    @Option(name: .long, help: "One year alone.")
    var year: Int64?

    @Option(name: .long, help: "One currency alone, as CHF.")
    var currency: String?

    @Option(name: .long, help: "As known at this position, time or date.")
    var asOf: When?

    func run() async throws {
        try await Session.run(options) { session in
            let id = try record.map { try session.journal.record($0, session.caller) }
            let costs = try await session.journal.costs(of: id, asOf: asOf?.asOf, session.caller)
            var table = TextTable([
                .init("RECORD"), .init("YEAR", .right), .init("CURRENCY"), .init("BASIS"), .init("CATEGORY"),
                .init("AMOUNT", .right), .init("ENTRIES", .right),
            ])
            var items: [JSONValue] = []
            for cost in costs {
                for line in CostSheet(cost.totals, year: year, currency: currency).lines {
                    table.add([
                        cost.displayName, String(line.year), line.currency ?? "(none)", line.basis,
                        line.category ?? "", line.sum.text(minimumPlaces: 2), String(line.count),
                    ])
                    items.append(line.listed(cost.record))
                }
            }
            if session.output.isJSON {
                session.output.json(.array(items))
            } else {
                session.output.table(table, ifEmpty: "there are no such costs")
            }
        }
    }
}
