import ArgumentParser
import HealthJournal
import Platform

/// Writes the receipt of an erasure again.
struct RecordReceiptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Write the current receipt of a record's erasure.",
        discussion: "Example:  healthjournal record receipt 018f2c3a -o receipt.txt"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Option(name: .shortAndLong, help: "The file to write it to (default: standard output).")
    var output: String?

    func run() async throws {
        try await Session.run(options) { session in
            let file = try output.map { (path) throws(StorageError) in try OutputFile(path) }
            let id = try await record.id(in: session)
            let receipt = try await session.perform(.receipt(of: id))
            try await ReceiptSheet(record: id, position: receipt.position, file: file).give(session) { receipt }
        }
    }
}
