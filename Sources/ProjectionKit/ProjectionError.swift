/// The error of a projection that cannot process an event.
package struct ProjectionError: Error, Hashable, Sendable {
    /// The projection that stopped.
    package let projection: String
    /// The position of the event at which it stopped.
    package let position: UInt64
    /// Why the projection could not apply the event.
    package let message: String
}

/// The error when a newer version of this program has built a view, which this version cannot read and must not
/// replace.
package struct NewerView: Error, Hashable, Sendable {
    package let projection: String
    /// The version of the stored view, and the version that this program supports.
    package let found: UInt64
    package let known: UInt64
}

extension NewerView: CustomStringConvertible {
    package var description: String {
        "a newer version of this program has built the view \(projection) (version \(found), this program knows \(known)): "
            + "restart this program in the newer version; or, to go back to this one: healthjournal views rebuild"
    }
}

extension ProjectionError: CustomStringConvertible {
    package var description: String {
        "the view \(projection) stopped at position \(position): \(message)"
    }
}
