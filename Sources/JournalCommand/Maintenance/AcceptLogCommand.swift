import ArgumentParser
import EventLog
import HealthJournal

/// Accepts a log that does not extend its checkpoint.
struct AcceptLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-log",
        abstract: "Accept a log that does not extend its checkpoint; this is recorded in the audit log.",
        discussion: """
            The journal refuses a log that is shorter than its checkpoints prove, or that differs from them. If that \
            is known and intended, such as after an older backup was restored, this command records in the log itself \
            who accepted it and why, and renames the checkpoint that contradicts it to checkpoint.refused-SIZE. Lost \
            events are not recovered.

            Example:  healthjournal accept-log --reason "the disk failed; restored the backup of 3 May"
            """
    )

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard !options.reason.isEmpty else { throw ValidationError("a reason is required: --reason TEXT") }
    }

    func run() async throws {
        try await FolderSession.run(options, onRollback: .report) { session in
            if let rollback = session.journal.rollback { session.output.warn(rollback.message) }
            session.output.result(
                try await session.journal.maintenance.acceptLog(session.caller),
                "accepted the log as it is"
            )
        }
    }
}
