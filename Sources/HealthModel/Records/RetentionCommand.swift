/// What somebody wants done about how long a record is kept.
package enum RetentionCommand: Hashable, Sendable {
    /// It must be kept up to that day, included.
    case hold(until: Day)
    /// Its data is to be made unreadable for good.
    case erase
}

/// The events that a command makes of a record, or why it makes none.
///
/// A closed record is held and erased like an open one: that is what most holds are for.
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
                "the record is held until \(hold.until); a hold can be extended, and never shortened"
            )
        }
        return until == hold.until ? [] : [.recordHeld(until: until)]
    case .erase:
        if let hold = state.hold, hold.forbidsErasure(on: today) {
            throw ModelError(
                .conflict,
                "the record is held until \(hold.until); it can be erased from the day after"
            )
        }
        return [.recordErased]
    }
}
