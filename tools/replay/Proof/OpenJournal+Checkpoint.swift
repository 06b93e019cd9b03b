import EventLog

extension OpenJournal {
    /// Returns a signed checkpoint for a proof: of the head or, without the master key, the newest stored one.
    ///
    /// Writes nothing: only the journal itself stores checkpoints.
    func signedCheckpoint() throws -> SignedCheckpoint {
        if let rollback = log.rollback {
            throw Failure(.mismatch, "nothing can be proven about this log: \(rollback.message)")
        }
        guard let keyProblem else { return try log.checkpoint() }
        guard let kept = try log.keptCheckpoint else {
            throw Failure(
                .notFound,
                "\(keyProblem). Without it nothing can be signed, and no checkpoint has been stored yet"
            )
        }
        let (size, head) = (kept.checkpoint.size, try log.head())
        Messages.say(
            "\(keyProblem). Without it nothing can be signed: this is the newest stored checkpoint, "
                + (size == head ? "of all \(head) events" : "of \(size) events; the log has \(head)")
        )
        return kept
    }

    /// Returns the checkpoint that was published last, with the cosignatures of its witnesses.
    func publishedCheckpoint() throws -> SignedCheckpoint {
        guard let published = try log.publishedCheckpoint else {
            throw Failure(.notFound, "no checkpoint was published yet; publish one with: healthjournal log publish")
        }
        return published
    }

    /// Returns the public key that verifies the journal's signatures.
    func verifier() throws -> NoteVerifier {
        guard let verifier = log.verifier else {
            throw Failure(
                .notFound,
                "this journal has no key for checkpoints yet; it is created at the next write"
            )
        }
        return verifier
    }
}
