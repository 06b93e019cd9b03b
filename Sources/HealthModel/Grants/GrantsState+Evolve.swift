/// Folds one event into the grants of a record.
package func evolve(_ state: inout GrantsState, _ event: RecordedEvent) {
    switch event.event {
    case .caregiverGranted(let account, let terms, let invitedBy):
        state.grants[account] = Grant(account: account, terms: terms, given: event.stamp, invitedBy: invitedBy)
    case .caregiverRevoked(let account):
        state.grants[account]?.revoked = event.stamp
    case .caregiverInvited(let invitation):
        state.invitations[invitation.id] = InvitationState(invitation: invitation, made: event.stamp)
    case .invitationAccepted(let id):
        state.invitations[id]?.accepted = event.stamp
    case .invitationWithdrawn(let id):
        state.invitations[id]?.withdrawn = event.stamp
    case .emergencyOpened(let account, let expires):
        state.emergencies.append(
            Emergency(account: account, expires: expires, opened: event.stamp, reason: event.reason)
        )
    case .noticeAcknowledged(let position):
        guard let index = state.emergencies.firstIndex(where: { $0.opened.position == position }) else { return }
        state.emergencies[index].acknowledged = state.emergencies[index].acknowledged ?? event.stamp
    case .recordErased:
        state = GrantsState()
    default:
        break
    }
}
