/// A copy of one event of the log, with its payload still sealed.
package struct StoredEvent: Hashable, Sendable {
    package let position: UInt64
    package let streamPosition: UInt64
    package let previous: UInt64
    package let skip: UInt64
    /// When the log recorded the event, in microseconds since 1970.
    package let recordedAt: Int64
    package let header: EventHeader
    /// The whole frame as stored, which the leaf hash of the Merkle tree covers.
    package let bytes: [UInt8]
}
