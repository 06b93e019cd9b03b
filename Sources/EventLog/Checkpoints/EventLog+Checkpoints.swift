internal import Crypto
internal import Dispatch
package import FoundationEssentials

extension EventLog {
    /// Returns a signed checkpoint of the current head; a log that is open for writing also keeps it.
    ///
    /// Throws for a log that does not extend its kept checkpoints.
    @discardableResult
    package func checkpoint() throws(EventLogError) -> SignedCheckpoint {
        if let rollback { throw rollback.error }
        return isReadOnly ? try keeper.sign() : try keeper.keep()
    }

    /// Returns a signed checkpoint of the first `size` events, which is not kept.
    ///
    /// Throws for a log that does not extend its kept checkpoints.
    package func checkpoint(ofSize size: UInt64) throws(EventLogError) -> SignedCheckpoint {
        if let rollback { throw rollback.error }
        return try keeper.sign(size)
    }

    /// The newest of the kept checkpoints that the log extends.
    package var keptCheckpoint: SignedCheckpoint? {
        get throws(EventLogError) { try keeper.held(keeper.files.read()).newest }
    }

    /// The public key that verifies this journal's checkpoints, if it was created.
    package var verifier: NoteVerifier? { keeper.verifier() }

    /// The error of the last attempt to keep a checkpoint; nil if it succeeded.
    package var checkpointProblem: EventLogError? { keeper.problem }

    /// Accepts the log as it is, although it does not extend its kept checkpoints.
    ///
    /// `event` records this decision and is appended first. The checkpoints that the log does not extend are renamed to
    /// `<name>.refused-<size>`.
    @discardableResult
    package func acceptRollback(_ event: NewEvent) async throws(EventLogError) -> AppendResult {
        guard rollback != nil else {
            throw EventLogError(.versionConflict, "the log extends its checkpoints: there is nothing to accept")
        }
        let result = try await appendUnguarded([event])
        try keeper.replace()
        forgetRollback()
        return result
    }
}

extension KeyStore {
    /// The subject under which the seed of the checkpoint signing key is stored; no stream and no event has this id.
    ///
    /// As one of the data keys, the seed is sealed, rotated and backed up with them.
    package static let checkpointSigner = UUID(
        uuid: (0x63, 0x68, 0x65, 0x63, 0x6B, 0x70, 0x80, 0x69, 0x80, 0x6E, 0x74, 0x2D, 0x6B, 0x65, 0x79, 0x31)
    )

    /// Returns the key that signs the checkpoints of a journal; throws if it was not created yet.
    func signer(of journal: UUID) throws(EventLogError) -> NoteSigner {
        let seed = unsafe try key(for: KeyStore.checkpointSigner).withUnsafeBytes { unsafe [UInt8]($0) }
        do throws(ProofError) {
            return try NoteSigner(name: Checkpoint.origin(of: journal), seed: seed)
        } catch {
            throw EventLogError(.damaged, "the key that signs checkpoints is damaged: \(error)")
        }
    }
}
