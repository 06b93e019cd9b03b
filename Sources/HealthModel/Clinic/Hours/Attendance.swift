import FoundationEssentials

/// Who is there, and when: the one answer for bookings, free times and rankings.
///
/// A specialist is there while the practice is open, in the hours of their own if they have some, on the days on which
/// they work in the practice with a valid licence, and not while absent.
package struct Attendance: Sendable {
    private let practice: UUID
    private let opening: OpeningTimes
    private let clock: PersonClock

    /// `clock` is that of the practice's zone.
    package init(_ practice: PracticeState, _ clock: PersonClock) {
        self.practice = practice.id
        self.clock = clock
        // A closed practice opens no more.
        opening = OpeningTimes(practice.closed == nil ? practice.timetables : Dated(), clock)
    }

    /// Which hours of the practice count, and whether they bind the specialists.
    package enum Purpose: Hashable, Sendable {
        /// The usual hours of the practice, within the specialist's own.
        case appointment
        /// All hours of the practice, also beyond the specialist's own: staff call in whom they need.
        case emergency
        /// All hours of the practice, within the specialist's own: who is on duty, without being called in.
        case duty

        package init(_ type: AppointmentType) { self = type == .emergency ? .emergency : .appointment }
    }

    /// The times of one specialist, each list in ascending order and joined.
    package struct Times: Hashable, Sendable {
        /// When the practice is open.
        package var open: [TimeSpan] = []
        /// When the specialist works in it.
        package var working: [TimeSpan] = []
        /// When the specialist works and is not absent.
        package var present: [TimeSpan] = []
    }

    /// Returns the hours of the practice that begin on some local days, each by itself.
    package func openings(for purpose: Purpose, on days: ClosedRange<Day>) -> [TimeSpan] {
        opening.openings(on: days, withEmergencies: purpose != .appointment)
    }

    /// Whether the practice is open for a whole span of at most 24 hours.
    package func isOpen(for span: TimeSpan, _ purpose: Purpose) -> Bool {
        openings(for: purpose, on: near(span)).joined.contains { $0.contains(span) }
    }

    /// The days whose hours may reach into a span of at most 24 hours: those of the days before may run on.
    private func near(_ span: TimeSpan) -> ClosedRange<Day> {
        let day = clock.day(at: span.start)
        return day.adding(days: -2)...day.adding(days: 1)
    }

    /// Returns when a specialist is there in the hours that begin on some local days.
    package func times(
        of specialist: SpecialistState,
        for purpose: Purpose,
        on days: ClosedRange<Day>
    ) -> Times {
        var times = Times()
        times.open = openings(for: purpose, on: days).joined
        times.working = times.open.intersection(employment(of: specialist, on: days))
        if purpose != .emergency, let own = specialist.hours(in: practice, on: days, clock) {
            times.working = times.working.intersection(own)
        }
        times.present = times.working.subtracting(specialist.absences.values.map(\.span).joined)
        return times
    }

    /// Whether a specialist is on duty at a moment.
    package func isOnDuty(_ specialist: SpecialistState, at moment: Instant) -> Bool {
        let day = clock.day(at: moment)
        return times(of: specialist, for: .duty, on: day.adding(days: -1)...day).present
            .contains { $0.contains(moment) }
    }

    /// Why a specialist is not there for a whole span; nil if they are.
    package func obstacle(
        to span: TimeSpan,
        of specialist: SpecialistState,
        for purpose: Purpose
    ) -> Obstacle? {
        let times = times(of: specialist, for: purpose, on: near(span))
        if times.present.contains(where: { $0.contains(span) }) { return nil }
        guard times.open.contains(where: { $0.contains(span) }) else { return .closed }
        for touched in clock.days(of: span).all {
            if !specialist.works(in: practice, on: touched) { return .left }
            if let until = specialist.profile.licenseUntil, until < touched { return .unlicensed(since: until) }
        }
        if times.working.contains(where: { $0.contains(span) }) { return .absent }
        return .offHours
    }

    /// Why a specialist is not there.
    package enum Obstacle: Hashable, Sendable {
        case closed, left, absent, offHours
        /// The licence has a last day.
        case unlicensed(since: Day)
    }

    /// The days on which a specialist works in the practice and has a valid licence.
    ///
    /// Hours that begin on the last of the days may run on into the next one.
    private func employment(of specialist: SpecialistState, on days: ClosedRange<Day>) -> [TimeSpan] {
        (days.lowerBound...days.upperBound.adding(days: 1)).all
            .filter { specialist.works(in: practice, on: $0) && specialist.profile.isLicensed(on: $0) }
            .compactMap { clock.span(ofDay: $0) }
            .joined
    }
}

extension SpecialistState {
    /// Returns the specialist's own hours that begin on some local days; nil if none are stated for any of them.
    ///
    /// On a day without stated hours, specialists work whenever the practice is open.
    fileprivate func hours(in practice: UUID, on days: ClosedRange<Day>, _ clock: PersonClock) -> [TimeSpan]? {
        guard let post = posts[practice], !post.hours.values.isEmpty else { return nil }
        // Hours of the day before may run on, and those of the practice that begin on the last of the days too.
        return (days.lowerBound.adding(days: -1)...days.upperBound.adding(days: 1)).all
            .flatMap { day -> [TimeSpan] in
                guard let hours = post.hours.value(on: day) else { return [clock.span(ofDay: day)].compactMap(\.self) }
                return hours[day.weekday].compactMap { clock.span(of: $0, on: day) }
            }
            .joined
    }
}

extension PersonClock {
    /// Returns the time from the start of a local day to that of the next one; nil for a day that the clock skips.
    package func span(ofDay day: Day) -> TimeSpan? {
        let start = moment(of: WallMoment(day: day)).instant
        return TimeSpan(start, moment(of: WallMoment(day: day.adding(days: 1))).instant)
    }

    /// Returns the local days that a span touches.
    func days(of span: TimeSpan) -> ClosedRange<Day> {
        day(at: span.start)...day(at: Instant(microseconds: span.end.microseconds - 1))
    }
}
