import ArgumentParser
import EventLog
import HealthJournal

/// Accepts a clock that was moved, or that is far ahead of the newest event.
struct AcceptClockCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-clock",
        abstract: "Accept this machine's clock after it was moved; this is recorded in the audit log.",
        discussion: """
            The journal records nothing while the clock is implausible: when it was moved by more than an hour \
            relative to the time since the machine was started, or is more than a year ahead of the newest event. One \
            event under a clock that is years ahead would give a wrong recorded time to all events until then. First \
            check the time that the error states. If it is wrong, correct the clock instead; if it is right, this \
            command records that it was accepted, by whom and why.

            Example:  healthjournal accept-clock --reason "the journal was not used for two years"
            """
    )

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard !options.reason.isEmpty else { throw ValidationError("a reason is required: --reason TEXT") }
    }

    func run(in session: FolderSession) async throws {
        if let problem = try session.journal.clockProblem { session.output.warn(problem.message) }
        session.output.result(
            try await session.journal.maintenance.acceptClock(session.caller),
            "accepted this machine's clock"
        )
    }
}
