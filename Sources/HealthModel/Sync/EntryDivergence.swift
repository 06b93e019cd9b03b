/// A version of an entry that is kept beside the one that is shown, until a person decides between them.
package struct EntryDivergence: Hashable, Sendable {
    /// Where the event is that keeps the version; `divergence.settled` names this position.
    package var position: UInt64
    package var kept: EntryDiverged

    package init(position: UInt64, kept: EntryDiverged) {
        self.position = position
        self.kept = kept
    }

    /// Returns the versions that are not settled yet, from the events of an entry in their order.
    package static func open(in events: [RecordedEvent]) -> [EntryDivergence] {
        var open: [EntryDivergence] = []
        for event in events {
            switch event.event {
            case .fields(let data as EntryDiverged) where !data.isSettled:
                open.append(EntryDivergence(position: event.stamp.position, kept: data))
            case .fields(let data as DivergenceSettled):
                open.removeAll { $0.position == data.position }
            default:
                break
            }
        }
        return open
    }
}

/// What deciding between two versions of an entry does.
package struct SettlementDecision: Hashable, Sendable {
    /// The events of the entry.
    package var events: [JournalEvent]
    /// The content of an entry to add, if both versions of a dose are right.
    package var added: EntryContent?
}

/// Decides what a choice between two versions does; throws if it is not possible.
package func settle(
    _ divergence: EntryDivergence,
    _ choice: DivergenceSettled.Choice,
    _ state: EntryState,
    isClosed: Bool = false,
    now: Instant
) throws(ModelError) -> SettlementDecision {
    if isClosed { throw .recordIsClosed }
    let settled = JournalEvent.divergenceSettled(divergence.position, choice)
    let kept = divergence.kept
    switch choice {
    case .keep:
        return SettlementDecision(events: [settled])
    case .take:
        var events: [JournalEvent] = []
        var current = state
        if kept.isRetracted {
            if !state.isRetracted { events.append(.entryRetracted) }
            return SettlementDecision(events: events + [settled])
        }
        if state.isRetracted {
            events.append(.entryRestored)
            current.retracted = nil
        }
        events += try decide(.correct(state.content.taking(kept)), current, now: now)
        return SettlementDecision(events: events + [settled])
    case .both where state.kind == Dose.kind && !kept.isRetracted:
        let second = kept.content.repeatingPlannedDose(of: state.content)
        try second.validate(now: now)
        return SettlementDecision(events: [settled], added: second)
    case .both where state.content.foodIDs != nil && kept.content.foodIDs != nil && !state.isRetracted:
        var content = state.content
        for group in kept.content.foodIDs ?? [] where !(content.foodIDs ?? []).contains(group) {
            content.take(MergeGroup(parts: [.food(group)]), from: kept.content)
        }
        return SettlementDecision(events: try decide(.correct(content), state, now: now) + [settled])
    case .both:
        throw ModelError(.invalid, field: "choice", "only two doses and the foods of a meal can both be right")
    }
}

extension EntryContent {
    /// Returns the content with the values of another version in the groups in which it disagrees.
    package func taking(_ kept: EntryDiverged) -> EntryContent {
        var content = self
        let names = Set(kept.fields)
        let foods = Set((foodIDs ?? []) + (kept.content.foodIDs ?? [])).map { MergeGroup(parts: [.food($0)]) }
        for group in MergeGroup.all(of: kind, in: [self, kept.content]) + foods {
            guard group.parts.contains(where: { names.contains($0.name(in: kind)) }) else { continue }
            content.take(group, from: kept.content)
        }
        return content
    }
}
