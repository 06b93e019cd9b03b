/// Folds one event of a record or of its entries into the record.
///
/// Events of grants and of accesses concern the record but do not change its state.
package func evolve(_ state: inout RecordState?, _ event: RecordedEvent) {
    switch event.event {
    case .recordCreated(let profile, let owners):
        guard state == nil else { return }
        state = RecordState(id: event.subject, profile: profile, owners: owners, created: event.stamp)
    case .recordChanged(let profile):
        state?.profile = profile
        state?.updated = event.stamp
    case .recordClosed:
        state?.closed = event.stamp
        state?.updated = event.stamp
    case .recordHeld(let until):
        state?.hold = Hold(until: until, set: event.stamp)
        state?.updated = event.stamp
    case .recordOwnerAdded, .recordOwnerRemoved, .recordTransferred:
        let owners = state?.owners.owners(after: event.event) ?? []
        state?.owners = owners
        state?.updated = event.stamp
    case .recordErased:
        if state?.id == event.subject { state = nil }
    case .entryAdded(let content):
        guard let id = event.entry,
            state?.append(EntryState(id: id, record: event.subject, content: content, added: event.stamp)) == true
        else { return }
        state?.updated = event.stamp
    case .entryCorrected, .entryRetracted, .entryRestored:
        guard let id = event.entry, let index = state?.index(of: id) else { return }
        if state?.entries[index].apply(event) == true { state?.updated = event.stamp }
    case .journalCreated, .journalAccepted, .journalBackedUp, .journalRestored, .masterKeyRotated, .clockAccepted,
        .accountAdded,
        .tokenIssued, .tokenRevoked, .passwordSet, .sessionBegun, .sessionEnded, .tokenUsed, .identityLinked,
        .identityUnlinked, .caregiverGranted,
        .caregiverRevoked,
        .caregiverInvited, .invitationAccepted, .invitationWithdrawn, .recordRead, .accessDenied, .emergencyOpened,
        .noticeAcknowledged, .accessSummarised, .valueClaimed, .valueReleased, .externalReceived:
        break
    }
}
