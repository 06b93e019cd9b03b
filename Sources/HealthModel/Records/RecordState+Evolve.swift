/// Folds one event of a record or of its entries into the record.
///
/// Events of grants and of accesses concern the record but do not change its state.
package func evolve(_ state: inout RecordState?, _ event: RecordedEvent) {
    switch event.type.entryEffect {
    // Most events are those of entries, which need no cast.
    case .adds:
        guard let id = event.entry, let content = event.event.content else { return }
        let entry = EntryState(id: id, record: event.subject, content: content, added: event.stamp)
        if state?.append(entry) == true { state?.updated = event.stamp }
    case .replaces, .retracts, .restores, .annotates:
        guard let id = event.entry, let index = state?.index(of: id) else { return }
        if state?.entries[index].apply(event) == true { state?.updated = event.stamp }
    case .erases:
        guard let id = event.entry, state != nil else { return }
        state?.entries.removeAll { $0.id == id }
        state?.updated = event.stamp
    case nil:
        evolve(&state, ofRecord: event)
    }
}

private func evolve(_ state: inout RecordState?, ofRecord event: RecordedEvent) {
    switch event.event.data {
    case let created as RecordCreated:
        guard state == nil else { return }
        state = RecordState(id: event.subject, profile: created.profile, owners: created.owners, created: event.stamp)
    case let changed as RecordChanged:
        state?.profile = changed.profile
        state?.updated = event.stamp
    case is RecordClosed:
        state?.closed = event.stamp
        state?.updated = event.stamp
    case is RecordReopened:
        state?.closed = nil
        state?.updated = event.stamp
    case let held as RecordHeld:
        state?.hold = Hold(until: held.until, set: event.stamp)
        state?.updated = event.stamp
    case is RecordOwnerAdded, is RecordOwnerRemoved, is RecordTransferred:
        let owners = state?.owners.owners(after: event.event) ?? []
        state?.owners = owners
        state?.updated = event.stamp
    case is RecordErased:
        if state?.id == event.subject { state = nil }
    default:
        // Such as the events that begin and end an import.
        if event.type.category == .record { state?.updated = event.stamp }
    }
}
