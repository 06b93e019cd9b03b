package import FoundationEssentials

/// What somebody wants done with the claim of a value that may stand only once in a journal.
package enum ClaimCommand: Hashable, Sendable {
    case claim(holder: UUID)
    case release(holder: UUID)
}

/// The events that a command makes of a claim, or why it makes none.
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
        guard holder == current else { throw ModelError(.conflict, "the value is held by another") }
        return [.valueReleased]
    }
}
