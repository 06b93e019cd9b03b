import ArgumentParser
import FoundationEssentials
import HealthJournal
import Platform

/// Writes the receipt of an erasure again.
struct RecordReceiptCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Write the current receipt of the erasure of a record, or of one of its entries.",
        discussion: """
            Example:  healthjournal record receipt 018f2c3a -o receipt.txt
                      healthjournal record receipt maria --entry 018f2c3b -o receipt.txt
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Option(help: "The id of an entry that was erased alone.")
    var entry: String?

    @Option(name: .shortAndLong, help: "The file to write it to (default: standard output).", completion: .file())
    var output: String?

    func run(in session: Session) async throws {
        let file = try output.map { (path) throws(StorageError) in try OutputFile(path) }
        let id = try await record.id(in: session)
        var erased: UUID?
        if let entry { erased = try await session.journal.entry(entry) }
        let receipt = try await session.perform(.receipt(of: id, entry: erased))
        try await ReceiptSheet(record: id, entry: erased, position: receipt.position, file: file)
            .give(session) { receipt }
    }
}
