package import FoundationEssentials

/// A command on the grants of a record.
package enum GrantCommand: Hashable, Sendable {
    /// Gives an account a grant, or gives its grant new terms.
    case grant(account: UUID, terms: GrantTerms)
    case revoke(account: UUID)
}

/// Returns the events that a command on the grants of a record produces; throws if the command is refused.
///
/// `owners` need no grant. A closed record accepts no new grants, but its grants can still be revoked. `grantees` are
/// those who are not persons. Each sort of grantee has its own maximum of grants that have not ended, including grants
/// that have not begun. A tool can be granted only `contribute`.
package func decide(
    _ command: GrantCommand,
    _ state: GrantsState,
    owners: [UUID] = [],
    grantees: [UUID: Grantee] = [:],
    isClosed: Bool = false,
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
        func sort(_ id: UUID) -> Grantee { grantees[id] ?? .person }
        let grantee = sort(account)
        if grantee == .tool, terms.verbs != [.contribute] {
            throw ModelError(.invalid, field: "verbs", "a tool can only be granted access to contribute")
        }
        if let grant = state[account], grant.revoked == nil, grant.terms == terms { return [] }
        let others = state.grants.values.count {
            $0.account != account && sort($0.account) == grantee && $0.isOpen(on: today)
        }
        if others >= grantee.maximum {
            throw ModelError(
                .conflict,
                "the record has \(others) active \(grantee.plural), and \(grantee.maximum) are allowed: revoke one"
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
