import ArgumentParser
import Foundation
import Glibc
import HealthJournal
import HealthModel
import Interchange
import Platform

/// Erases a record, so that it is permanently unreadable.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a record permanently, with all its history, and write a receipt.",
        discussion: """
            Example:  healthjournal erase 018f2c3a --reason "asked for by herself on 3 March" -o receipt.txt

            The record's key is destroyed and its documents are removed. The log still shows that the record existed and
            was erased. It keeps the reason too, which must therefore not describe the person. Backups contain the key
            until they are next updated; the receipt names them. To write the receipt again:
              healthjournal record receipt RECORD
            """
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    @Option(name: .shortAndLong, help: "The file to write the receipt to (default: standard output).")
    var output: String?

    func validate() throws {
        if options.reason.isEmpty { throw ValidationError("an erasure requires a reason: --reason TEXT") }
        if !yes, isatty(STDIN_FILENO) == 0 {
            throw ValidationError("there is no terminal on which to ask for confirmation; to confirm, add --yes")
        }
    }

    func run() async throws {
        try await Session.run(options) { session in
            // Opened before the erasure, so that an unusable destination of the receipt is reported first.
            let file = try output.map { (path) throws(StorageError) in try OutputFile(path) }
            let id = try await record.id(in: session)
            if !yes { try await confirm(id, session) }
            let result = try await session.perform(.eraseRecord(id))
            try await ReceiptSheet(record: id, position: result.position, file: file)
                .give(session) {
                    try await session.perform(.receipt(of: id, entry: nil))
                }
        }
    }

    private func confirm(_ record: UUID, _ session: Session) async throws {
        let preview = try await session.perform(.previewErasure(record))
        let name = TerminalText.escaped(preview.displayName)
        session.output.note(
            """
            This makes the record of \(name) with \(preview.entries) and all its history permanently \
            unreadable. Nobody can undo it.
            Type its name, or erase, to continue:
            """
        )
        let answer = readLine()?.trimmingCharacters(in: .whitespaces)
        guard answer == "erase" || answer == preview.displayName else {
            throw JournalError(.refused, "the answer is neither its name nor the word erase: nothing was erased")
        }
    }
}
