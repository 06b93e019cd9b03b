package import FoundationEssentials

/// The changes of one entry, used to decide whether an access disclosed it.
///
/// They can be known of an erased entry as well: only what the headers of its events contain is used.
package struct EntryHistory: Sendable {
    package let id: UUID
    package let kind: Kind
    /// The position of the event that added the entry.
    package let added: UInt64
    private let changes: [Change]

    /// A change of an entry.
    package struct Change: Hashable, Sendable {
        package let position: UInt64
        package let effect: EntryEffect
        /// The day on which the entry occurred, if the change sets the content.
        package let day: Day?

        package init(position: UInt64, effect: EntryEffect, day: Day?) {
            (self.position, self.effect, self.day) = (position, effect, day)
        }
    }

    /// Creates the history from the entry's changes in log order; nil if the first one does not add the entry.
    package init?(of id: UUID, kind: Kind, _ changes: [Change]) {
        guard let first = changes.first, first.effect == .adds else { return nil }
        (self.id, self.kind, self.changes) = (id, kind, changes)
        added = first.position
    }

    /// The state of an entry that matters for what a read showed.
    fileprivate struct State {
        var isRetracted = false
        var isErased = false
        /// The day on which the entry occurred.
        var day: Day?
    }

    fileprivate func state(asOf position: UInt64) -> State {
        var state = State()
        for change in changes where change.position <= position {
            switch change.effect {
            case .adds, .replaces: state.day = change.day
            case .retracts: state.isRetracted = true
            case .restores: state.isRetracted = false
            case .erases: state.isErased = true
            case .annotates: break
            }
        }
        return state
    }

    /// Whether the entry was erased by a position, so that no one can see it any more.
    package func isErased(asOf position: UInt64) -> Bool { state(asOf: position).isErased }

    fileprivate func hasEvent(in positions: ClosedRange<UInt64>) -> Bool {
        changes.contains { positions.contains($0.position) }
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
        let state = entry.state(asOf: version)
        guard runs.contains(where: { $0.added?.contains(entry.added) ?? true }), !state.isErased,
            includesRetracted || !state.isRetracted
        else { return nil }
        if let happenedBy, let day = state.day, day > happenedBy { return nil }
        return .shown
    }
}
