import ArgumentParser
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Erases an entry, so that it is permanently unreadable.
struct EntryEraseCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase an entry permanently, with all its versions and its file, and write a receipt.",
        discussion: """
            Example:  healthjournal entry erase 018f2c3b --reason "the letter of another person" -o receipt.txt

            The entry's key is destroyed, so that nobody can read what it said, now or as of a past moment. The log still \
            shows that there was an entry of its kind, when it was changed, who saw it and who erased it, with the reason, \
            which must therefore not repeat what the entry said. Copies that the journal made are erased with it as far as \
            possible: the original of a moved entry, and findings of interaction checks. The confirmation and the receipt \
            name each of them, and each that stays, with the reason. Backups contain the key until they are next updated; \
            the receipt names them. To write the receipt again:
              healthjournal record receipt RECORD --entry ENTRY
            An entry that was only wrong is corrected or retracted instead: its history then stays readable.
            """
    )

    @OptionGroup var entry: EntryArgument

    @OptionGroup var erasure: ErasureArguments

    @OptionGroup var options: CommonOptions

    func validate() throws { try erasure.validate(reason: options.reason) }

    func run(in session: Session) async throws {
        let file = try erasure.receiptFile()
        let id = try await entry.id(in: session)
        if !erasure.yes { try await confirm(id, session) }
        let result = try await session.perform(.eraseEntry(id))
        guard let record = result.record else { throw JournalError(.failed, "the answer names no record") }
        try await ReceiptSheet(record: record, entry: id, position: result.position, file: file)
            .give(session) {
                try await session.perform(.receipt(of: record, entry: id))
            }
    }

    private func confirm(_ entry: UUID, _ session: Session) async throws {
        let preview = try await session.perform(.previewErasure(ofEntry: entry))
        let content = preview.entry.content
        let what = [content.kind.label, content.title].filter { !$0.isEmpty }.joined(separator: " ")
        session.output.note(
            """
            This erases for good: \(TerminalText.escaped(what)).
            \(preview.sentences.map { "- \(TerminalText.escaped($0))" }.joined(separator: "\n"))
            Nobody can undo it. Type erase to continue:
            """
        )
        guard readLine()?.trimmingCharacters(in: .whitespaces) == "erase" else {
            throw JournalError(.refused, "the answer is not the word erase: nothing was erased")
        }
    }
}
