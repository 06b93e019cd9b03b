import ArgumentParser

/// Groups the commands on records of people and animals.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Manage records of people and animals.",
        subcommands: [
            RecordCreateCommand.self, RecordListCommand.self, RecordShowCommand.self, RecordSetCommand.self,
            RecordCloseCommand.self, RecordHoldCommand.self, RecordReceiptCommand.self, RecordOwnerCommand.self,
            RecordTransferCommand.self,
        ]
    )
}
