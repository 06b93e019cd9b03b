package import FoundationEssentials

/// Decides whether an agreement fits a practice, its specialists and what they have agreed already.
///
/// A pure function of the state that an append then expects to be unchanged, so that no two appointments overlap.
package struct BookingRules: Sendable {
    package var practice: PracticeState
    package var specialists: [UUID: SpecialistState]
    /// The diaries of all resources that the agreement concerns, for the days of `neededDays`.
    package var diaries: Diaries
    /// The clock of the practice's zone.
    package var clock: PersonClock
    package var now: Instant

    package init(
        practice: PracticeState,
        specialists: [UUID: SpecialistState],
        diaries: Diaries,
        clock: PersonClock,
        now: Instant
    ) {
        self.practice = practice
        self.specialists = specialists
        self.diaries = diaries
        self.clock = clock
        self.now = now
    }

    /// Who asks for the appointment.
    package enum Asker: Hashable, Sendable {
        case staff
        case client
    }

    /// Why an agreement is not possible.
    package struct Refusal: Error, Hashable, Sendable {
        package var error: ModelError
        /// The time that is in the way, if one is.
        package var taken: TimeSpan?

        init(_ error: ModelError, taken: TimeSpan? = nil) {
            self.error = error
            self.taken = taken
        }
    }

    /// Returns the UTC days whose diaries the decision needs: those of the local days that the agreement touches, because
    /// the caseload of a specialist counts the appointments of a local day.
    package static func neededDays(of details: AppointmentDetails, _ clock: PersonClock) -> ClosedRange<Day> {
        let start = Day(of: details.start)
        let spans = [details.wideSpan, clock.span(ofDay: clock.day(at: details.start))].compactMap { $0?.days }
        return (spans.map(\.lowerBound).min() ?? start)...(spans.map(\.upperBound).max() ?? start)
    }

    /// Throws unless the agreement is possible.
    ///
    /// `id` is that of the appointment, whose own time does not count. `isReinstated` is true for one that was cancelled
    /// or missed: as an emergency, it may have begun, because a patient that was marked as missed can still come.
    package func check(
        _ details: AppointmentDetails,
        of record: UUID,
        id: UUID,
        by asker: Asker,
        isReinstated: Bool = false
    ) throws(Refusal) {
        do throws(ModelError) {
            try details.validate()
            try checkPractice(details)
            try checkTime(details, by: asker, mayHaveBegun: isReinstated || details.type == .emergency)
            try checkSpecialists(details)
        } catch {
            throw Refusal(error)
        }
        try checkDiaries(details, of: record, id: id)
        do throws(ModelError) {
            try checkCaseload(details, id: id)
        } catch {
            throw Refusal(error)
        }
    }

    /// Returns why an agreement cannot be kept, such as an absence since; nil if nothing is in the way.
    ///
    /// Other appointments are none: they were decided with this one in view.
    package func problem(of details: AppointmentDetails) -> ModelError? {
        do throws(ModelError) {
            if practice.closed != nil { throw ModelError(.conflict, "the practice is closed") }
            for id in details.places where practice.places[id]?.ended != nil { throw ModelError.noPlace }
            if details.hasMoved(clock) {
                throw ModelError(
                    .conflict,
                    field: "start",
                    "is at \(clock.wall(at: details.start)) by the clock now, agreed was \(details.wall): rezone it"
                )
            }
            try checkHours(details)
            try checkSpecialists(details)
            return nil
        } catch {
            return error
        }
    }

    private func checkPractice(_ details: AppointmentDetails) throws(ModelError) {
        if practice.closed != nil { throw ModelError(.conflict, "the practice is closed") }
        if let id = details.service {
            guard let service = practice.services[id], service.ended == nil else { throw .noService }
        }
        for id in details.places {
            guard let place = practice.places[id], place.ended == nil else { throw .noPlace }
        }
        if let id = details.service, let rooms = practice.services[id]?.profile.places, !rooms.isEmpty,
            !details.places.contains(where: rooms.contains)
        {
            throw ModelError(.invalid, field: "room", "the service needs one of its rooms")
        }
    }

    private func checkTime(
        _ details: AppointmentDetails,
        by asker: Asker,
        mayHaveBegun: Bool
    ) throws(ModelError) {
        let earliest = mayHaveBegun ? now.adding(minutes: -1_440) : now
        guard details.start >= earliest else {
            throw ModelError(.invalid, field: "start", "is in the past")
        }
        if asker == .client {
            let from = now.adding(minutes: practice.profile.bookFromHours * 60)
            let until = now.adding(minutes: practice.profile.bookUntilDays * 1_440)
            guard details.start >= from, details.start <= until else {
                throw ModelError(
                    .conflict,
                    field: "start",
                    """
                    clients can book from \(practice.profile.bookFromHours) hours until \
                    \(practice.profile.bookUntilDays) days ahead: ask the practice
                    """
                )
            }
        }
        try checkHours(details)
    }

    private func checkHours(_ details: AppointmentDetails) throws(ModelError) {
        let isEmergency = details.type == .emergency
        guard !practice.timetables.values.isEmpty else {
            throw ModelError(.conflict, field: "start", "the practice has no opening hours yet")
        }
        let opening = OpeningTimes(practice.timetables, clock)
        let day = clock.day(at: details.start)
        let near = day.adding(days: -2)...day.adding(days: 1)
        let times = isEmergency ? opening.all(on: near) : opening.usual(on: near)
        guard let span = details.span, times.contains(where: { $0.contains(span) }) else {
            throw ModelError(.conflict, field: "start", "the practice is closed then, or closes before the end")
        }
    }

    private func checkSpecialists(_ details: AppointmentDetails) throws(ModelError) {
        guard let span = details.span else { return }
        let day = clock.day(at: details.start)
        for id in details.specialists {
            guard let specialist = specialists[id], specialist.posts[practice.id] != nil else { throw .noSpecialist }
            guard specialist.works(in: practice.id, on: day) else {
                throw ModelError(.conflict, field: "specialist", "does not work in this practice any more on that day")
            }
            if let until = specialist.profile.licenseUntil, until < day {
                throw ModelError(.conflict, field: "specialist", "has a licence that ends on \(until)")
            }
            if specialist.absences.values.contains(where: { $0.span.overlaps(span) }) {
                throw ModelError(.conflict, field: "specialist", "is absent then")
            }
            if details.type != .emergency,
                !specialist.times(in: practice.id, around: day, clock).contains(where: { $0.contains(span) })
            {
                throw ModelError(.conflict, field: "specialist", "does not work at that time")
            }
        }
    }

    private func checkDiaries(_ details: AppointmentDetails, of record: UUID, id: UUID) throws(Refusal) {
        guard let span = details.span, let wide = details.wideSpan else { return }
        let places = details.places.map { (ClinicResource.place($0), practice.places[$0]?.profile.capacity ?? 1, wide) }
        let all = details.specialists.map { (ClinicResource.specialist($0), 1, wide) } + places
        for (resource, capacity, time) in all + [(.patient(record), 1, span)] {
            if let taken = diaries.obstacle(to: time, of: resource, capacity: capacity, at: now, besides: id) {
                throw Refusal(
                    ModelError(.slotTaken, field: resource.field, "is not free at that time"),
                    taken: taken
                )
            }
        }
    }

    private func checkCaseload(_ details: AppointmentDetails, id: UUID) throws(ModelError) {
        guard details.type != .emergency, let day = clock.span(ofDay: clock.day(at: details.start)) else { return }
        for specialist in details.specialists {
            guard let profile = specialists[specialist]?.profile else { continue }
            let others = diaries.appointments(of: .specialist(specialist), startingIn: day, at: now, besides: id)
            if let maximum = profile.maximumAppointments, others.count >= maximum {
                throw ModelError(.conflict, field: "specialist", "has \(maximum) appointments on that day, the most")
            }
            if let maximum = profile.maximumMinutes,
                others.reduce(details.minutes, { $0 + $1.minutes }) > maximum
            {
                throw ModelError(.conflict, field: "specialist", "has appointments of \(maximum) minutes a day at most")
            }
        }
    }
}

extension SpecialistState {
    /// Returns when the specialist works in a practice, around a local day, in ascending order.
    ///
    /// Without hours of their own, specialists work whenever the practice is open.
    package func times(in practice: UUID, around day: Day, _ clock: PersonClock) -> [TimeSpan] {
        times(in: practice, on: day.adding(days: -1)...day.adding(days: 1), clock)
    }

    package func times(in practice: UUID, on days: ClosedRange<Day>, _ clock: PersonClock) -> [TimeSpan] {
        guard let post = posts[practice] else { return [] }
        let spans = days.all.flatMap { day -> [TimeSpan] in
            guard let hours = post.hours.value(on: day) else { return [clock.span(ofDay: day)].compactMap(\.self) }
            return hours[day.weekday].compactMap { clock.span(of: $0, on: day) }
        }
        return spans.joined
    }
}

extension PersonClock {
    /// Returns the time from the start of a local day to that of the next one; nil for a day that the clock skips.
    package func span(ofDay day: Day) -> TimeSpan? {
        let start = moment(of: WallMoment(day: day)).instant
        return TimeSpan(start, moment(of: WallMoment(day: day.adding(days: 1))).instant)
    }
}
