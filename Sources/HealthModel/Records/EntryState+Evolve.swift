/// Folds one event into an entry.
package func evolve(_ state: inout EntryState?, _ event: RecordedEvent) {
    if event.type == RecordErased.type {
        if state?.record == event.subject { state = nil }
        return
    }
    if let state, let entry = event.entry, entry != state.id { return }
    if event.type.entryEffect == .erases {
        state = nil
    } else if event.type.entryEffect == .adds, let content = event.event.content {
        // An entry is added once; further additions of the same entry are ignored.
        guard state == nil, let entry = event.entry else { return }
        state = EntryState(id: entry, record: event.subject, content: content, added: event.stamp)
    } else {
        _ = state?.apply(event)
    }
}

extension EntryState {
    /// Applies a change of the entry after its addition; returns false for any other event.
    mutating func apply(_ event: RecordedEvent) -> Bool {
        switch event.type.entryEffect {
        case .replaces:
            guard let content = event.event.content else { return false }
            self.content = content
            corrected = event.stamp
        case .retracts:
            retracted = event.stamp
        case .restores:
            retracted = nil
        case .annotates:
            break
        case .adds, .erases, nil:
            return false
        }
        latest = event.stamp
        return true
    }
}
