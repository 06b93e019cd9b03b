/// Where the events of an append stand: its first and last global position, with no other event between them.
package struct AppendResult: Hashable, Sendable {
    package let first: UInt64
    package let last: UInt64
    /// When the log took them, in microseconds since 1970.
    package let recordedAt: Int64
    /// The same append had come before; this is its answer again.
    package let isRepeated: Bool
}
