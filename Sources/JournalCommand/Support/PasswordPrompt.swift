import Foundation
import Glibc
import HealthJournal
import HealthModel

/// Reads a password: from a terminal without echo, from a program as one line.
enum PasswordPrompt {
    private static let longestLine = 4_096

    static func read() throws -> String {
        guard isatty(STDIN_FILENO) != 0 else { return try line() }
        return try withoutEcho {
            let password = try ask("New password: ")
            guard try ask("Repeat the new password: ") == password else {
                throw JournalError(.invalid, field: "password", "the two passwords differ")
            }
            return password
        }
    }

    /// Reads the current password of a user who changes their own account.
    static func readCurrent() throws -> String {
        guard isatty(STDIN_FILENO) != 0 else { return try line() }
        return try withoutEcho { try ask("Current password: ") }
    }

    /// Runs a change that may require the caller's current password; asks for it only in that case.
    static func confirming<Result>(_ change: (_ current: String?) async throws -> Result) async throws -> Result {
        do {
            return try await change(nil)
        } catch let error as JournalError where error.code == .invalid && error.field == "current" {
            return try await change(try readCurrent())
        }
    }

    private static func ask(_ question: String) throws -> String {
        try FileHandle.standardError.write(contentsOf: Data(question.utf8))
        // Only ends the line of the question.
        defer { try? FileHandle.standardError.write(contentsOf: Data("\n".utf8)) }
        return try line()
    }

    /// Returns the first line, byte for byte without its line ending.
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

    /// Turns the terminal's echo off while `body` runs, and restores it in any case, also on SIGINT.
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
