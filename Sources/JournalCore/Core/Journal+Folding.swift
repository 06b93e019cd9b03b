internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// States that are folds of a stream's events.
extension Journal {
    /// Folds the events of a stream up to a position; by default all of them.
    package func fold<State>(
        _ stream: UUID,
        asOf position: UInt64 = .max,
        from start: State,
        _ evolve: (inout State, RecordedEvent) -> Void
    ) throws -> Versioned<State> {
        try fold(stream, asOf: position, after: Versioned(state: start, version: 0), evolve)
    }

    /// Folds the events of a stream after an earlier state.
    private func fold<State>(
        _ stream: UUID,
        asOf position: UInt64 = .max,
        after earlier: Versioned<State>,
        _ evolve: (inout State, RecordedEvent) -> Void
    ) throws -> Versioned<State> {
        var folded = earlier
        for event in try log.recordedEvents(of: stream, after: earlier.version) {
            guard event.stamp.position <= position else { break }
            evolve(&folded.state, event)
            folded.version += 1
        }
        return folded
    }

    /// Returns the current state of a stream, folded from the newest cached state; past states are not cached.
    package func current<State>(
        _ cache: FoldCache<State>,
        _ stream: UUID,
        asOf position: UInt64 = .max,
        from start: State,
        _ evolve: (inout State, RecordedEvent) -> Void
    ) throws -> Versioned<State> {
        guard position == .max else { return try fold(stream, asOf: position, from: start, evolve) }
        let version = try log.version(of: stream)
        // An empty stream costs nothing to fold, and the number of such streams is unbounded.
        if version == 0 { return Versioned(state: start, version: 0) }
        return try cache.state(of: stream, version: version) { known in
            try fold(stream, after: known ?? Versioned(state: start, version: 0), evolve)
        }
    }
}
