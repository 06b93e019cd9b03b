package import FoundationEssentials

/// An invitation with a code that makes the account which presents it a caregiver.
///
/// The code is shown once and never stored.
package struct Invitation: Hashable, Sendable {
    package var id: UUID
    /// The SHA-256 of the code.
    package var digest: [UInt8]
    package var terms: GrantTerms
    /// The first moment at which the code is no longer valid.
    package var expires: Instant

    package init(id: UUID, digest: [UInt8], terms: GrantTerms, expires: Instant) {
        self.id = id
        self.digest = digest
        self.terms = terms
        self.expires = expires
    }
}

/// The state of an invitation as of a position of the log.
package struct InvitationState: Hashable, Sendable {
    package var invitation: Invitation
    package var made: Stamp
    /// When and by whom the invitation was accepted; nil if it was not.
    package var accepted: Stamp?
    package var withdrawn: Stamp?

    package init(invitation: Invitation, made: Stamp) {
        self.invitation = invitation
        self.made = made
    }

    package var id: UUID { invitation.id }

    /// Reports whether the code is valid at a moment.
    package func isOpen(at now: Instant) -> Bool {
        accepted == nil && withdrawn == nil && now < invitation.expires
    }
}
