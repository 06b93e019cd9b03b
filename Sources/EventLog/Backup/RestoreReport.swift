package import FoundationEssentials

/// What a restore came to.
package struct RestoreReport: Hashable, Sendable {
    package let journal: UUID
    /// The position of the last event that came from the backup.
    package let head: UInt64
    /// What the backup's frames led to, signed.
    package let checkpoint: SignedCheckpoint
    package var keys = 0
    package var blobs = 0
    /// Subjects that the log knows and that have no key any more.
    package var erased: Set<UUID> = []
    /// Those of them of whose erasure the log says nothing yet.
    package var erasedUntold: Set<UUID> = []
    package var byteCount = 0

    init(_ held: HeldBackup) {
        journal = held.manifest.journal
        checkpoint = held.checkpoint
        head = held.checkpoint.checkpoint.size
    }
}
