package import FoundationEssentials

/// The result of a restore.
package struct RestoreReport: Hashable, Sendable {
    package let journal: UUID
    /// The position of the last event that came from the backup.
    package let head: UInt64
    /// The signed checkpoint that the backup's frames lead to.
    package let checkpoint: SignedCheckpoint
    package var keys = 0
    package var blobs = 0
    /// Subjects that have events in the log and whose keys are erased.
    package var erased: Set<UUID> = []
    /// Those of `erased` whose erasure the backup's log does not record.
    package var erasedUnrecorded: Set<UUID> = []
    /// Entries whose keys were destroyed after the backup was made, and whose erasure its log does not record.
    package var entriesErasedUnrecorded: [ErasedEntry] = []
    package var byteCount = 0
    /// A checkpoint beside the master key that shows that the journal continued after the backup was made.
    package var later: LaterCheckpoint?
    /// The path of the master key that only the restored journal has; nil if it shares the one that was named.
    package var masterKeyFile: String?

    init(_ held: ExistingBackup) {
        journal = held.manifest.journal
        checkpoint = held.checkpoint
        head = held.checkpoint.checkpoint.size
    }
}
