import ArgumentParser

/// Entries of records.
struct EntryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entry",
        abstract: "Entries of a record: add, list, correct, retract, restore, and how each came about.",
        subcommands: [
            EntryAddCommand.self, EntryListCommand.self, EntryCorrectCommand.self, EntryRetractCommand.self,
            EntryRestoreCommand.self, EntryHistoryCommand.self,
        ]
    )
}
