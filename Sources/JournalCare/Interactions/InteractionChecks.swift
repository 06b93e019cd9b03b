package import JournalCore

extension Journal {
    /// Checks of a record for interactions, and the rules that they use.
    package struct InteractionChecks: Sendable {
        let journal: Journal
    }

    package var interactionChecks: InteractionChecks { InteractionChecks(journal: self) }
}
