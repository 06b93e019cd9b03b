import ArgumentParser
import HealthJournal
import HealthModel

/// Groups the commands on weights.
struct WeightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weight",
        abstract: "Log weights.",
        subcommands: [WeightLogCommand.self]
    )
}

/// Logs a weight.
struct WeightLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Log a weight.",
        discussion: "Example:  healthjournal weight log 018f2c3a 72.5kg --comment \"after breakfast\""
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Argument(help: "The weight with its unit: 72.5kg, \"72.5 kg\", 160lb, 4200g, \"11st 4lb\".")
    var weight: String

    @Option(
        name: .long,
        help: "When it was weighed: a date, yesterday, or a time such as 2026-03-01T08:00 (default: now)."
    )
    var date: String?

    @Option(name: .long, help: "A comment.")
    var comment: String = ""

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The date and the comment, if they are not given as options.", valueName: "FIELD=VALUE")
    )
    var values: [String] = []

    @OptionGroup var doubts: DoubtOptions

    func run() async throws {
        let assignments = try TypedField.all(values)
        for field in assignments {
            if field.typed.hasPrefix("--") { throw ValidationError("there is no option \(field.typed)") }
            guard field.typed == "date" && date == nil || field.typed == "comment" && comment.isEmpty else {
                throw ValidationError("only the date and the comment can be given as FIELD=VALUE, each of them once")
            }
        }
        try await Session.run(options) { session in
            let (value, unit) = try Weight.parse(typed: weight)
            var content = EntryContent(kind: Weight.kind)
            content.body[Weight.value] = .decimal(value)
            content.body[Weight.unit] = unit.map { .text($0) }
            content.date = .instant(session.journal.now.wholeSeconds)
            if let date { try content.setDate(typed: date, in: session.output.typedZone) }
            try content.set("comment", text: comment)
            try content.set(typed: assignments, in: session.output.typedZone)
            try content.askUnitOfWeight(now: session.journal.now)
            let record = try await record.id(in: session)
            try await doubts.ask(about: content, in: record, session)
            let result = try await session.perform(.addEntry(content, to: record, id: nil))
            session.output.result(result, "logged \(content.title) as entry \(result.entry?.text ?? "")")
        }
    }
}

extension Instant {
    fileprivate var wholeSeconds: Instant { Instant(microseconds: microseconds - microseconds % 1_000_000) }
}
