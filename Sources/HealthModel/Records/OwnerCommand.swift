package import FoundationEssentials

/// What somebody wants done with who owns a record.
package enum OwnerCommand: Hashable, Sendable {
    /// One owner more, with the same rights: two parents of a child.
    case add(UUID)
    case remove(UUID)
    /// One owner instead of all others, as when an animal is given away.
    case transfer(to: UUID)
}

/// The events that a command makes of a record and of its grants, which belong to one append, or why it makes none.
///
/// Who becomes an owner needs no grant any more, and has none left when it stops being one. A record that changes hands
/// takes along nobody whom its former owners let in or invited, nor does an owner who leaves keep an open invitation.
package func decide(
    _ command: OwnerCommand,
    _ state: RecordState?,
    _ grants: GrantsState,
    now: Instant
) throws(ModelError) -> (record: [JournalEvent], grants: [JournalEvent]) {
    guard let state else { throw ModelError(.notFound, "there is no such record") }
    switch command {
    case .add(let account):
        if state.isClosed { throw .recordIsClosed }
        if state.owners.contains(account) { return ([], []) }
        if state.owners.count >= Limits.owners {
            throw ModelError(.conflict, field: "account", "a record has at most \(Limits.owners) owners")
        }
        return ([.recordOwnerAdded(account)], grants.isOpen(account) ? [.caregiverRevoked(account: account)] : [])
    case .remove(let account):
        guard state.owners.contains(account) else {
            throw ModelError(.notFound, field: "account", "the account is no owner of the record")
        }
        if state.owners.count == 1 {
            throw ModelError(
                .conflict,
                field: "account",
                "the record has no other owner: add one first, or transfer the record"
            )
        }
        // Nor does it keep a code of its own making by which it would come in again.
        let withdrawn = grants.openInvitations(at: now).filter { $0.made.actor == account }.map(\.id)
        return ([.recordOwnerRemoved(account)], withdrawn.map { .invitationWithdrawn($0) })
    case .transfer(let account):
        if state.isClosed { throw .recordIsClosed }
        if state.owners == [account] { return ([], []) }
        let revoked = grants.sorted.filter { $0.revoked == nil }.map(\.account)
        let withdrawn = grants.openInvitations(at: now).map(\.id)
        return (
            [.recordTransferred(to: account)],
            revoked.map { .caregiverRevoked(account: $0) } + withdrawn.map { .invitationWithdrawn($0) }
        )
    }
}

extension GrantsState {
    fileprivate func isOpen(_ account: UUID) -> Bool { self[account].map { $0.revoked == nil } ?? false }
}

extension [UUID] {
    /// Who owns a record after an event, where these did before it.
    package func owners(after event: JournalEvent) -> [UUID] {
        switch event {
        case .recordCreated(_, let owners): owners
        case .recordOwnerAdded(let account): contains(account) ? self : self + [account]
        case .recordOwnerRemoved(let account): filter { $0 != account }
        case .recordTransferred(let account): [account]
        default: self
        }
    }
}
