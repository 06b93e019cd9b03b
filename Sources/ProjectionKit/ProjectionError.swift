/// Why a view cannot answer.
package struct ProjectionError: Error, Hashable, Sendable {
    /// The projection that stopped.
    package let projection: String
    /// The event at which it stopped.
    package let position: UInt64
    /// What the event did to it.
    package let message: String
}

extension ProjectionError: CustomStringConvertible {
    package var description: String {
        "the view \(projection) stopped at position \(position): \(message)"
    }
}
