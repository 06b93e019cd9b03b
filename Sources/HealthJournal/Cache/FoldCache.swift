internal import EventLog
internal import FoundationEssentials
internal import Synchronization

/// The present states of some streams, each with the version of the stream that it was folded from.
///
/// For streams whose key is never destroyed, so that a version always has the same content.
final class FoldCache<State: Sendable>: Sendable {
    private let maximum: Int
    private let states = Mutex<[UUID: Journal.Versioned<State>]>([:])

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Returns the state of a stream at its present version; folds it if that version is not known.
    func state(
        of stream: UUID,
        version: UInt64,
        _ fold: () throws -> Journal.Versioned<State>
    ) throws -> Journal.Versioned<State> {
        if let known = states.withLock({ $0[stream] }), known.version == version { return known }
        let folded = try fold()
        states.withLock { states in
            if states.count >= maximum { states.removeAll(keepingCapacity: true) }
            states[stream] = folded
        }
        return folded
    }
}
