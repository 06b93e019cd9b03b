package import FoundationEssentials

/// What somebody wants done with a record.
package enum RecordCommand: Hashable, Sendable {
    case create(RecordProfile, owner: UUID)
    /// Carries the whole new profile.
    case change(RecordProfile)
    case close
}

/// The events that a command makes of a record, or why it makes none.
package func decide(
    _ command: RecordCommand,
    _ state: RecordState?,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .create(let profile, let owner):
        guard state == nil else { throw ModelError(.conflict, "there is a record of this id already") }
        try profile.validate(now: now)
        return [.recordCreated(profile, owners: [owner])]
    case .change(let profile):
        let state = try open(state)
        guard profile.subject == state.profile.subject else {
            throw ModelError(.invalid, field: "subject", "a record stays about the subject that it is about")
        }
        try profile.validate(now: now)
        return profile == state.profile ? [] : [.recordChanged(profile)]
    case .close:
        _ = try open(state)
        return [.recordClosed]
    }
}

private func open(_ state: RecordState?) throws(ModelError) -> RecordState {
    guard let state else { throw ModelError(.notFound, "there is no such record") }
    if state.isClosed { throw .recordIsClosed }
    return state
}

extension ModelError {
    static let recordIsClosed = ModelError(.conflict, "the record is closed and takes no more changes")
}
