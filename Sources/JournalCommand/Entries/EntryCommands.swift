import ArgumentParser

/// Groups the commands on entries of records.
struct EntryCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entry",
        abstract: "Add, list, correct, retract, restore and move entries of a record, and show their history.",
        subcommands: [
            EntryAddCommand.self, EntryListCommand.self, EntryCorrectCommand.self, EntryCorrectAllCommand.self,
            EntryRetractCommand.self, EntryRestoreCommand.self, EntryMoveCommand.self, EntryHistoryCommand.self,
        ]
    )
}
