import ArgumentParser
import EventLog
import Platform

struct ProveCommand: JournalReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Write a proof that an event is in the log, or that the log only grew since a checkpoint.",
        discussion: """
            The proof is a self-contained text: check-proof needs it, the journal's public key, and the event's \
            frame or its hash, but no journal. An event's proof is a C2SP tlog-proof.

            Example:
              healthjournal-replay prove 42 -o 42.tlog-proof --frame 42.frame
              healthjournal-replay prove --consistent-with 2026-01.checkpoint -o grown.proof
            """
    )

    @OptionGroup var journal: JournalOptions

    @Argument(help: "The position of the event.")
    var position: UInt64?

    @Option(help: "An earlier checkpoint, or a proof that ends in one.", completion: .file())
    var consistentWith: String?

    @Flag(help: "Prove it by the checkpoint that was published last, with the cosignatures of its witnesses.")
    var published = false

    @Option(name: .shortAndLong, help: "The file to write (default: standard output).", completion: .file())
    var output: String?

    @Option(help: "Also write the event's frame, sealed as in the log, to this file.", completion: .file())
    var frame: String?

    func validate() throws {
        guard (position == nil) != (consistentWith == nil) else {
            throw ValidationError("name either a position or, with --consistent-with, an earlier checkpoint")
        }
        if frame != nil, position == nil { throw ValidationError("--frame requires a position") }
    }

    func perform(_ standardOutput: ReplayOutput) async throws {
        let file = try output.map { (path) throws(StorageError) in try OutputFile(path) }
        let frameFile = try frame.map { (path) throws(StorageError) in try OutputFile(path) }
        let journal = try journal.open()
        let text =
            if let position {
                try inclusion(of: position, journal, frameFile)
            } else {
                try consistency(with: consistentWith ?? "", journal)
            }
        if let file {
            try file.write(Array(text.utf8))
        } else {
            try standardOutput.write(text)
        }
    }

    private func inclusion(of position: UInt64, _ journal: OpenJournal, _ frameFile: OutputFile?) throws -> String {
        let head = try journal.log.head()
        guard position > 0, position <= head else {
            throw Failure(.notFound, "there is no position \(position); the log has \(head) events")
        }
        let signed = try published ? journal.publishedCheckpoint() : journal.signedCheckpoint()
        let size = signed.checkpoint.size
        guard position <= size else {
            throw Failure(
                .failed,
                "the checkpoint covers \(size) events, and position \(position) is not among them yet"
            )
        }
        let event = try journal.log.event(at: position)
        let leaf = MerkleHash.leaf(event.bytes)
        let proof = InclusionProof(
            index: position - 1,
            leaf: leaf,
            path: try journal.log.inclusionProof(of: position, in: size),
            checkpoint: signed
        )
        try refuseUnsound { () throws(ProofError) in
            _ = try proof.check(leaf, verifiedBy: [try verifier(journal)])
        }
        try frameFile?.write(event.bytes)
        Messages.say("position \(position) of \(size); the hash of its frame is \(leaf.hexadecimal)")
        return proof.text
    }

    private func consistency(with path: String, _ journal: OpenJournal) throws -> String {
        let signed = try published ? journal.publishedCheckpoint() : journal.signedCheckpoint()
        let old = try ProofFile.checkpoint(path, verifiedBy: journal.verifier())
        let size = signed.checkpoint.size
        guard old.size > 0 else { throw Failure(.usage, "\(path) is of an empty log, which any log extends") }
        guard old.size <= size else {
            throw Failure(
                .mismatch,
                "\(path) proves \(old.size) events, and the log has \(size): its end is lost, or it was rolled back"
            )
        }
        guard try journal.log.root(ofSize: old.size) == old.root else {
            throw Failure(
                .mismatch,
                "the log does not extend \(path): its first \(old.size) events are not those it proves"
            )
        }
        let proof = ConsistencyProof(
            from: old,
            path: try journal.log.consistencyProof(from: old.size, to: size),
            to: signed
        )
        try refuseUnsound { () throws(ProofError) in _ = try proof.check(verifiedBy: [try verifier(journal)]) }
        Messages.say("the log of \(size) events extends that of \(old.size)")
        return proof.text
    }

    private func verifier(_ journal: OpenJournal) throws(ProofError) -> NoteVerifier {
        guard let verifier = journal.log.verifier else { throw ProofError(.unknownKey, "the journal has no key") }
        return verifier
    }

    /// Throws if a proof does not hold, as with a damaged tree, so that the proof is not handed out.
    private func refuseUnsound(_ check: () throws(ProofError) -> Void) throws {
        do throws(ProofError) {
            try check()
        } catch {
            throw Failure(
                .mismatch,
                "the log is damaged, no proof can be made: \(error); run: healthjournal-replay verify"
            )
        }
    }
}
