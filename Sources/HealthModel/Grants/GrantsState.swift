package import FoundationEssentials

/// The state of one caregiver's grant as of a position of the log.
package struct Grant: Hashable, Sendable {
    package var account: UUID
    package var terms: GrantTerms
    /// The event that gave the grant these terms.
    package var given: Stamp
    package var revoked: Stamp?
    /// The account that made the invitation from which the grant results; nil if an owner gave the grant directly.
    package var invitedBy: UUID?

    package init(account: UUID, terms: GrantTerms, given: Stamp, revoked: Stamp? = nil, invitedBy: UUID? = nil) {
        self.account = account
        self.terms = terms
        self.given = given
        self.revoked = revoked
        self.invitedBy = invitedBy
    }

    /// The account that gave the grant, directly or by an invitation.
    package var givenBy: UUID { invitedBy ?? given.actor }

    /// Reports whether the caregiver may open the emergency view, or keep an open one, on a day.
    package func opensEmergency(on day: Day) -> Bool {
        revoked == nil && (isOpen(on: day) || terms.emergencyAfterEnd)
    }

    /// Reports whether the grant gives access on a day.
    package func isActive(on day: Day) -> Bool {
        revoked == nil && terms.cover(day)
    }

    /// Reports whether the grant gives access on a day or on a later one; the limit counts these grants.
    package func isOpen(on day: Day) -> Bool {
        revoked == nil && terms.until.map { day <= $0 } ?? true
    }
}

/// The state of all grants of one record as of a position of the log, including revoked and ended ones.
package struct GrantsState: Hashable, Sendable {
    package var grants: [UUID: Grant] = [:]
    /// All invitations, including the accepted, withdrawn and expired ones.
    package var invitations: [UUID: InvitationState] = [:]
    /// All openings of the emergency view, in log order.
    package var emergencies: [Emergency] = []

    package init() {}

    /// Returns the invitations whose codes are valid at a moment, in the order in which they were made.
    package func openInvitations(at now: Instant) -> [InvitationState] {
        invitations.values.filter { $0.isOpen(at: now) }.sorted { $0.made.position < $1.made.position }
    }

    package subscript(account: UUID) -> Grant? { grants[account] }

    /// Returns the grants that give access on a day, in the order in which they were given.
    package func active(on day: Day) -> [Grant] {
        sorted.filter { $0.isActive(on: day) }
    }

    /// All grants in the order in which they were given.
    package var sorted: [Grant] {
        grants.values.sorted { ($0.given.position, $0.account.uuidString) < ($1.given.position, $1.account.uuidString) }
    }
}
