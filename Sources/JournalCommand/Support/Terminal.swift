import ArgumentParser
import Foundation
import Glibc
import HealthJournal
import HealthModel

/// The terminal of the user, if there is one.
enum Terminal {
    /// Whether standard input and standard error are a terminal, so that the user can answer a question.
    static var isInteractive: Bool { isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0 }

    /// Asks a question; anything but "y" or "yes" is a no.
    static func confirms(_ question: String) throws -> Bool {
        let answer = try answer(to: "\(question) [y/N]").lowercased()
        return answer == "y" || answer == "yes"
    }

    /// Asks a question and returns the typed answer, which may be empty.
    static func answer(to question: String) throws -> String {
        try FileHandle.standardError.write(contentsOf: Data("\(question) ".utf8))
        return readLine(strippingNewline: true) ?? ""
    }
}

extension ValidationError {
    /// A change that needs a confirmation has none, and there is no one to ask.
    static let unconfirmed = ValidationError(
        "there is no terminal on which to ask for confirmation; to confirm, add --yes"
    )
}

extension Terminal {
    /// Asks whether to make a change, unless an option confirms it already or there is no terminal to ask.
    static func confirm(_ question: String, unless isConfirmed: Bool) throws {
        guard !isConfirmed, isInteractive, try !confirms(question) else { return }
        throw JournalError(.refused, "nothing was changed")
    }

    /// Asks whether to replace a grant, unless an option decides it; throws the refusal where there is no terminal to
    /// ask.
    static func requireReplacing(_ isChosen: Bool, or refusal: JournalError) throws {
        guard !isChosen else { return }
        guard isInteractive else { throw refusal }
        guard try confirms("Replace it?") else {
            throw JournalError(.conflict, field: "grant", "nothing was changed")
        }
    }
}
