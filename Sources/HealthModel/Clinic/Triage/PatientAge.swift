/// The age of a patient at a day, in days and in whole months of the calendar.
package struct PatientAge: Hashable, Sendable {
    package let days: Int
    /// The months that are complete, counted by the calendar.
    package let months: Int

    init(days: Int, months: Int) {
        (self.days, self.months) = (days, months)
    }

    /// Computes the age at a day; nil if the patient was born later.
    ///
    /// A month is complete on the day of birth, or on the last day of a month that has no such day.
    package init?(bornOn birth: Day, at day: Day) {
        guard birth <= day else { return nil }
        days = Int(day.daysSince1970) - Int(birth.daysSince1970)
        let (first, last) = (birth.civil, day.civil)
        let isComplete = last.day >= first.day || day.adding(days: 1).month != last.month
        months = (last.year - first.year) * 12 + last.month - first.month - (isComplete ? 0 : 1)
    }

    package var weeks: Int { days / 7 }
    package var years: Int { months / 12 }

    /// Whether the patient is as old as a span of time, or older.
    package func isAtLeast(_ span: Span) -> Bool {
        switch span.unit {
        case .weeks: weeks >= span.count
        case .months: months >= span.count
        case .years: years >= span.count
        }
    }

    /// An age that a rule names, such as 6 months.
    package struct Span: Hashable, Sendable {
        package var count: Int
        package var unit: Unit

        package enum Unit: String, CaseIterable, Hashable, Sendable {
            case weeks
            case months
            case years
        }

        package init(_ count: Int, _ unit: Unit) {
            self.count = count
            self.unit = unit
        }
    }
}

extension PatientAge.Span: CustomStringConvertible {
    /// The age with its unit, such as `6 months`.
    package var description: String { "\(count) \(unit.rawValue)" }
}
