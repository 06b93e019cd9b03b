/// One event of the log, copied out of it, its payload still sealed.
package struct StoredEvent: Hashable, Sendable {
    package let position: UInt64
    package let streamPosition: UInt64
    package let previous: UInt64
    package let skip: UInt64
    /// When the log took it, in microseconds since 1970.
    package let recordedAt: Int64
    package let header: EventHeader
    /// The whole frame as stored: what the tree's leaf covers.
    package let bytes: [UInt8]
}
