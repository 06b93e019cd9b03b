import ArgumentParser

/// People and animals.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "People and animals.",
        subcommands: [
            RecordCreateCommand.self, RecordListCommand.self, RecordShowCommand.self, RecordSetCommand.self,
            RecordCloseCommand.self, RecordHoldCommand.self, RecordReceiptCommand.self, RecordOwnerCommand.self,
            RecordTransferCommand.self,
        ]
    )
}
