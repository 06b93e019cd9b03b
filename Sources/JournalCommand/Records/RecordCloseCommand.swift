import ArgumentParser
import HealthJournal

/// Closes a record.
struct RecordCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close a record: it can be read as before, and takes no more changes.",
        discussion: "Example:  healthjournal record close 018f2c3a --reason \"moved to another practice\""
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    func run() async throws {
        try await Session.run(options) { session in
            let id = try session.journal.record(record, session.caller)
            session.output.result(try await session.journal.closeRecord(id, session.caller), "closed the record")
        }
    }
}
