import Foundation
import Glibc

/// The terminal of the user, if there is one.
enum Terminal {
    /// Whether standard input and standard error are a terminal, so that the user can answer a question.
    static var isInteractive: Bool { isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0 }

    /// Asks a question; anything but "y" or "yes" is a no.
    static func confirms(_ question: String) throws -> Bool {
        try FileHandle.standardError.write(contentsOf: Data("\(question) [y/N] ".utf8))
        let answer = readLine(strippingNewline: true)?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}
