/// What somebody wants done with an entry.
package enum EntryCommand: Hashable, Sendable {
    case add(EntryContent)
    /// A better value for the same fact; carries the whole new content.
    case correct(EntryContent)
    /// It was never true.
    case retract
    case restore
}

/// The events that a command makes of an entry, or why it makes none.
///
/// `isClosed` says whether the record that holds the entry is closed, which an entry's own state does not know.
package func decide(
    _ command: EntryCommand,
    _ state: EntryState?,
    isClosed: Bool = false,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    if isClosed { throw .recordIsClosed }
    if case .add(let content) = command {
        guard state == nil else { throw ModelError(.conflict, "there is an entry of this id already") }
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
            throw ModelError(.invalid, field: "kind", "an entry stays of its kind, here \(state.content.kind.name)")
        }
        try content.validate(now: now)
        return content == state.content ? [] : [.entryCorrected(content)]
    case .retract:
        if state.isRetracted { throw ModelError(.conflict, "the entry is retracted already") }
        return [.entryRetracted]
    case .restore:
        guard state.isRetracted else { throw ModelError(.conflict, "the entry is not retracted") }
        return [.entryRestored]
    }
}
