package import FoundationEssentials

/// A command on an invitation to a record.
package enum InvitationCommand: Hashable, Sendable {
    case invite(Invitation)
    /// Accepts, for an account, the invitation whose code has the digest; a code works only once.
    case accept(digest: [UInt8], by: UUID)
    case withdraw(UUID)
}

/// Returns the events that a command on an invitation produces; throws if the command is refused.
///
/// The limit on caregivers is checked when an invitation is accepted, as for any other grant.
package func decide(
    _ command: InvitationCommand,
    _ state: GrantsState,
    owners: [UUID] = [],
    grantees: [UUID: Grantee] = [:],
    isClosed: Bool = false,
    now: Instant,
    today: Day
) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .invite(let invitation):
        if isClosed { throw .recordIsClosed }
        try invitation.validate(now: now, today: today)
        if state.openInvitations(at: now).count >= Limits.invitations {
            throw ModelError(
                .conflict,
                "the record has \(Limits.invitations) open invitations, which is the maximum: withdraw one"
            )
        }
        return [.caregiverInvited(invitation)]
    case .accept(let digest, let account):
        guard let found = state.invitations.values.first(where: { $0.invitation.digest == digest }),
            found.isOpen(at: now)
        else { throw .noInvitation }
        let granted = try decide(
            .grant(account: account, terms: found.invitation.terms),
            state,
            owners: owners,
            grantees: grantees,
            isClosed: isClosed,
            today: today
        )
        return [.invitationAccepted(found.id)]
            + granted.map { event in
                guard var given = event.data as? CaregiverGranted else { return event }
                given.invitedBy = found.made.actor
                return JournalEvent(given)
            }
    case .withdraw(let id):
        guard let found = state.invitations[id] else {
            throw ModelError(.notFound, field: "invitation", "the record has no such invitation")
        }
        return found.isOpen(at: now) ? [.invitationWithdrawn(id)] : []
    }
}

extension ModelError {
    /// The error for an invitation code that is unknown, accepted, withdrawn or expired; it is the same for all four.
    package static let noInvitation = ModelError(
        .notFound,
        field: "code",
        "the invitation is not valid, or no longer valid: ask for a new one"
    )
}

extension Invitation {
    fileprivate func validate(now: Instant, today: Day) throws(ModelError) {
        try terms.validate()
        if let until = terms.until, until < today {
            throw ModelError(.invalid, field: "until", "the grant would have ended before today")
        }
        if digest.count != 32 { throw ModelError(.invalid, field: "digest", "must be a SHA-256") }
        if expires <= now { throw ModelError(.invalid, field: "expires", "must be in the future") }
        if expires.microseconds - now.microseconds > Int64(Limits.invitationDays) * 86_400_000_000 {
            throw ModelError(.invalid, field: "expires", "must be at most \(Limits.invitationDays) days ahead")
        }
    }
}
