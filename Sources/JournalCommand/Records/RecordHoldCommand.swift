import ArgumentParser
import HealthJournal
import HealthModel

/// Keeps a record from being erased for a time.
struct RecordHoldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Keep a record from being erased up to a date, as a law may demand.",
        discussion: """
            Example:  healthjournal record hold 018f2c3a --until 2036-12-31 --reason "records of treatment are kept ten years"
            A hold can be extended and never shortened.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    @Option(name: .long, help: "The last day on which it must not be erased.")
    var until: Day

    func validate() throws {
        if options.reason.isEmpty { throw ValidationError("say why it is held: --reason TEXT") }
    }

    func run() async throws {
        try await Session.run(options) { session in
            let id = try await session.journal.record(record)
            let result = try await session.journal.holdRecord(id, until: until)
            session.output.result(result, "the record is held until \(until)")
        }
    }
}
