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
/// `maximumActive` caregivers may have a grant that has not ended, one that has yet to begin included.
package func decide(
    _ command: GrantCommand,
    _ state: GrantsState,
    owners: [UUID] = [],
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
        if let grant = state[account], grant.revoked == nil, grant.terms == terms { return [] }
        let others = state.grants.values.count { $0.account != account && $0.isOpen(on: today) }
        if others >= maximumActive {
            throw ModelError(
                .conflict,
                "the record has \(others) active caregivers, and \(maximumActive) are allowed: revoke one"
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
