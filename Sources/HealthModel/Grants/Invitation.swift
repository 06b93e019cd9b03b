package import FoundationEssentials

/// That whoever shows a code becomes a caregiver; the code is shown once and kept nowhere.
package struct Invitation: Hashable, Sendable {
    package var id: UUID
    /// The SHA-256 of the code.
    package var digest: [UInt8]
    package var terms: GrantTerms
    /// The first moment at which the code no longer works.
    package var expires: Instant

    package init(id: UUID, digest: [UInt8], terms: GrantTerms, expires: Instant) {
        self.id = id
        self.digest = digest
        self.terms = terms
        self.expires = expires
    }
}

/// An invitation as it is known at some position of the log.
package struct InvitationState: Hashable, Sendable {
    package var invitation: Invitation
    package var made: Stamp
    /// By whom and when it was used up.
    package var accepted: Stamp?
    package var withdrawn: Stamp?

    package init(invitation: Invitation, made: Stamp) {
        self.invitation = invitation
        self.made = made
    }

    package var id: UUID { invitation.id }

    /// Whether its code works at a moment.
    package func isOpen(at now: Instant) -> Bool {
        accepted == nil && withdrawn == nil && now < invitation.expires
    }
}
