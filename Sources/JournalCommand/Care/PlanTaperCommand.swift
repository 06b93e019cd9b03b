import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel

/// Adds a plan whose doses become smaller.
struct PlanTaperCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "taper",
        abstract: "Add a medication whose dose is reduced step by step.",
        discussion: """
            Each step is the daily dose and the number of days. A dose must be a whole number of half units.
            Example:  healthjournal plan taper 018f2c3a Prednisone --strength "5 mg" --from 2027-03-20 --at 08:00 \
            --steps 40x5,30x5,20x5,10x5,5x5
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument

    @Argument(help: "The name of the medication.")
    var name: String

    @Option(name: .long, help: "The first day.")
    var from: TypedDay

    @Option(name: .long, help: "The time of day.")
    var at: WallTime

    @Option(
        name: .long,
        help: """
            The steps: the dose in the unit of --strength, an x, and the number of days. With decimal commas, separate \
            them by semicolons: 12,5x3;10x3.
            """
    )
    var steps: String

    @OptionGroup var product: ProductOptions

    func run(in session: Session) async throws {
        var content = EntryContent(kind: product.kind.kind)
        try content.set("name", text: name)
        try product.write(to: &content)
        try await product.addSubstance(to: &content, session)
        guard let (strength, _) = try product.strengthOfOne else {
            throw JournalError(.invalid, field: "strength", "is required to compute the number of units")
        }
        let record = try await record.id(in: session)
        let rules = try await PlanRule.taper(
            strength: strength,
            from: from.day(of: record, in: session),
            at: at,
            steps: steps,
            recordedAt: session.journal.now
        )
        for rule in rules { content.addRule(rule) }
        let result = try await session.perform(.addEntry(content, to: record, id: nil))
        session.output.result(result, "added the plan \(result.entry?.text ?? "")")
        await session.check(name, in: record)
    }
}

extension WallTime: ExpressibleByArgument {
    package init?(argument: String) {
        guard let time = try? WallTime(typed: argument) else { return nil }
        self = time
    }
}
