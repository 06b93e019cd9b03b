/// Folds one event into an entry.
package func evolve(_ state: inout EntryState?, _ event: RecordedEvent) {
    if event.type == RecordErased.type {
        if state?.record == event.subject { state = nil }
        return
    }
    if let state, let entry = event.entry, entry != state.id { return }
    if event.type == EntryAdded.type, let content = event.event.content {
        // An entry is added once; further additions of the same entry are ignored.
        guard state == nil, let entry = event.entry else { return }
        state = EntryState(id: entry, record: event.subject, content: content, added: event.stamp)
    } else {
        _ = state?.apply(event)
    }
}

extension EntryState {
    /// Applies a correction, retraction or restoration to the entry; returns false for any other event.
    mutating func apply(_ event: RecordedEvent) -> Bool {
        switch event.type {
        case EntryCorrected.type:
            guard let content = event.event.content else { return false }
            self.content = content
            corrected = event.stamp
        case EntryRetracted.type:
            retracted = event.stamp
        case EntryRestored.type:
            retracted = nil
        default:
            return false
        }
        latest = event.stamp
        return true
    }
}
