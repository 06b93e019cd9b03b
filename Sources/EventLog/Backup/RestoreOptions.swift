package import FoundationEssentials

/// How a backup is restored, and what must be so for it to be believed.
package struct RestoreOptions: Sendable {
    /// How the restored log is opened.
    package var log = EventLog.Options()
    /// The public key of the journal's checkpoints, if it is known from elsewhere.
    package var verifier: NoteVerifier?
    /// A checkpoint that the restored log must extend, if one is known.
    package var checkpoint: Checkpoint?
    /// Subjects that were erased since, as far as is known: their keys and attachments are not restored.
    package var erased: Set<UUID> = []

    /// The master key's file, beside which the restored journal keeps its newest checkpoint; nil for nowhere.
    package var masterKeyFile: String?
    /// The id of the event that is to tell of the restore.
    package var event: UUID

    package init(event: UUID) {
        self.event = event
    }
}
