import ArgumentParser

/// A subcommand whose errors are reported in one place.
protocol ReplayCommand: AsyncParsableCommand {
    /// Whether each row of a table is one line, however wide the terminal is.
    var isWide: Bool { get }

    func perform(_ output: ReplayOutput) async throws
}

/// A subcommand that reads a journal.
protocol JournalReadingCommand: ReplayCommand {
    var journal: JournalOptions { get }
}

extension JournalReadingCommand {
    var isWide: Bool { journal.wide }
}

extension ReplayCommand {
    var isWide: Bool { false }

    func run() async throws {
        let output = ReplayOutput(isWide: isWide)
        do {
            try await perform(output)
            try output.flush()
        } catch is ReplayOutput.Closed {
            // A reader that closes the output early, such as `head`, is no error.
            throw ExitCode.success
        } catch let error as ValidationError {
            throw error
        } catch {
            let failure = Failure(error)
            // The command has failed already, with its own message and status.
            try? output.flush()
            Messages.say(failure.message)
            throw ExitCode(failure.code.rawValue)
        }
    }
}
