package import FoundationEssentials

/// The holder of a value that must be unique within a journal, such as a microchip number or an account name.
///
/// Each such value has its own stream, so that one of two concurrent claims fails the check of the stream's expected
/// version.
package struct ClaimState: Hashable, Sendable {
    package var holder: UUID?

    package init(holder: UUID? = nil) {
        self.holder = holder
    }
}

/// Folds one event into the claim of a value.
package func evolve(_ state: inout ClaimState, _ event: RecordedEvent) {
    switch event.event.data {
    case let claimed as ValueClaimed: state.holder = claimed.holder
    case is ValueReleased: state.holder = nil
    default: break
    }
}

/// A command on the claim of a value that must be unique within a journal.
package enum ClaimCommand: Hashable, Sendable {
    case claim(holder: UUID)
    case release(holder: UUID)
}

/// Returns the events that a command on a claim produces; throws if the command is refused.
package func decide(_ command: ClaimCommand, _ state: ClaimState) throws(ModelError) -> [JournalEvent] {
    switch (command, state.holder) {
    case (.claim(let holder), nil):
        return [.valueClaimed(holder: holder)]
    case (.claim(let holder), let current?):
        guard holder == current else {
            throw ModelError(.conflict, "the value is in use elsewhere in this journal")
        }
        return []
    case (.release, nil):
        return []
    case (.release(let holder), let current?):
        guard holder == current else { throw ModelError(.conflict, "the value is claimed by another holder") }
        return [.valueReleased]
    }
}
