import ArgumentParser
import CostSummary
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Shows costs by year, currency and category.
struct CostsCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract: "Show costs by year, currency and category, as known now or at an earlier moment.",
        discussion: """
            Example:  healthjournal costs 018f2c3a --year 2024 --currency CHF
            Amounts in different currencies are never added up, and a year's total is never added to its items.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id (default: all records that the account may see).")
    var record: String?

    @Option(name: .long, help: "Only this year.")
    var year: Int64?

    @Option(name: .long, help: "Only from this year on.")
    var since: Int64?

    @Option(name: .long, help: "Only up to this year.")
    var until: Int64?

    @Option(name: .long, help: "Only this currency, such as CHF.")
    var currency: String?

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func validate() throws {
        if year != nil, since != nil || until != nil { throw ValidationError("give --year, or --since and --until") }
        if let since, let until, until < since { throw ValidationError("--until \(until) is before --since \(since)") }
    }

    func run(in session: Session) async throws {
        var id: UUID?
        if let record { id = try await session.journal.record(record) }
        let question = CostQuestion(year: year, currency: currency, asOf: asOf?.asOf(in: session))
        var table = TextTable([
            .init("RECORD"), .init("YEAR", .right), .init("CURRENCY"), .init("BASIS"), .init("CATEGORY"),
            .init("AMOUNT", .right), .init("ENTRIES", .right),
        ])
        var items: [JSONValue] = []
        for cost in try await session.perform(.costs(of: id, question)) {
            for line in cost.lines where line.year >= since ?? .min && line.year <= until ?? .max {
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
            session.output.table(table, ifEmpty: "no costs match")
        }
    }
}
