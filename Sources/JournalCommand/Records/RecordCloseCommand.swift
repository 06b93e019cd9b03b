import ArgumentParser
import HealthJournal

/// Closes a record.
struct RecordCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close a record: it can still be read, but no longer be changed.",
        discussion: "Example:  healthjournal record close 018f2c3a --reason \"moved to another practice\""
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    func run() async throws {
        try await Session.run(options) { session in
            let id = try await session.journal.record(record)
            session.output.result(try await session.journal.closeRecord(id), "closed the record")
        }
    }
}
