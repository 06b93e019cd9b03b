import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Commands on the plans of medication and supplements.
struct PlanCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Plan when medication and supplements are taken.",
        discussion: """
            A change holds from a moment on and leaves the past as it was. To say that a plan never was as it was \
            recorded, correct it:  healthjournal entry correct
            """,
        subcommands: [
            PlanAddCommand.self, PlanTaperCommand.self, PlanChangeCommand.self, PlanPauseCommand.self,
            PlanResumeCommand.self, PlanStopCommand.self, PlanListCommand.self,
            PlanShowCommand.self,
        ]
    )
}

/// Adds a medication or a supplement with its plan.
struct PlanAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a medication or a supplement, and when it is due.",
        discussion: """
            Example:  healthjournal plan add 018f2c3a Lisinopril --unit tablet --daily 08:00=1 --from 2026-03-01
            Example:  healthjournal plan add 018f2c3a Ibuprofen --unit tablet --as-needed --amount 1 --gap 6h --most 4
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument

    @Argument(help: "The name of the medication or the supplement.")
    var name: String

    @OptionGroup var pattern: PatternOptions
    @OptionGroup var product: ProductOptions

    @Option(name: .long, help: "The first day or moment (default: today): 2026-03-01 or 2026-03-01T12:00.")
    var from: TypedMoment?

    @Option(name: .long, help: "The last day, which is included, or the time of the end (default: no end).")
    var until: TypedMoment?

    @Option(name: .long, help: "Count the stock, starting with this amount.")
    var stock: Amount?

    @OptionGroup var doubts: DoubtOptions

    func run() async throws {
        let kind = product.kind.kind
        try await Session.run(options) { session in
            let record = try await record.id(in: session)
            let zone = try await session.personZone(of: record)
            let now = session.wall(in: zone)
            let (from, until) = (from?.start(today: now.day), until?.end(today: now.day))
            let rule = try pattern.rule(from: from, until: until, zone, now: now)
            var content = EntryContent(kind: kind)
            try content.set("name", text: name)
            try product.write(to: &content)
            try await product.addSubstance(to: &content, session)
            if let rule { content.addRule(rule) }
            if stock != nil { try content.set(PlanFields.trackStock.name, text: "true") }
            try await doubts.ask(about: content, in: record, session)
            let result = try await session.perform(.addEntry(content, to: record, id: nil))
            if let stock, let plan = result.entry {
                let supply = EntryContent.supply(
                    of: plan,
                    .received,
                    stock.value,
                    unit: content.body.text(PlanFields.unit),
                    at: session.journal.now
                )
                _ = try await session.perform(.addEntry(supply, to: record, id: nil))
            }
            let id = result.entry?.text ?? ""
            session.output.result(result, rule == nil ? "added \(id), without a schedule" : "added the plan \(id)")
            if rule != nil { await session.check(name, in: record) }
            if rule == nil, !session.output.isJSON {
                session.output.note(
                    "nothing is due yet; add a schedule with: "
                        + "healthjournal plan change \(id) --effective \(now.day) --daily 08:00=1"
                )
            }
        }
    }
}
