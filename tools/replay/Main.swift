import ArgumentParser

/// The audit tool: reads the log itself and folds it again, so that it can contradict the views.
@main
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthjournal-replay",
        abstract: "Show what a health journal's log says: who changed what, when and why, and what was known then.",
        discussion: """
            Reads only, and works beside a running service. WHEN is a position (42), a time (2024-02-16T07:30:00Z) or \
            a date, which means the end of that day in the journal's zone. Records, entries and accounts are named by \
            their id or by the first 8 or more characters of it; accounts by their name as well.

            Without the master key it shows what stands in clear, and says what it could not read.

            Exit status: 0 done, 1 failed, 2 not found, 3 a verification found a mismatch, 64 usage.
            """,
        version: "0.1.0",
        subcommands: [
            TrailCommand.self, AsOfCommand.self, DiffCommand.self, AccessCommand.self, CouldCommand.self,
            VerifyCommand.self, CheckpointCommand.self, ProveCommand.self, CheckProofCommand.self, StatsCommand.self,
            FollowCommand.self,
        ]
    )
}
