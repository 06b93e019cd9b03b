/// A command on an entry.
package enum EntryCommand: Hashable, Sendable {
    case add(EntryContent)
    /// Replaces the content by a better one for the same fact; contains the complete new content.
    case correct(EntryContent)
    /// Changes the plan of a medication or a supplement from a moment on; contains the complete new content.
    case change(EntryContent)
    /// Withdraws an entry that was never true.
    case retract
    case restore

    /// The new content, if the command contains one.
    package var content: EntryContent? {
        switch self {
        case .add(let content), .correct(let content), .change(let content): content
        case .retract, .restore: nil
        }
    }
}

/// Returns the events that a command on an entry produces; throws if the command is refused.
///
/// `isClosed` states whether the record that contains the entry is closed; the entry's state does not contain this.
package func decide(
    _ command: EntryCommand,
    _ state: EntryState?,
    isClosed: Bool = false,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    if isClosed { throw .recordIsClosed }
    if case .add(let content) = command {
        guard state == nil else { throw ModelError(.conflict, "an entry with this id already exists") }
        try content.validate(now: now)
        return [.entryAdded(content)]
    }
    guard let state else { throw ModelError(.notFound, "there is no such entry") }
    switch command {
    case .add:
        return []
    case .correct(let content):
        if state.isRetracted {
            throw ModelError(.conflict, "the entry is retracted: restore it before you correct it")
        }
        guard content.kind == state.content.kind else {
            throw ModelError(
                .invalid,
                field: "kind",
                "the kind of an entry cannot change; here it is \(state.content.kind.name)"
            )
        }
        try content.validate(now: now)
        return content == state.content ? [] : [.entryCorrected(content)]
    case .change(let content):
        if state.isRetracted {
            throw ModelError(.conflict, "the entry is retracted: restore it before you change it")
        }
        guard content.kind == state.content.kind, Plan.kinds.contains(content.kind) else {
            throw ModelError(.invalid, field: "kind", "only a medication or a supplement has a plan to change")
        }
        try content.validate(now: now)
        try PlanChange.check(from: state.content, to: content)
        return content == state.content ? [] : [.planChanged(content)]
    case .retract:
        if state.isRetracted { throw ModelError(.conflict, "the entry is retracted already") }
        return [.entryRetracted]
    case .restore:
        guard state.isRetracted else { throw ModelError(.conflict, "the entry is not retracted") }
        return [.entryRestored]
    }
}
