package import FoundationEssentials

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
        guard holder == current else { throw ModelError(.conflict, "the value is in use elsewhere in this journal") }
        return []
    case (.release, nil):
        return []
    case (.release(let holder), let current?):
        guard holder == current else { throw ModelError(.conflict, "the value is claimed by another holder") }
        return [.valueReleased]
    }
}
