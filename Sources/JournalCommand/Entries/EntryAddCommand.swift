import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// Adds an entry.
struct EntryAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an entry to a record.",
        discussion: """
            Example:  healthjournal entry add 018f2c3a vaccination name="Flu shot" place=Pharmacy --date 2024-10-03
            Example:  echo '{"date": "2024-10-03", "name": "LDL", "value": "3.4"}' | healthjournal entry add 018f2c3a blood-value --json -

            Kinds and their fields:
            \(Kind.all.map { "  \($0.word): \($0.fields.leaves.map(\.name).joined(separator: ", "))" }.joined(separator: "\n"))
            Each also has comment and voiceEntryUsed.
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Argument(help: "The kind of entry.")
    var kind: KindName

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The fields and their values.", valueName: "FIELD=VALUE"))
    var values: [String] = []

    @Option(
        name: .long,
        help: "When it happened: a date, yesterday, a month (2010-05), a year (2010), or a time (2026-03-01T08:00)."
    )
    var date: String?

    @Option(name: .long, help: "The new entry's id (default: a new one).")
    var id: String?

    @Option(name: .long, help: "Read the entry as native JSON from this file, or from standard input for -.")
    var json: String?

    @OptionGroup var doubts: DoubtOptions

    func run() async throws {
        let kind = kind.kind
        let assignments = try TypedField.all(values)
        guard json == nil || assignments.isEmpty && date == nil else {
            throw ValidationError("give the entry either as FIELD=VALUE or as --json, not both")
        }
        guard json != nil || !assignments.isEmpty else {
            let first = kind.fields.leaves.first?.name ?? "comment"
            throw ValidationError(
                "give at least one field, such as \(first)=…; healthjournal help entry add lists them"
            )
        }
        guard date == nil || !assignments.contains(where: { $0.typed == "date" }) else {
            throw ValidationError("the date is given twice, as --date and as date=…")
        }
        let identity = try id.map { text in
            guard let id = UUID(uuidString: text) else { throw ValidationError("--id must be a UUID") }
            return id
        }
        try await Session.run(options) { session in
            var content = EntryContent(kind: kind)
            if let json {
                let bytes = try readFile(json, atMost: JSONReader.maximumBytes)
                content = try NativeDocument.content(JSONReader.read(bytes), of: kind, now: session.journal.now)
            }
            try content.set(typed: assignments, in: session.output.typedZone)
            if let date { try content.setDate(typed: date, in: session.output.typedZone) }
            // A document states what it knows.
            if json == nil { try content.askUnitOfWeight(now: session.journal.now) }
            let record = try await record.id(in: session)
            try await doubts.ask(about: content, in: record, session)
            let result = try await session.perform(.addEntry(content, to: record, id: identity))
            session.output.result(result, "added the \(kind.word) entry \(result.entry?.text ?? "")")
        }
    }
}
