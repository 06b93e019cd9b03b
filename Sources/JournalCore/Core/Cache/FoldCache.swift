internal import EventLog
internal import FoundationEssentials
internal import Platform

/// The current states of some streams, each with the version of the stream that it was folded from.
///
/// It is for streams whose key is never destroyed, so that a version always has the same content.
package final class FoldCache<State: Sendable>: Sendable {
    private let maximum: Int
    private let states = Guarded<[UUID: Versioned<State>]>([:])

    package init(maximum: Int) {
        self.maximum = maximum
    }

    /// Returns the current state of a stream, at the given version or a later one.
    ///
    /// If it is not known, `fold` continues from the newest earlier state, or from the beginning if it gets nil.
    func state(
        of stream: UUID,
        version: UInt64,
        _ fold: (Versioned<State>?) throws -> Versioned<State>
    ) throws -> Versioned<State> {
        let known = states.withLock { $0[stream] }
        if let known, known.version >= version { return known }
        let folded = try fold(known)
        states.withLock { states in
            if states.count >= maximum, states[stream] == nil { states.removeAll(keepingCapacity: true) }
            states[stream] = folded
        }
        return folded
    }
}
