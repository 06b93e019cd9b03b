/// When something happened in the world, as precisely as its source said it.
package enum OccurredDate: Hashable, Sendable {
    case day(Day)
    case instant(Instant)

    /// The day in UTC, by which entries are indexed and `happenedBy` compares.
    package var day: Day {
        switch self {
        case .day(let day): day
        case .instant(let instant): Day(of: instant)
        }
    }
}
