/// The positions and the recorded time of the events of one append.
///
/// No other event lies between the first and the last global position.
package struct AppendResult: Hashable, Sendable {
    package let first: UInt64
    package let last: UInt64
    /// When the log recorded them, in microseconds since 1970.
    package let recordedAt: Int64
    /// Whether the same append was committed before; if so, this is the result of the first one.
    package let isRepeated: Bool
}
