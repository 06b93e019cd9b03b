/// A command on the retention of a record.
package enum RetentionCommand: Hashable, Sendable {
    /// Forbids erasing the record up to and including that day.
    case hold(until: Day)
    /// Makes the record's data permanently unreadable.
    case erase
    /// Makes the data of one of the record's entries permanently unreadable.
    case eraseEntry(EntryErased)
}

/// Returns the events that a command on a record's retention produces; throws if the command is refused.
///
/// A closed record can be held and erased like an open one: most holds are for closed records.
package func decide(
    _ command: RetentionCommand,
    _ state: RecordState?,
    today: Day
) throws(ModelError) -> [JournalEvent] {
    guard let state else { throw ModelError(.notFound, "there is no such record") }
    switch command {
    case .hold(let until):
        if until < today { throw ModelError(.invalid, field: "until", "the hold would have ended before today") }
        if until > today.adding(years: Limits.holdYears) {
            throw ModelError(.invalid, field: "until", "must be at most \(Limits.holdYears) years ahead")
        }
        guard let hold = state.hold else { return [.recordHeld(until: until)] }
        if until < hold.until {
            throw ModelError(
                .conflict,
                field: "until",
                "the record is held until \(hold.until); a hold can be extended, but never shortened"
            )
        }
        return until == hold.until ? [] : [.recordHeld(until: until)]
    case .erase, .eraseEntry:
        if let hold = state.hold, hold.forbidsErasure(on: today) {
            throw ModelError(
                .conflict,
                "the record is held until \(hold.until); it can be erased from the day after"
            )
        }
        if case .eraseEntry(let erased) = command { return [JournalEvent(erased)] }
        return [.recordErased]
    }
}
