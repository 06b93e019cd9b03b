/// How a dose is logged if its planned dose was logged before.
package enum DoseRepetition: String, CaseIterable, Sendable {
    /// It is refused if the earlier dose differs, and ignored if it is the same.
    case refuse
    /// It is a second dose, outside the plan.
    case again
    /// It corrects the earlier dose.
    case instead
}

/// What logging a dose does.
package enum DoseDecision: Hashable, Sendable {
    /// The dose is logged already; nothing changes.
    case unchanged
    /// A new entry is added.
    case add(EntryContent)
    /// An entry is added that repeats a planned dose, and fills none.
    case addUnplanned(EntryContent)
    /// The existing entry is corrected.
    case correct(EntryContent)
    /// The existing entry, which was retracted, is restored and then corrected.
    case restore(EntryContent)
}

/// Decides what logging a dose does; throws if another dose was logged for the same planned dose.
///
/// `existing` is the entry of the planned dose, if it has one. A dose is the same as an earlier one if both were taken,
/// or both skipped, within ``sameDoseMinutes`` of each other: two taps on two devices are one dose. `moment` writes a
/// time by the person's clock.
package func decide(
    _ content: EntryContent,
    existing: EntryState?,
    _ repetition: DoseRepetition,
    _ moment: (Instant) -> String
) throws(ModelError) -> DoseDecision {
    guard let existing else { return .add(content) }
    if existing.isRetracted { return .restore(content) }
    switch repetition {
    case .again:
        return .addUnplanned(content.repeatingPlannedDose(of: existing.content))
    case .instead:
        return existing.content == content ? .unchanged : .correct(content)
    case .refuse:
        guard let before = LoggedDose(id: existing.id, existing.content),
            let after = LoggedDose(id: existing.id, content)
        else { return .correct(content) }
        let distance = (before.at.microseconds - after.at.microseconds).magnitude
        if before.status == after.status, distance <= UInt64(sameDoseMinutes) * 60_000_000 { return .unchanged }
        throw ModelError(
            .conflict,
            field: "slot",
            """
            this dose is logged as \(before.status.rawValue) at \(moment(before.at)), not as \
            \(after.status.rawValue) at \(moment(after.at)): log it again as a second dose, or instead of the first
            """
        )
    }
}

extension EntryContent {
    /// Returns the dose as one that was taken in addition to a planned dose, which another entry fills.
    ///
    /// Without a slot, it fills no planned dose. When that dose was due says that this one was not taken when needed.
    func repeatingPlannedDose(of first: EntryContent) -> EntryContent {
        var second = self
        for field in [Dose.slot, Dose.plannedAmount] { second.body[field] = nil }
        second.body[Dose.planned] = body[Dose.planned] ?? first.body[Dose.planned]
        return second
    }
}

/// The greatest distance between two reports of one dose, in minutes.
package let sameDoseMinutes = 5

/// The rules between the fields of a dose.
enum DoseCheck {
    /// How far ahead of the clock a dose may have been taken, in minutes, because clocks differ.
    static let minutesAhead = 5

    static func check(_ content: EntryContent, now: Instant) throws(ModelError) {
        if let slot = content.body.text(Dose.slot) {
            do {
                _ = try Slot(parsing: slot)
            } catch {
                throw ModelError(error.code, field: "slot", error.text)
            }
        }
        let amount = content.body.decimal(Dose.amount)
        if content.body.text(Dose.status) == LoggedDose.Status.skipped.rawValue {
            if amount != nil { throw ModelError(.invalid, field: "amount", "a skipped dose has no amount") }
            return
        }
        if let amount, amount <= .zero { throw ModelError(.invalid, field: "amount", "must be greater than 0") }
        if content.body[Dose.reason] != nil {
            throw ModelError(.invalid, field: "reason", "is for skipped doses; use the comment instead")
        }
        if let at = content.instant, at.microseconds > now.microseconds + Int64(minutesAhead) * 60_000_000 {
            throw ModelError(.invalid, field: "date", "a dose cannot be taken in the future")
        }
    }
}
