import EventLog

extension OpenJournal {
    /// A signed checkpoint to prove something by: of the head, or, without the master key, the newest that is kept.
    ///
    /// Nothing is written: only the journal itself keeps checkpoints.
    func signedCheckpoint() throws -> SignedCheckpoint {
        if let rollback = log.rollback {
            throw Failure(.mismatch, "nothing can be proven of this log: \(rollback.message)")
        }
        guard let keyProblem else { return try log.checkpoint() }
        guard let kept = try log.keptCheckpoint else {
            throw Failure(
                .notFound,
                "\(keyProblem). Without it nothing can be signed, and no checkpoint has been kept yet"
            )
        }
        let (size, head) = (kept.checkpoint.size, try log.head())
        Messages.say(
            "\(keyProblem). Without it nothing can be signed: this is the newest checkpoint that was kept, "
                + (size == head ? "of all \(head) events" : "of \(size) events; the log has \(head)")
        )
        return kept
    }

    /// The public key that checks what this journal signs.
    func verifier() throws -> NoteVerifier {
        guard let verifier = log.verifier else {
            throw Failure(
                .notFound,
                "this journal has no key for checkpoints yet; it is made when it is next written to"
            )
        }
        return verifier
    }
}
