package import FoundationEssentials

/// A command on the ownership of a record.
package enum OwnerCommand: Hashable, Sendable {
    /// Adds an owner with the same rights, such as the second parent of a child.
    case add(UUID)
    case remove(UUID)
    /// Replaces all owners by one, for example when an animal is given away.
    case transfer(to: UUID)
}

/// Returns the events that a command produces for a record and for its grants; throws if the command is refused.
///
/// The caller must append both lists together. Adding an owner revokes the account's grant, so that the account has
/// no grant left when it stops being an owner. A transfer revokes all grants and withdraws all open invitations.
/// Removing an owner withdraws the open invitations that this owner made.
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
            throw ModelError(.notFound, field: "account", "the account is not an owner of the record")
        }
        if state.owners.count == 1 {
            throw ModelError(
                .conflict,
                field: "account",
                "the record has no other owner: add one first, or transfer the record"
            )
        }
        // With the code of its own invitation, the removed owner could regain access.
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
    /// Returns the owners of a record after an event; `self` contains the owners before it.
    package func owners(after event: JournalEvent) -> [UUID] {
        switch event.data {
        case let created as RecordCreated: created.owners
        case let added as RecordOwnerAdded: contains(added.account) ? self : self + [added.account]
        case let removed as RecordOwnerRemoved: filter { $0 != removed.account }
        case let transferred as RecordTransferred: [transferred.account]
        default: self
        }
    }
}
