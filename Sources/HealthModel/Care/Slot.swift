package import FoundationEssentials

/// The name of a dose that is due.
///
/// It is derived from the calendar and not from an instant, so it survives changes of clocks, travel, other tables of
/// time zones and late synchronization.
package enum Slot: Hashable, Sendable {
    /// A time of a rule on a day by the rule's clock.
    case time(rule: UUID, day: Day, time: UUID)
    /// The dose `number` intervals after the start of an interval rule, from 0.
    case number(rule: UUID, Int)
    /// The dose that follows another dose of an interval rule; nil for the first one.
    case after(rule: UUID, dose: UUID?)
    /// The only dose of a rule.
    case once(rule: UUID)

    /// Whether the dose stays due until it is taken or skipped, however late that is: the next one counts from it.
    package var waits: Bool { if case .after = self { true } else { false } }

    package var rule: UUID {
        switch self {
        case .time(let rule, _, _), .number(let rule, _), .after(let rule, _), .once(let rule): rule
        }
    }
}

extension Slot: CustomStringConvertible {
    /// Parses the text that ``description`` writes.
    package init(parsing text: String) throws(ModelError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let malformed = ModelError(.invalid, "not the name of a planned dose")
        guard parts.count >= 2, let rule = UUID(uuidString: parts[0]), rule.text == parts[0] else { throw malformed }
        switch (parts.count, parts[1]) {
        case (2, "once"): self = .once(rule: rule)
        case (2, "first"): self = .after(rule: rule, dose: nil)
        case (2, let number) where number.hasPrefix("#"):
            guard let count = Int(number.dropFirst()), count >= 0, number == "#\(count)" else { throw malformed }
            self = .number(rule: rule, count)
        case (3, "after"):
            guard let dose = UUID(uuidString: parts[2]), dose.text == parts[2] else { throw malformed }
            self = .after(rule: rule, dose: dose)
        case (3, _):
            guard let time = UUID(uuidString: parts[2]), time.text == parts[2] else { throw malformed }
            self = .time(rule: rule, day: try Day(parsing: parts[1]), time: time)
        default: throw malformed
        }
    }

    /// The rule, and then the day and the time, a number, the preceding dose or a word, separated by slashes.
    package var description: String {
        switch self {
        case .time(let rule, let day, let time): "\(rule.text)/\(day)/\(time.text)"
        case .number(let rule, let number): "\(rule.text)/#\(number)"
        case .after(let rule, nil): "\(rule.text)/first"
        case .after(let rule, let dose?): "\(rule.text)/after/\(dose.text)"
        case .once(let rule): "\(rule.text)/once"
        }
    }
}

extension Slot {
    /// Returns the id of the entry that records the dose, so that two devices that log one slot make one entry.
    package func entryID(of plan: UUID) -> UUID { UUID(nameBased: plan, description) }
}
