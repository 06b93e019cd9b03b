package import FoundationEssentials
package import HealthModel
package import JournalCore

/// What care does when the core changes a record: it checks the record for interactions.
package struct CareCapability: Capability {
    package init() {}

    package func entriesChanged(of kind: Kind?, in record: UUID, of journal: Journal, by caller: Caller) async {
        await journal.interactionChecks.checkAfterChange(of: kind, in: record, caller)
    }
}
