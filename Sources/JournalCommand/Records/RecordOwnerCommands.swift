import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Groups the commands on the owners of a record.
struct RecordOwnerCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Manage the owners of a record, who all have the same rights.",
        discussion: "Example:  healthjournal record owner add 018f2c3a ben",
        subcommands: [RecordOwnerAddCommand.self, RecordOwnerRemoveCommand.self, RecordOwnerListCommand.self]
    )
}

/// Adds an owner.
struct RecordOwnerAddCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an owner to a record.",
        discussion: "Example:  healthjournal record owner add 018f2c3a ben"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @OptionGroup var account: AccountArgument

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let account = try await account.id(in: session)
        let result = try await session.perform(OwnerEndpoints.add, record, account)
        session.output.result(result, "added the owner")
    }
}

/// Removes an owner.
struct RecordOwnerRemoveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an owner from a record, yourself or another, but never the last one.",
        discussion: "Example:  healthjournal record owner remove 018f2c3a ben --reason \"moved out\""
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @OptionGroup var account: AccountArgument

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let account = try await account.id(in: session)
        let result = try await session.perform(OwnerEndpoints.remove, record, account)
        session.output.result(result, "removed the owner")
    }
}

/// Lists owners.
struct RecordOwnerListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the owners of a record, now or at an earlier moment.",
        discussion: "Example:  healthjournal record owner list 018f2c3a --as-of 2024-05-03"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let owners = try await session.perform(OwnerEndpoints.list, record, asOf?.asOf(in: session))
        if session.output.isJSON {
            session.output.json(.array(owners.map(\.json)))
            return
        }
        var table = TextTable([.init("ACCOUNT"), .init("NAME")])
        let length = UUID.lengthOfBeginnings(owners.map(\.account))
        for owner in owners {
            table.add([String(owner.account.text.prefix(length)), owner.name ?? owner.account.beginning])
        }
        session.output.table(table, ifEmpty: "nobody owns the record")
    }
}

/// Transfers a record to a new owner.
struct RecordTransferCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Transfer a record to a new sole owner; all grants and invitations end.",
        discussion: "Example:  healthjournal record transfer 018f2c3a carla --reason \"Rex lives with her now\""
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @OptionGroup var account: AccountArgument

    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    func run(in session: Session) async throws {
        let record = try await record.id(in: session)
        let account = try await account.id(in: session)
        let name = session.journal.name(of: account)
        let question =
            "All other owners, or the practice that keeps the record, lose it, and all grants and invitations end. "
            + "Transfer it to \(name)?"
        try Terminal.confirm(question, unless: yes)
        let result = try await session.perform(OwnerEndpoints.transfer, record, account)
        session.output.result(result, "transferred the record to \(name)")
    }
}
