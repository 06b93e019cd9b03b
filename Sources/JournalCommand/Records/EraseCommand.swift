import ArgumentParser
import Foundation
import Glibc
import HealthJournal
import HealthModel
import Interchange

/// Makes a record unreadable for good.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Make all data of a record unreadable for good, at every moment of the past, and give a receipt.",
        discussion: """
            Example:  healthjournal erase 018f2c3a --reason "asked for by herself on 3 March" -o receipt.txt

            Its key is destroyed and its documents are removed; that it was there and was erased stays in the log. The
            reason stays too, so let it say nothing of the person. Backups hold the key until they are next brought up
            to date; the receipt names them. The receipt again:  healthjournal record receipt RECORD
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    @Flag(name: .long, help: "Do not ask whether it is meant.")
    var yes = false

    @Option(name: .shortAndLong, help: "The file to write the receipt to (else standard output).")
    var output: String?

    func validate() throws {
        if options.reason.isEmpty { throw ValidationError("say why it is erased: --reason TEXT") }
        if !yes, isatty(STDIN_FILENO) == 0 {
            throw ValidationError("there is no terminal to ask at whether it is meant; if it is, add --yes")
        }
    }

    func run() async throws {
        try await Session.run(options) { session in
            let id = try await session.journal.record(record)
            if !yes { try await confirm(id, session) }
            let result = try await session.journal.eraseRecord(id)
            try await ReceiptSheet(record: id, position: result.position)
                .give(session, to: output) {
                    try await session.journal.receipt(of: id)
                }
        }
    }

    private func confirm(_ record: UUID, _ session: Session) async throws {
        let preview = try await session.journal.previewErasure(record)
        let name = TerminalText.escaped(preview.displayName)
        session.output.note(
            """
            This makes the record of \(name) with \(preview.entries) and all its history unreadable for \
            good. Nobody can bring it back.
            Type its name, or erase, to go on:
            """
        )
        let answer = readLine()?.trimmingCharacters(in: .whitespaces)
        guard answer == "erase" || answer == preview.displayName else {
            throw JournalError(.refused, "that is neither its name nor the word: nothing was erased")
        }
    }
}
