/// A vaccination whose next dose is due, or will be soon.
package struct DueVaccination: Sendable {
    /// The vaccination after which the next one is due.
    package let last: EntryState
    /// As precisely as the entry says.
    package let due: PartialDate
    package let isOverdue: Bool

    /// How many days ahead a vaccination is announced.
    package static let daysAhead = 30

    /// Returns what is due on a day, the most urgent first.
    ///
    /// A vaccination that does not say when the next one is due is due when its protection ends. It counts until a later
    /// one has its name, or protects from all of its diseases. One that is dated in the future was not given yet: it
    /// neither counts nor replaces another one.
    package static func all(of entries: [EntryState], on today: Day) -> [DueVaccination] {
        // By the clock of another zone, a moment of today may be tomorrow.
        let end = today.adding(days: 2).startInstant.microseconds
        let given = entries.filter { $0.kind == Vaccination.kind && !$0.isRetracted && $0.sortKey < end }.latestFirst
        var due: [DueVaccination] = []
        for (index, vaccination) in given.enumerated()
        where !given[..<index].contains(where: { $0.replaces(vaccination) }) {
            let body = vaccination.content.body
            guard let date = body.partialDate(Vaccination.nextDue) ?? body.partialDate(Vaccination.validUntil),
                date.firstDay <= today.adding(days: daysAhead)
            else { continue }
            due.append(DueVaccination(last: vaccination, due: date, isOverdue: date.lastDay < today))
        }
        return due.sorted { $0.due.firstDay < $1.due.firstDay }
    }
}

extension EntryState {
    /// Whether the vaccination repeats an earlier one.
    fileprivate func replaces(_ earlier: EntryState) -> Bool {
        func name(_ entry: EntryState) -> FoldedName? { entry.content.body.text(Vaccination.name).map(FoldedName.init) }
        func diseases(_ entry: EntryState) -> Set<FoldedName> {
            Set((entry.content.body.texts(Vaccination.diseases)).map(FoldedName.init))
        }
        let before = diseases(earlier)
        return name(self) == name(earlier) || !before.isEmpty && before.isSubset(of: diseases(self))
    }
}
