package import FoundationEssentials

/// The options of a restore, including what the backup is checked against.
package struct RestoreOptions: Sendable {
    /// The options with which the restored log is opened.
    package var log = EventLog.Options()
    /// The public key of the journal's checkpoints, if it is known from another source.
    package var verifier: NoteVerifier?
    /// A checkpoint that the restored log must extend, if one is known.
    package var checkpoint: Checkpoint?
    /// Subjects that are known to have been erased since the backup: their keys and attachments are not restored.
    package var erased: Set<UUID> = []

    /// The path of the master key, beside which the restored journal keeps its newest checkpoint; nil to keep none.
    package var masterKeyFile: String?
    /// The id of the event that records the restore.
    package var event: UUID

    package init(event: UUID) {
        self.event = event
    }
}
