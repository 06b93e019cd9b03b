import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands on the stock.
struct StockCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stock",
        abstract: "Show what is in stock and when it runs out, and record changes.",
        subcommands: [StockShowCommand.self, StockAddCommand.self, StockCountCommand.self, StockDiscardCommand.self],
        defaultSubcommand: StockShowCommand.self
    )
}

/// Shows the stock.
struct StockShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what is in stock and when it runs out.",
        discussion: "Example:  healthjournal stock 018f2c3a"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument
    @OptionGroup var care: CareOptions

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let question = try await care.question(of: id, in: session)
        let stocks = try await session.perform(CareEndpoints.stock, id, question)
        // Of an earlier state, nothing is overdue now.
        let now = question.now ?? (question.asOf == nil ? session.journal.now : nil)
        let today = now.map { Day(of: $0, in: session.output.zone) }
        if session.output.isJSON {
            session.output.json(.array(stocks.map(\.json)))
            return
        }
        var table = TextTable([
            .init("NAME"), .init("LEVEL", .right), .init("UNIT"), .init("RUNS OUT"), .init("REFILL BY"),
            .init("REMARK"),
        ])
        for stock in stocks {
            table.add([
                stock.name, stock.stock.level?.description ?? "unknown", stock.unit ?? "",
                stock.runOut?.description ?? stock.estimatedRunOut.map { "about \($0)" }
                    ?? (stock.isRunOutUnknown ? "unknown" : ""),
                stock.refillBy?.description ?? "", stock.remark(session.output, today: today),
            ])
        }
        session.output.table(table, ifEmpty: "no stock is counted")
    }
}

extension StockDocument {
    fileprivate func remark(_ output: Output, today: Day?) -> String {
        let parts = [level(output), uncounted, unknown, refill(today)]
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private func refill(_ today: Day?) -> String {
        guard let refillBy, let today, refillBy <= today else { return "" }
        return stock.level == .zero ? "NOTHING LEFT" : refillBy == today ? "refill today" : "REFILL IS OVERDUE"
    }

    private var unknown: String { isRunOutUnknown ? "planned doses have no amount that can be counted" : "" }

    /// How many doses the level leaves out.
    private var uncounted: String {
        switch stock.uncounted {
        case 0: ""
        case 1: "1 dose has no amount that can be counted: count the stock"
        case let count: "\(count) doses have no amount that can be counted: count the stock"
        }
    }

    private func level(_ output: Output) -> String {
        if let since = stock.unknownSince {
            return "unknown since \(output.time(since)): more was taken than there was"
        }
        guard let last = stock.differences.last, last.at == stock.counted,
            let difference = last.counted.adding(-last.computed)
        else { return "" }
        let amount = difference < .zero ? "\(-difference) fewer" : "\(difference) more"
        return "the last count found \(amount) than the log says"
    }
}

/// The arguments of commands that change the stock.
struct SupplyOptions: ParsableArguments {
    @Argument(
        help: "The medication or the supplement, by id or name. A name needs --record, unless there is only one record."
    )
    var plan: String

    @OptionGroup var named: PlanRecordOption

    @Argument(help: "The amount, in the unit of the plan.")
    var amount: Amount

    @Option(
        name: .long,
        help: "When: a time, or a day, which means its start (default: now)."
    )
    var date: TypedTime?

    func validate() throws {
        guard amount.value < .zero else { return }
        throw ValidationError(
            "the amount must not be below 0; if there is less than before: healthjournal stock discard or count"
        )
    }

    func add(_ what: Supply.What, expires: Day?, _ options: CommonOptions, _ sentence: String) async throws {
        try await Session.run(options) { session in
            let plan = try await session.journal.plan(plan, of: named.record)
            let at = try date?.instant(in: session.output.typedZone) ?? session.journal.now
            let supply = EntryContent.supply(of: plan, what, amount.value, unit: nil, expires: expires, at: at)
            let result = try await session.perform(.addEntry(supply, besides: plan))
            session.output.result(result, sentence)
        }
    }
}

/// Records a received amount.
struct StockAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Record that a pack was received.",
        discussion: "Example:  healthjournal stock add 018f2c3b 30 --expires 2027-06-30"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var supply: SupplyOptions

    @Option(name: .long, help: "The last day on which it may be used.")
    var expires: Day?

    func run() async throws { try await supply.add(.received, expires: expires, options, "added to the stock") }
}

/// Records a count.
struct StockCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Record how much is in stock; a difference from the log is shown.",
        discussion: "Example:  healthjournal stock count 018f2c3b 27"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var supply: SupplyOptions

    func run() async throws { try await supply.add(.counted, expires: nil, options, "recorded the count") }
}

/// Records a discarded amount.
struct StockDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Record that something was thrown away or lost.",
        discussion: "Example:  healthjournal stock discard 018f2c3b 2"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var supply: SupplyOptions

    func run() async throws { try await supply.add(.discarded, expires: nil, options, "removed from the stock") }
}
