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
        state.endEmergencies(event.stamp) { $0.account == revoked.account }
    case let changed as RecordChanged where changed.profile.values.flag(RecordProfile.isOpenToEmergencies) != true:
        // Caregivers open the view for their own account, members of a practice for the practice.
        state.endEmergencies(event.stamp) { $0.account != $0.opened.actor }
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

extension GrantsState {
    /// Ends those of the emergency views that are open.
    fileprivate mutating func endEmergencies(_ stamp: Stamp, where isEnded: (Emergency) -> Bool) {
        for index in emergencies.indices
        where emergencies[index].isOpen(at: stamp.recordedAt) && isEnded(emergencies[index]) {
            emergencies[index].ended = stamp
        }
    }
}
