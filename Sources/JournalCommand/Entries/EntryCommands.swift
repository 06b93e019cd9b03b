import ArgumentParser

/// Groups the commands on entries of records.
struct EntryCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entry",
        abstract: "Add, list, correct, retract and restore entries of a record, and show their history.",
        subcommands: [
            EntryAddCommand.self, EntryListCommand.self, EntryCorrectCommand.self, EntryRetractCommand.self,
            EntryRestoreCommand.self, EntryHistoryCommand.self,
        ]
    )
}
