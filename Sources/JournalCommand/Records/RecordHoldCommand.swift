import ArgumentParser
import HealthJournal
import HealthModel

/// Places a retention hold on a record, which prevents its erasure up to a date.
struct RecordHoldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Prevent the erasure of a record up to a date, as a law may require.",
        discussion: """
            Example:  healthjournal record hold 018f2c3a --until 2036-12-31 --reason "records of treatment are kept ten years"
            A hold can be extended, but never shortened.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    @Option(name: .long, help: "The last day on which it must not be erased.")
    var until: Day

    func validate() throws {
        if options.reason.isEmpty { throw ValidationError("a hold requires a reason: --reason TEXT") }
    }

    func run() async throws {
        try await Session.run(options) { session in
            let id = try await session.journal.record(record)
            let result = try await session.journal.holdRecord(id, until: until)
            session.output.result(result, "the record is held until \(until)")
        }
    }
}
