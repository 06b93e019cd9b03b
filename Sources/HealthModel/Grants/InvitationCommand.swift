package import FoundationEssentials

/// What somebody wants done with an invitation to a record.
package enum InvitationCommand: Hashable, Sendable {
    case invite(Invitation)
    /// Uses the code of a digest up for an account.
    case accept(digest: [UInt8], by: UUID)
    case withdraw(UUID)
}

/// The events that a command makes of a record's grants, or why it makes none.
///
/// The limit of caregivers holds when the code is used, as at any other grant.
package func decide(
    _ command: InvitationCommand,
    _ state: GrantsState,
    owners: [UUID] = [],
    isClosed: Bool = false,
    maximumActive: Int = Limits.activeCaregivers,
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
                "the record has \(Limits.invitations) open invitations, and no more are kept: withdraw one"
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
            isClosed: isClosed,
            maximumActive: maximumActive,
            today: today
        )
        return [.invitationAccepted(found.id)] + granted
    case .withdraw(let id):
        guard let found = state.invitations[id] else {
            throw ModelError(.notFound, field: "invitation", "the record has no such invitation")
        }
        return found.isOpen(at: now) ? [.invitationWithdrawn(id)] : []
    }
}

extension ModelError {
    /// The same for a code that nobody made, and for one that was used, has been withdrawn or is too old.
    package static let noInvitation = ModelError(
        .notFound,
        field: "code",
        "the invitation does not work, or no longer: ask for a new one"
    )
}

extension Invitation {
    fileprivate func validate(now: Instant, today: Day) throws(ModelError) {
        try terms.validate()
        if let until = terms.until, until < today {
            throw ModelError(.invalid, field: "until", "the grant would have ended before today")
        }
        if digest.count != 32 { throw ModelError(.invalid, field: "digest", "must be a SHA-256") }
        if expires <= now { throw ModelError(.invalid, field: "expires", "must lie ahead") }
        if expires.microseconds - now.microseconds > Int64(Limits.invitationDays) * 86_400_000_000 {
            throw ModelError(.invalid, field: "expires", "must be at most \(Limits.invitationDays) days ahead")
        }
    }
}
