internal import Dispatch

extension EventLog {
    /// A signed checkpoint of the head as it is; a log that is open for writing also keeps it.
    ///
    /// A log that does not extend what was proven of it is not signed.
    @discardableResult
    package func checkpoint() throws(EventLogError) -> SignedCheckpoint {
        if let rollback { throw rollback.error }
        return isReadOnly ? try keeper.sign() : try keeper.keep()
    }

    /// The newest checkpoint that is kept outside the log, if the log extends it.
    package var keptCheckpoint: SignedCheckpoint? {
        get throws(EventLogError) { try keeper.held(keeper.files.read()).newest }
    }

    /// The public key that checks this journal's checkpoints, if one was made.
    package var verifier: NoteVerifier? { keeper.verifier() }

    /// Why the newest checkpoint could not be kept, if so.
    package var checkpointProblem: EventLogError? { keeper.problem }

    /// Takes the log for what it is, though it does not extend what was proven of it.
    ///
    /// The event, which says so, comes before anything else; the checkpoints that stood against the log are set aside as
    /// `<name>.refused-<size>`.
    @discardableResult
    package func acceptRollback(_ event: NewEvent) async throws(EventLogError) -> AppendResult {
        guard rollback != nil else {
            throw EventLogError(.versionConflict, "the log extends what was proven of it: there is nothing to accept")
        }
        let result = try await appendUnguarded([event])
        try keeper.replace()
        forgetRollback()
        return result
    }
}
