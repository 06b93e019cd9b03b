extension [EntryState] {
    /// Sorted by when they happened, latest first; entries without a date come last, and ties are sorted by position.
    package var latestFirst: [EntryState] {
        sorted { left, right in
            let (first, second) = (left.sortKey, right.sortKey)
            return first == second ? left.added.position > right.added.position : first > second
        }
    }
}

extension EntryState {
    /// The sort key of the entry's date; without a date it is least, so that the entry comes last.
    package var sortKey: Int64 { content.date?.sortKey ?? .min }
}

extension OccurredDate {
    /// The sort key of a date in microseconds; a day, a month or a year sorts as its first moment.
    package var sortKey: Int64 {
        switch self {
        case .date(let date): date.firstDay.startInstant.microseconds
        case .instant(let instant): instant.microseconds
        }
    }
}
