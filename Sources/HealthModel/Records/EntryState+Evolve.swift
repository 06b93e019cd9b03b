/// Folds one event into an entry.
package func evolve(_ state: inout EntryState?, _ event: RecordedEvent) {
    if event.event.data is RecordErased {
        if state?.record == event.subject { state = nil }
        return
    }
    if let state, let entry = event.entry, entry != state.id { return }
    if let added = event.event.data as? EntryAdded {
        // An entry is added once; further additions of the same entry are ignored.
        guard state == nil, let entry = event.entry else { return }
        state = EntryState(id: entry, record: event.subject, content: added.content, added: event.stamp)
    } else {
        _ = state?.apply(event)
    }
}

extension EntryState {
    /// Applies a correction, retraction or restoration to the entry; returns false for any other event.
    mutating func apply(_ event: RecordedEvent) -> Bool {
        switch event.event.data {
        case let correction as EntryCorrected:
            content = correction.content
            corrected = event.stamp
        case is EntryRetracted:
            retracted = event.stamp
        case is EntryRestored:
            retracted = nil
        default:
            return false
        }
        latest = event.stamp
        return true
    }
}
