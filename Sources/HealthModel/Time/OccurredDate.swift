/// The time at which something happened in the world, as precisely as the source states it.
package enum OccurredDate: Hashable, Sendable {
    case day(Day)
    case instant(Instant)

    /// The day in UTC, which is used to index entries and to filter by `happenedBy`.
    package var day: Day {
        switch self {
        case .day(let day): day
        case .instant(let instant): Day(of: instant)
        }
    }
}
