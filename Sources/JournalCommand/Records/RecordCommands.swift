import ArgumentParser
import HealthJournal
import HealthModel
import JournalServer

/// Groups the commands on records of people and animals.
struct RecordCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Manage records of people and animals.",
        subcommands: [
            RecordCreateCommand.self, RecordListCommand.self, RecordShowCommand.self, RecordHistoryCommand.self,
            RecordSetCommand.self,
            RecordCloseCommand.self, RecordReopenCommand.self, RecordHoldCommand.self, RecordReceiptCommand.self,
            RecordOwnerCommands.self,
            RecordTransferCommand.self,
        ]
    )
}

/// Closes a record.
struct RecordCloseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close a record: it can still be read, but not be changed until it is reopened.",
        discussion: "Example:  healthjournal record close 018f2c3a --reason \"moved to another practice\""
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        try Terminal.confirm("Nobody can change a closed record. Close it?", unless: yes)
        session.output.result(try await session.perform(RecordEndpoints.close, id, nil), "closed the record")
    }
}

/// Reopens a record.
struct RecordReopenCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "Reopen a closed record: it can be changed again.",
        discussion: "Example:  healthjournal record reopen maria --reason \"came back to the practice\""
    )

    @OptionGroup var record: RecordArgument
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        session.output.result(try await session.perform(RecordEndpoints.reopen, id, nil), "reopened the record")
    }
}

/// Places a retention hold on a record, which prevents its erasure up to a date.
struct RecordHoldCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Prevent the erasure of a record up to a date, as a law may require.",
        discussion: """
            Example:  healthjournal record hold 018f2c3a --until 2036-12-31 --reason "records of treatment are kept ten years"
            A hold can be extended, but never shortened.
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Option(name: .long, help: "The last day on which it must not be erased.")
    var until: Day

    func validate() throws {
        if options.reason.isEmpty { throw ValidationError("a hold requires a reason: --reason TEXT") }
    }

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let result = try await session.perform(RecordEndpoints.hold, id, until)
        session.output.result(result, "the record is held until \(until)")
    }
}
