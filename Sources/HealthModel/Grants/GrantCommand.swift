package import FoundationEssentials

/// What somebody wants done with a record's grants.
package enum GrantCommand: Hashable, Sendable {
    /// Lets an account in, or gives its grant new terms.
    case grant(account: UUID, terms: GrantTerms)
    case revoke(account: UUID)
}

/// The events that a command makes of a record's grants, or why it makes none.
///
/// `owners` need no grant. A closed record takes no new grants, but what was granted can still be revoked.
/// `maximumActive` caregivers may have a grant that has not ended, one that has yet to begin included. `tools` are the
/// accounts that no person acts through: they are granted to contribute and nothing else, and are counted by themselves.
package func decide(
    _ command: GrantCommand,
    _ state: GrantsState,
    owners: [UUID] = [],
    tools: Set<UUID> = [],
    isClosed: Bool = false,
    maximumActive: Int = Limits.activeCaregivers,
    today: Day
) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .grant(let account, let terms):
        if isClosed { throw .recordIsClosed }
        try terms.validate()
        if let until = terms.until, until < today {
            throw ModelError(.invalid, field: "until", "the grant would have ended before today")
        }
        if owners.contains(account) {
            throw ModelError(.conflict, field: "account", "an owner of the record needs no grant")
        }
        let isTool = tools.contains(account)
        if isTool, terms.verbs != [.contribute] {
            throw ModelError(.invalid, field: "verbs", "a tool can be let in to contribute, and to nothing else")
        }
        if let grant = state[account], grant.revoked == nil, grant.terms == terms { return [] }
        let others = state.grants.values.count {
            $0.account != account && tools.contains($0.account) == isTool && $0.isOpen(on: today)
        }
        let maximum = isTool ? Limits.contributingTools : maximumActive
        if others >= maximum {
            throw ModelError(
                .conflict,
                "the record has \(others) active \(isTool ? "tools" : "caregivers"), and \(maximum) are allowed: revoke one"
            )
        }
        return [.caregiverGranted(account: account, terms: terms)]
    case .revoke(let account):
        guard let grant = state[account] else {
            throw ModelError(.notFound, field: "account", "the account has no grant on this record")
        }
        if grant.revoked != nil { throw ModelError(.conflict, field: "account", "the grant is revoked already") }
        return [.caregiverRevoked(account: account)]
    }
}
