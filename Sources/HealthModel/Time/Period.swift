/// The days from a first to a last one; without one of them, the period has no beginning or no end.
package struct Period: Hashable, Sendable {
    package var first: Day?
    package var last: Day?

    package init(first: Day? = nil, last: Day? = nil) {
        (self.first, self.last) = (first, last)
    }

    /// Creates the days from the first one of a date to the last one of another.
    package init(from: PartialDate?, until: PartialDate?) {
        self.init(first: from?.firstDay, last: until?.lastDay)
    }

    /// Throws `invalid` for a field if the last day is before the first one.
    package func check(field: String) throws(ModelError) {
        guard let first, let last, last < first else { return }
        throw ModelError(.invalid, field: field, "is before the first day")
    }

    /// Whether something that happened on one of some days may have happened in the period.
    ///
    /// Something without a date may have happened in a period without a first day.
    package func contains(_ days: ClosedRange<Day>?) -> Bool {
        guard let days else { return first == nil }
        return first.map { days.upperBound >= $0 } ?? true && last.map { days.lowerBound <= $0 } ?? true
    }

    /// Whether an entry may have happened in the period whose date begins with a day; a date is at most a year.
    package func mayContain(startingAt day: Int32) -> Bool {
        let longest: Int32 = 365
        return first.map { day.addingReportingOverflow(longest).partialValue >= $0.daysSince1970 } ?? true
            && last.map { day <= $0.daysSince1970 } ?? true
    }
}
