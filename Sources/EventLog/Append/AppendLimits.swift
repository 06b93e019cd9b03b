/// The limits of the writer.
package enum AppendLimits {
    /// Events in one append.
    package static let eventsPerAppend = 200_000
    /// Bytes of one append, payloads and headers.
    package static let bytesPerAppend = 256 << 20
    /// Appends that may be queued; a further one is refused as `.busy`.
    package static let waitingAppends = 4_096
    /// Bytes that may be queued.
    package static let waitingBytes = 512 << 20
    /// Disk space that a journal in use reserves for reads and erasures, in bytes.
    package static let reserveBytes = 64 << 20
    /// Events and bytes of one commit; a larger append is committed alone.
    package static let eventsPerCommit = 16_384
    package static let bytesPerCommit = 32 << 20
}
