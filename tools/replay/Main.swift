import ArgumentParser
import CommandRun

/// The audit tool, which reads and folds the log itself, so that it can contradict the views.
@main
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthjournal-replay",
        abstract: "Audit a health journal's log: who changed what, when and why, and what was known at any moment.",
        discussion: """
            Only reads, and can be used beside a running service. WHEN is a position (#42), a time (2024-02-16T08:30 by the \
            journal's clock, or 2024-02-16T07:30:00Z) or a date, which means the end of that day. Records, entries and accounts are named by \
            their id or by the first 8 or more characters of it; accounts by their name as well.

            Without the master key only unencrypted data is shown; what could not be read is reported.

            Exit status: 0 done, 1 failed, 2 not found, 3 a verification found a mismatch, 64 usage.
            """,
        version: ProgramVersion.current,
        subcommands: [
            TrailCommand.self, AsOfCommand.self, DiffCommand.self, AccessCommand.self, CouldCommand.self,
            VerifyCommand.self, CheckpointCommand.self, ProveCommand.self, CheckProofCommand.self, StatsCommand.self,
            FollowCommand.self,
        ]
    )

    static func main() async { await runFromArguments() }
}
