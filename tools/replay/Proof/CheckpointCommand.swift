import ArgumentParser
import EventLog

struct CheckpointCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoint",
        abstract: "Print a signed checkpoint: how many events the log has, and the root of its tree.",
        discussion: """
            A checkpoint is a C2SP signed note. Anyone who keeps one can check later that the log only grew since then. \
            Distribute the key once; it checks all checkpoints and proofs of the journal.

            Example:
              healthjournal-replay checkpoint > 2026-01.checkpoint
              healthjournal-replay checkpoint --key > journal.vkey
            """
    )

    @OptionGroup var journal: JournalOptions

    @Flag(help: "Print the public key that checks checkpoints and proofs instead.")
    var key = false

    @Flag(help: "Print the checkpoint that was published last, with its cosignatures.")
    var published = false

    func validate() throws {
        if key, published { throw ValidationError("give either --key or --published") }
    }

    func perform(_ output: ReplayOutput) async throws {
        let journal = try journal.open()
        if published { return try output.write(journal.publishedCheckpoint().text) }
        try output.write(key ? journal.verifier().text + "\n" : journal.signedCheckpoint().text)
    }
}
