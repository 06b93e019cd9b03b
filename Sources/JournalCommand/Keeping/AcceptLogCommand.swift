import ArgumentParser
import EventLog
import HealthJournal

/// Goes on with a log that does not extend what was proven of it.
struct AcceptLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-log",
        abstract: "Go on with a log that does not extend its checkpoint, on purpose and on record.",
        discussion: """
            The journal refuses a log that is shorter or other than what its checkpoints prove. Where that is known and
            wanted, as after an older backup was put back, this says so in the log itself, with who and why, and sets the
            checkpoint that stood against it aside as checkpoint.refused-SIZE. What was lost is not brought back by it.

            Example:  healthjournal accept-log --reason "the disk failed; restored the backup of 3 May"
            """
    )

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard !options.reason.isEmpty else { throw ValidationError("say why with --reason") }
    }

    func run() async throws {
        try await FolderSession.run(options, onRollback: .tell) { session in
            if let rollback = session.journal.log.rollback { session.output.warn(rollback.message) }
            session.output.result(try await session.journal.acceptLog(session.caller), "accepted the log as it is")
        }
    }
}
