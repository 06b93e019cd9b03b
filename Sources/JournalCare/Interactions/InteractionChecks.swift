package import JournalCore
package import FoundationEssentials
package import HealthModel

extension Journal {
    /// Checks of a record for interactions, and the rules that they use.
    package struct InteractionChecks: Sendable {
        let journal: Journal
    }

    package var interactionChecks: InteractionChecks { InteractionChecks(journal: self) }
}

/// Checks a record for interactions after one of its entries has changed.
package struct CareCapability: Capability {
    package init() {}

    package func entryChanged(of kind: Kind, in record: UUID, of journal: Journal, by caller: Caller) async {
        await journal.interactionChecks.checkAfterChange(of: kind, in: record, caller)
    }
}
