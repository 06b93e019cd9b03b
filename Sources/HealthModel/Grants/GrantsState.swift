package import FoundationEssentials

/// One caregiver's grant as it is known at some position of the log.
package struct Grant: Hashable, Sendable {
    package var account: UUID
    package var terms: GrantTerms
    /// The event that gave the grant these terms.
    package var given: Stamp
    package var revoked: Stamp?

    package init(account: UUID, terms: GrantTerms, given: Stamp, revoked: Stamp? = nil) {
        self.account = account
        self.terms = terms
        self.given = given
        self.revoked = revoked
    }

    /// Whether the grant lets its caregiver in on a day.
    package func isActive(on day: Day) -> Bool {
        revoked == nil && terms.cover(day)
    }

    /// Whether the grant lets its caregiver in on a day or will on a later one: what the limit counts.
    package func isOpen(on day: Day) -> Bool {
        revoked == nil && terms.until.map { day <= $0 } ?? true
    }
}

/// All grants of one record as they are known at some position of the log, the revoked and the ended ones among them.
package struct GrantsState: Hashable, Sendable {
    package var grants: [UUID: Grant] = [:]
    /// All invitations, the used and the expired ones among them.
    package var invitations: [UUID: InvitationState] = [:]
    /// Each time that somebody opened the emergency view, in their order.
    package var emergencies: [Emergency] = []

    package init() {}

    /// The invitations whose codes work at a moment, in the order in which they were made.
    package func openInvitations(at now: Instant) -> [InvitationState] {
        invitations.values.filter { $0.isOpen(at: now) }.sorted { $0.made.position < $1.made.position }
    }

    package subscript(account: UUID) -> Grant? { grants[account] }

    /// The grants that let somebody in on a day, in the order in which they were given.
    package func active(on day: Day) -> [Grant] {
        sorted.filter { $0.isActive(on: day) }
    }

    /// All grants in the order in which they were given.
    package var sorted: [Grant] {
        grants.values.sorted { ($0.given.position, $0.account.uuidString) < ($1.given.position, $1.account.uuidString) }
    }
}
