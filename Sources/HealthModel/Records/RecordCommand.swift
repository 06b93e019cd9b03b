package import FoundationEssentials

/// A command on a record.
package enum RecordCommand: Hashable, Sendable {
    case create(RecordProfile, owner: UUID)
    /// Contains the complete new profile.
    case change(RecordProfile)
    case close
    case reopen
}

/// Returns the events that a command on a record produces; throws if the command is refused.
package func decide(
    _ command: RecordCommand,
    _ state: RecordState?,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    switch command {
    case .create(let profile, let owner):
        guard state == nil else { throw ModelError(.conflict, "a record with this id already exists") }
        try profile.validate(now: now)
        return [.recordCreated(profile, owners: [owner])]
    case .change(let profile):
        let state = try open(state)
        guard profile.subject == state.profile.subject else {
            throw ModelError(.invalid, field: "subject", "the subject of a record cannot change")
        }
        try profile.validate(now: now)
        return profile == state.profile ? [] : [.recordChanged(profile)]
    case .close:
        _ = try open(state)
        return [.recordClosed]
    case .reopen:
        guard let state else { throw ModelError(.notFound, "there is no such record") }
        guard state.isClosed else { throw ModelError(.conflict, "the record is not closed") }
        return [.recordReopened]
    }
}

private func open(_ state: RecordState?) throws(ModelError) -> RecordState {
    guard let state else { throw ModelError(.notFound, "there is no such record") }
    if state.isClosed { throw .recordIsClosed }
    return state
}

extension ModelError {
    package static let recordIsClosed = ModelError(.conflict, "the record is closed and accepts no more changes")
}
