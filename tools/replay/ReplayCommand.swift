import ArgumentParser
import Glibc

/// A subcommand: what it does, with its errors told in one place.
protocol ReplayCommand: AsyncParsableCommand {
    func perform(_ output: Output) async throws
}

extension ReplayCommand {
    func run() async throws {
        // A reader that has seen enough, as `head`, is no error: the write tells, and the process ends quietly.
        _ = signal(SIGPIPE, SIG_IGN)
        let output = Output()
        do {
            try await perform(output)
            try output.flush()
        } catch is Output.Closed {
            throw ExitCode.success
        } catch let error as ValidationError {
            throw error
        } catch {
            let failure = Failure(error)
            try? output.flush()
            Messages.say(failure.message)
            throw ExitCode(failure.code.rawValue)
        }
    }
}
