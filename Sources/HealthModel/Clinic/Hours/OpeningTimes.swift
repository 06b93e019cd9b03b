/// The opening times of a practice, as moments of its own clock.
package struct OpeningTimes: Sendable {
    private let timetables: Dated<Timetable>
    private let clock: PersonClock

    /// `clock` is that of the practice's zone.
    package init(_ timetables: Dated<Timetable>, _ clock: PersonClock) {
        self.timetables = timetables
        self.clock = clock
    }

    /// Returns the usual times that open on some local days, in ascending order and joined.
    package func usual(on days: ClosedRange<Day>) -> [TimeSpan] { openings(on: days, withEmergencies: false).joined }

    /// Returns the usual times and those for emergencies, as `usual(on:)`.
    package func all(on days: ClosedRange<Day>) -> [TimeSpan] { openings(on: days, withEmergencies: true).joined }

    /// Returns the times that open on some local days, each by itself.
    ///
    /// A holiday replaces the usual hours; emergencies are taken as on any day.
    func openings(on days: ClosedRange<Day>, withEmergencies: Bool) -> [TimeSpan] {
        days.all.flatMap { day -> [TimeSpan] in
            guard let timetable = timetables.value(on: day) else { return [] }
            let usual = timetable.holiday(on: day)?.hours ?? timetable.usual[day.weekday]
            let hours = usual + (withEmergencies ? timetable.emergency[day.weekday] : [])
            return hours.compactMap { clock.span(of: $0, on: day) }
        }
    }

    /// What the practice does at a moment.
    package enum State: Hashable, Sendable {
        case open(until: Instant)
        case emergencyOnly(until: Instant)
        /// `next` is the next opening within a year, if there is one.
        case closed(next: Instant?)
    }

    package func state(at now: Instant) -> State {
        let today = clock.day(at: now)
        // Hours of the day before may run on.
        let near = today.adding(days: -2)...today.adding(days: 2)
        if let span = usual(on: near).first(where: { $0.contains(now) }) { return .open(until: span.end) }
        if let span = all(on: near).first(where: { $0.contains(now) }) { return .emergencyOnly(until: span.end) }
        for week in 0..<53 {
            let first = today.adding(days: week * 7 - 1)
            if let next = all(on: first...first.adding(days: 7)).first(where: { $0.start > now }) {
                return .closed(next: next.start)
            }
        }
        return .closed(next: nil)
    }
}

extension Timetable {
    fileprivate func holiday(on day: Day) -> Holiday? { holidays.first { $0.includes(day) } }
}

extension PersonClock {
    /// Returns the moments of some hours of a day.
    ///
    /// A time over which the clock jumps is read with the offset before the jump. A time that comes twice opens at the
    /// first moment and closes at the second.
    package func span(of hours: OpeningHours, on day: Day) -> TimeSpan? {
        let (days, minutes) = hours.closingMinutes.quotientAndRemainder(dividingBy: 1_440)
        let end = WallMoment(day: day.adding(days: days), time: WallTime(minutes: minutes))
        return TimeSpan(moment(of: WallMoment(day: day, time: hours.open)).instant, lastMoment(of: end))
    }
}
