package import FoundationEssentials

/// The events of one entry, used to decide whether an access disclosed it.
package struct EntryHistory: Sendable {
    package let id: UUID
    package let kind: Kind
    /// The position of the event that added the entry.
    package let added: UInt64
    private let events: [RecordedEvent]

    /// Creates the history from the entry's events in log order; nil if the first event does not add the entry.
    package init?(_ events: [RecordedEvent]) {
        guard let first = events.first, first.type == EntryAdded.type, let content = first.event.content,
            let id = first.entry
        else {
            return nil
        }
        self.id = id
        kind = content.kind
        self.added = first.stamp.position
        self.events = events
    }

    fileprivate func state(asOf position: UInt64) -> EntryState? {
        var state: EntryState?
        for event in events where event.stamp.position <= position { evolve(&state, event) }
        return state
    }

    fileprivate func hasEvent(in positions: ClosedRange<UInt64>) -> Bool {
        events.contains { positions.contains($0.stamp.position) }
    }
}

/// Whether a read of a record disclosed one of its entries.
package enum Disclosure: String, Sendable {
    case shown
    /// The access event is of an older program and contains only sections and a number of entries, so the entry may
    /// have been among them.
    case possible
}

extension Access {
    /// Returns whether this access, recorded at a position, disclosed an entry; nil if it did not.
    package func disclosure(of entry: EntryHistory, recordedAt position: UInt64) -> Disclosure? {
        guard let version else {
            let mayHave = entryCount > 0 && sections.contains(entry.kind.section) && entry.added <= asOf ?? position
            return mayHave ? .possible : nil
        }
        if let events, sections.contains(entry.kind.section), entry.hasEvent(in: events) { return .shown }
        let runs = shown.filter { $0.kind == entry.kind.code }
        guard !runs.isEmpty, entry.added <= version else { return nil }
        // The run contains this entry alone: it was shown even if it was retracted or dated after `happenedBy`.
        if runs.contains(where: { $0.added == entry.added...entry.added }) { return .shown }
        guard runs.contains(where: { $0.added?.contains(entry.added) ?? true }),
            let state = entry.state(asOf: version), includesRetracted || !state.isRetracted
        else { return nil }
        if let happenedBy, let day = state.content.date?.day, day > happenedBy { return nil }
        return .shown
    }
}
