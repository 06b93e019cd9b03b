import Foundation
import Glibc
import HealthModel
import Subprocess
import SystemPackage

/// A program that sends e-mail, with the interface of sendmail, such as msmtp.
struct Sendmail {
    let program: String
    /// The time that the program has for one message.
    let patience: Duration

    /// Ignores SIGPIPE: writing to a program that has ended then fails with an error instead of ending this process.
    private static let survivesBrokenPipes: Bool = signal(SIGPIPE, SIG_IGN) != nil

    /// Sends a message, which passes through a pipe only.
    func send(_ message: String, to address: String) async throws(ReminderFailure) {
        _ = Sendmail.survivesBrokenPipes
        do {
            try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
                group.addTask { try await run(message, address) }
                group.addTask {
                    try await Task.sleep(for: patience)
                    return nil
                }
                // Cancels the other task; if that is the sending, this ends the program.
                defer { group.cancelAll() }
                guard let status = try await group.next() ?? nil else {
                    throw ReminderFailure.silent(
                        "the program for e-mail does not end within \(patience.components.seconds) seconds"
                    )
                }
                guard !status.isSuccess else { return }
                guard case .exited(let code) = status else {
                    throw ReminderFailure.rejected("the program for e-mail was ended by a signal")
                }
                throw ReminderFailure.rejected(
                    "the program for e-mail could not send the message (exit status \(code))"
                )
            }
        } catch let error as ReminderFailure {
            throw error
        } catch {
            throw .rejected("the program for e-mail cannot be started")
        }
    }

    private func run(_ message: String, _ address: String) async throws -> TerminationStatus {
        let program: Executable = program.contains("/") ? .path(FilePath(program)) : .name(program)
        let result = try await Subprocess.run(
            program,
            // A line with a dot does not end the message, and the address cannot be an option.
            arguments: ["-i", "--", address],
            input: .inputWriter,
            output: .discarded,
            error: .discarded
        ) { execution in
            // A program that ends before it has read everything reports that by its status. The input is written and
            // closed here, because swift-subprocess 1.0.2 ends the whole process if its own writing is interrupted.
            _ = try? await execution.standardInputWriter.write(message)
            try? await execution.standardInputWriter.finish()
        }
        return result.terminationStatus
    }
}
