import ArgumentParser

/// Groups the commands on entries of records.
struct EntryCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entry",
        abstract:
            "Add, list, show, correct, retract, restore, move and erase entries, and show their history.",
        subcommands: [
            EntryAddCommand.self, EntryListCommand.self, EntryShowCommand.self, EntryCorrectCommand.self,
            EntryCorrectAllCommand.self, EntryRetractCommand.self, EntryRestoreCommand.self, EntryMoveCommand.self,
            EntryEraseCommand.self,
            EntryHistoryCommand.self,
        ]
    )
}
