import ArgumentParser
import HealthModel
import Interchange

struct AsOfCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "as-of",
        abstract: "Print a record as it was known at a moment, folded from the log and not read from the views.",
        discussion: """
            The record is native JSON, as `healthjournal export --as native --as-of` writes it.

            Example:
              healthjournal-replay as-of 2024-05-03 --record 3f2a9c1e
            """
    )

    /// The only format; the option exists so that scripts can request JSON from every command.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json
    }

    @OptionGroup var journal: JournalOptions

    @Argument(help: "A position, a time or a date.")
    var when: String

    @Option(help: "The record.")
    var record: String

    @Option(help: ArgumentHelp("Only entries that had occurred by this day.", valueName: "date"))
    var happenedBy: String?

    @Option(help: "The output format.")
    var format: Format = .json

    func perform(_ output: ReplayOutput) async throws {
        let moment = try OpenJournal.moment(when)
        let day = try happenedBy.map(AsOfCommand.day)
        let journal = try journal.open()
        try journal.requireKey(to: "read a record")
        let position = try journal.position(moment)
        let record = try journal.record(record)
        guard position > 0, let state = try journal.fold(record, through: position).state else {
            throw Failure(.notFound, "the record did not exist yet at position \(position)")
        }
        let document = NativeDocument.write(
            state,
            asOf: try journal.stamp(at: position),
            scope: ExportScope(happenedBy: day)
        )
        try output.json(document)
    }

    private static func day(_ text: String) throws -> Day {
        do {
            return try Day(parsing: text)
        } catch {
            throw Failure(.usage, "--happened-by: \(error.message)")
        }
    }
}
