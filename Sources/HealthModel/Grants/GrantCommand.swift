package import FoundationEssentials

/// A command on the grants of a record.
package enum GrantCommand: Hashable, Sendable {
    /// Gives an account a grant, or gives its grant new terms.
    case grant(account: UUID, terms: GrantTerms)
    case revoke(account: UUID)
}

/// Returns the events that a command on the grants of a record produces; throws if the command is refused.
///
/// `owners` need no grant. A closed record accepts no new grants, but its grants can still be revoked. At most
/// `maximumActive` caregivers may have a grant that has not ended, including grants that have not begun. `tools` are
/// the accounts that programs use: they can be granted only `contribute`, and `Limits.contributingTools` limits them
/// separately.
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
            throw ModelError(.invalid, field: "verbs", "a tool can only be granted access to contribute")
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
