/// The result of a backup.
package struct BackupReport: Hashable, Sendable {
    /// The path of the backup's folder, without symbolic links.
    package let place: String
    /// The position of the last event in the backup.
    package let head: UInt64
    /// The signed checkpoint whose root the backup's frames lead to.
    package let checkpoint: SignedCheckpoint
    /// What this run copied in addition to what the backup already contained.
    package var events: UInt64 = 0
    package var blobs = 0
    package var keys = 0
    /// Keys that this run overwrote because their subjects were erased.
    package var keysErased = 0
    /// Bytes of segments, keys and attachments that this run wrote.
    package var byteCount = 0

    init(place: String, checkpoint: SignedCheckpoint) {
        self.place = place
        self.checkpoint = checkpoint
        head = checkpoint.checkpoint.size
    }
}
