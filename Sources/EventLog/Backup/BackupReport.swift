/// What a backup came to.
package struct BackupReport: Hashable, Sendable {
    /// The folder, without links.
    package let place: String
    /// The position of the last event that the backup holds.
    package let head: UInt64
    /// The root that its frames lead to, signed.
    package let checkpoint: SignedCheckpoint
    /// What was copied, as against what was there.
    package var events: UInt64 = 0
    package var blobs = 0
    package var keys = 0
    /// Keys that were overwritten, for their subjects were erased.
    package var keysErased = 0
    /// Bytes written into the backup.
    package var byteCount = 0

    init(place: String, checkpoint: SignedCheckpoint) {
        self.place = place
        self.checkpoint = checkpoint
        head = checkpoint.checkpoint.size
    }
}
