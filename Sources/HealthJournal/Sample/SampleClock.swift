internal import HealthModel
internal import JournalCore

/// The moment at which the sample is added, and the clock of its household: everything in it is dated relative to them.
struct SampleClock {
    let now: Instant
    let today: Day
    let clocks: CareClocks

    /// Throws an error if there is no such time zone.
    init(_ now: Instant, zone: String) throws(ModelError) {
        let history = ZoneHistory(home: zone)
        clocks = try CareClocks(history, rules: [], SystemZones.table(of: history.zones))
        self.now = now
        today = clocks.person.day(at: now)
    }

    func day(_ daysAgo: Int) -> Day { today.adding(days: -daysAgo) }

    /// Returns the moment at which the clock of the household shows a time of a past day.
    func moment(_ day: Day, _ time: String) throws(ModelError) -> Instant {
        clocks.person.moment(of: WallMoment(day: day, time: try WallTime(parsing: time))).instant
    }

    func moment(_ daysAgo: Int, _ time: String) throws(ModelError) -> Instant { try moment(day(daysAgo), time) }

    /// Returns the latest day before today with this date, in the year that is so many years before that of the latest one.
    func last(_ month: Int, _ day: Int, yearsBefore: Int = 0) -> Day {
        let inThisYear = Day(year: today.year, month: month, day: day) ?? today
        return inThisYear.adding(years: (inThisYear < today ? 0 : -1) - yearsBefore)
    }
}
