/// How much the writer takes at once.
package enum AppendLimits {
    /// Events in one append.
    package static let eventsPerAppend = 200_000
    /// Bytes of one append, payloads and headers.
    package static let bytesPerAppend = 256 << 20
    /// Appends that may wait; one more is answered "busy".
    package static let waitingAppends = 4_096
    /// Bytes that may wait.
    package static let waitingBytes = 512 << 20
    /// Events and bytes of one commit, if it holds more than one append.
    package static let eventsPerCommit = 16_384
    package static let bytesPerCommit = 32 << 20
}
