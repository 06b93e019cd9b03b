import ArgumentParser
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Erases a record, so that it is permanently unreadable.
struct EraseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a record permanently, with all its history, and write a receipt.",
        discussion: """
            Example:  healthjournal erase 018f2c3a --reason "asked for by herself on 3 March" -o receipt.txt

            The record's key is destroyed and its documents are removed. The log still shows that the record existed \
            and was erased. It keeps the reason too, which must therefore not describe the person. Backups contain the \
            key until they are next updated; the receipt names them. To write the receipt again:
              healthjournal record receipt RECORD
            """
    )

    @OptionGroup var record: RecordArgument

    @OptionGroup var erasure: ErasureArguments

    @OptionGroup var options: CommonOptions

    func validate() throws { try erasure.validate(reason: options.reason) }

    func run(in session: Session) async throws {
        let file = try erasure.receiptFile()
        let id = try await record.id(in: session)
        if !erasure.yes { try await confirm(id, session) }
        let result = try await session.perform(.eraseRecord(id))
        try await ReceiptSheet(record: id, position: result.position, file: file)
            .give(session) {
                try await session.perform(.receipt(of: id, entry: nil))
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
