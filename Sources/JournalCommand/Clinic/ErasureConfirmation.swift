import ArgumentParser
import Foundation
import Glibc
import HealthJournal
import HealthModel
import Interchange

/// The confirmation of the erasure of a person who is no patient.
struct ErasureConfirmation: ParsableArguments {
    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    func validate(_ options: CommonOptions) throws {
        if options.reason.isEmpty { throw ValidationError("an erasure requires a reason: --reason TEXT") }
        if !yes, isatty(STDIN_FILENO) == 0 { throw ValidationError.unconfirmed }
    }

    /// Asks on the terminal; throws `refused` if the answer is another one.
    func ask(about name: String, _ session: Session) throws {
        guard !yes else { return }
        session.output.note(
            "This makes the data of \(TerminalText.escaped(name)) permanently unreadable. Type erase to continue:"
        )
        guard readLine()?.trimmingCharacters(in: .whitespaces) == "erase" else {
            throw JournalError(.refused, "the answer is not the word erase: nothing was erased")
        }
    }
}
