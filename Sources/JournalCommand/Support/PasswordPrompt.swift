import Foundation
import Glibc
import HealthJournal

/// Reads a new password: from a person without showing it, from a program as one line.
enum PasswordPrompt {
    private static let longestLine = 4_096

    static func read() throws -> String {
        guard isatty(STDIN_FILENO) != 0 else { return try line() }
        return try withoutEcho {
            let password = try ask("New password: ")
            guard try ask("The same again: ") == password else {
                throw JournalError(.invalid, field: "password", "the two differ")
            }
            return password
        }
    }

    /// The password that is in use, for who changes their own.
    static func readCurrent() throws -> String {
        guard isatty(STDIN_FILENO) != 0 else { return try line() }
        return try withoutEcho { try ask("Current password: ") }
    }

    private static func ask(_ question: String) throws -> String {
        try FileHandle.standardError.write(contentsOf: Data(question.utf8))
        defer { try? FileHandle.standardError.write(contentsOf: Data("\n".utf8)) }
        return try line()
    }

    /// The first line, byte for byte as it came but for its end.
    private static func line() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try FileHandle.standardInput.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            guard bytes.count < longestLine else {
                throw JournalError(.invalid, field: "password", "the line is too long")
            }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw JournalError(.invalid, field: "password", "is required") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JournalError(.invalid, field: "password", "is not UTF-8")
        }
        return text
    }

    /// Turns the terminal's echo off, and on again whatever happens: an interruption too ends with it on.
    private static func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        var before = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return try body() }
        let shown = before
        signal(SIGINT, SIG_IGN)
        let interruption = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interruption.setEventHandler {
            set(shown)
            _exit(130)
        }
        interruption.resume()
        var silent = shown
        silent.c_lflag &= ~tcflag_t(ECHO)
        set(silent)
        defer {
            set(shown)
            interruption.cancel()
            signal(SIGINT, SIG_DFL)
        }
        return try body()
    }

    private static func set(_ terminal: termios) {
        var terminal = terminal
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal)
    }
}
