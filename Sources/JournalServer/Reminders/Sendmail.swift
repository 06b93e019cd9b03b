import Foundation
import Glibc
import Subprocess
import SystemPackage

/// A program that sends e-mail, with the interface of sendmail, such as msmtp.
struct Sendmail {
    let program: String

    /// The time that the program has for one message.
    private static let patience: Duration = .seconds(30)

    /// Ignores SIGPIPE: writing to a program that has ended then fails with an error instead of ending this process.
    private static let survivesBrokenPipes: Bool = signal(SIGPIPE, SIG_IGN) != nil

    /// Sends a message, which passes through a pipe only.
    func send(_ message: String, to address: String) async throws(ReminderFailure) {
        _ = Sendmail.survivesBrokenPipes
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask { try await run(message, address) }
                group.addTask {
                    try await Task.sleep(for: Sendmail.patience)
                    return false
                }
                // Cancels the other task; if that is the sending, this ends the program.
                defer { group.cancelAll() }
                guard try await group.next() == true else {
                    throw ReminderFailure.failed("the program for e-mail could not send the message")
                }
            }
        } catch let error as ReminderFailure {
            throw error
        } catch {
            throw .failed("the program for e-mail cannot be started")
        }
    }

    private func run(_ message: String, _ address: String) async throws -> Bool {
        let program: Executable = program.contains("/") ? .path(FilePath(program)) : .name(program)
        let result = try await Subprocess.run(
            program,
            // A line with a dot does not end the message, and the address cannot be an option.
            arguments: ["-i", "--", address],
            input: .inputWriter,
            output: .discarded,
            error: .discarded
        ) { execution in
            // The input is written and closed here, because swift-subprocess 1.0.2 ends the whole process if its own
            // writing is interrupted.
            _ = try? await execution.standardInputWriter.write(message)
            try? await execution.standardInputWriter.finish()
        }
        return result.terminationStatus.isSuccess
    }
}
