/// Folds one event into the grants of a record.
package func evolve(_ state: inout GrantsState, _ event: RecordedEvent) {
    switch event.event.data {
    case let granted as CaregiverGranted:
        state.grants[granted.account] = Grant(
            account: granted.account,
            terms: granted.terms,
            given: event.stamp,
            invitedBy: granted.invitedBy
        )
    case let revoked as CaregiverRevoked:
        state.grants[revoked.account]?.revoked = event.stamp
    case let invited as CaregiverInvited:
        let invitation = invited.invitation
        state.invitations[invitation.id] = InvitationState(invitation: invitation, made: event.stamp)
    case let accepted as InvitationAccepted:
        state.invitations[accepted.invitation]?.accepted = event.stamp
    case let withdrawn as InvitationWithdrawn:
        state.invitations[withdrawn.invitation]?.withdrawn = event.stamp
    case let opened as EmergencyOpened:
        state.emergencies.append(
            Emergency(account: opened.account, expires: opened.expires, opened: event.stamp, reason: event.reason)
        )
    case let notice as NoticeAcknowledged:
        guard let index = state.emergencies.firstIndex(where: { $0.opened.position == notice.position }) else { return }
        state.emergencies[index].acknowledged = state.emergencies[index].acknowledged ?? event.stamp
    case is RecordErased:
        state = GrantsState()
    default:
        break
    }
}
