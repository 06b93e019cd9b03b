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
    /// The species of the patient, as its record says; nil if the agreement is of no animal yet.
    package var species: String?

    package init(
        practice: PracticeState,
        specialists: [UUID: SpecialistState],
        diaries: Diaries,
        clock: PersonClock,
        now: Instant,
        species: String? = nil
    ) {
        self.practice = practice
        self.specialists = specialists
        self.diaries = diaries
        self.clock = clock
        self.now = now
        self.species = species
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

    /// Throws unless the agreement is possible: the first of its `conflicts`.
    package func check(
        _ details: AppointmentDetails,
        of record: UUID,
        id: UUID,
        by asker: Asker,
        isReinstated: Bool = false
    ) throws(Refusal) {
        let conflicts = conflicts(of: details, of: record, id: id, by: asker, isReinstated: isReinstated)
        if let first = conflicts.first { throw first }
    }

    /// Returns everything that is in the way of an agreement, so that all of it can be mended at once; none if it is
    /// possible.
    ///
    /// `id` is that of the appointment, whose own time does not count. `isReinstated` is true for one that was cancelled
    /// or missed: as an emergency, it may have begun, because a patient that was marked as missed can still come.
    package func conflicts(
        of details: AppointmentDetails,
        of record: UUID,
        id: UUID,
        by asker: Asker,
        isReinstated: Bool = false
    ) -> [Refusal] {
        do throws(ModelError) {
            try details.validate()
            try checkPractice(details)
        } catch {
            // What does not hang together cannot be compared with anything.
            return [Refusal(error)]
        }
        let mayHaveBegun = isReinstated || details.type == .emergency
        let errors =
            [rooms(details), time(details, by: asker, mayHaveBegun: mayHaveBegun), hours(details)].compactMap(\.self)
            + specialistErrors(details)
        return errors.map { Refusal($0) } + taken(details, of: record, id: id)
            + caseload(details, id: id).map { Refusal($0) }
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
            return hours(details) ?? specialistErrors(details).first
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
        for id in details.specialists where specialists[id]?.posts[practice.id] == nil { throw .noSpecialist }
    }

    private func rooms(_ details: AppointmentDetails) -> ModelError? {
        guard let rooms = details.service.flatMap({ practice.services[$0]?.profile.places }), !rooms.isEmpty,
            !details.places.contains(where: rooms.contains)
        else { return nil }
        return ModelError(.invalid, field: "room", "the service needs one of its rooms")
    }

    /// How long somebody may fill in a form: a time that was offered when the form was opened can still be booked.
    private static var formMinutes: Int { 15 }

    private func time(_ details: AppointmentDetails, by asker: Asker, mayHaveBegun: Bool) -> ModelError? {
        let opened = now.adding(minutes: -Self.formMinutes)
        let earliest = mayHaveBegun ? now.adding(minutes: -1_440) : opened
        guard details.start >= earliest else { return ModelError(.invalid, field: "start", "is in the past") }
        guard asker == .client else { return nil }
        let from = opened.adding(minutes: practice.profile.bookFromHours * 60)
        let until = now.adding(minutes: practice.profile.bookUntilDays * 1_440)
        if details.start >= from, details.start <= until { return nil }
        return ModelError(
            .conflict,
            field: "start",
            """
            clients can book from \(practice.profile.bookFromHours) hours until \(practice.profile.bookUntilDays) days \
            ahead: ask the practice
            """
        )
    }

    private func hours(_ details: AppointmentDetails) -> ModelError? {
        guard !practice.timetables.values.isEmpty else {
            return ModelError(.conflict, field: "start", "the practice has no opening hours yet")
        }
        guard let span = details.span, !attendance.isOpen(for: span, Attendance.Purpose(details.type)) else {
            return nil
        }
        return ModelError(.conflict, field: "start", "the practice is closed then, or closes before the end")
    }

    /// Who is there, for this practice.
    package var attendance: Attendance { Attendance(practice, clock) }

    private func specialistErrors(_ details: AppointmentDetails) -> [ModelError] {
        guard let span = details.span else { return [] }
        let known = details.specialists.compactMap { specialists[$0] }
        let missing = known.count < details.specialists.count ? [ModelError.noSpecialist] : []
        let purpose = Attendance.Purpose(details.type)
        let absent = known.compactMap { attendance.obstacle(to: span, of: $0, for: purpose)?.error }
        return missing + absent + treatmentErrors(details)
    }

    private func taken(_ details: AppointmentDetails, of record: UUID, id: UUID) -> [Refusal] {
        guard let span = details.span, let wide = details.wideSpan else { return [] }
        let places = details.places.map { (ClinicResource.place($0), practice.places[$0]?.profile.capacity ?? 1, wide) }
        let all = details.specialists.map { (ClinicResource.specialist($0), 1, wide) } + places
        return (all + [(.patient(record), 1, span)])
            .compactMap { resource, capacity, time in
                diaries.obstacle(to: time, of: resource, capacity: capacity, at: now, besides: id)
                    .map { taken in
                        Refusal(ModelError(.slotTaken, field: resource.field, "is not free at that time"), taken: taken)
                    }
            }
    }

    private func caseload(_ details: AppointmentDetails, id: UUID) -> [ModelError] {
        guard details.type != .emergency, let day = clock.span(ofDay: clock.day(at: details.start)) else { return [] }
        return details.specialists.compactMap { specialist in
            guard let profile = specialists[specialist]?.profile else { return nil }
            let others = diaries.appointments(of: .specialist(specialist), startingIn: day, at: now, besides: id)
            if let maximum = profile.maximumAppointments, others.count >= maximum {
                return ModelError(.conflict, field: "specialist", "has \(maximum) appointments on that day, the most")
            }
            if let maximum = profile.maximumMinutes,
                others.reduce(details.minutes, { $0 + $1.minutes }) > maximum
            {
                return ModelError(
                    .conflict,
                    field: "specialist",
                    "has appointments of \(maximum) minutes a day at most"
                )
            }
            return nil
        }
    }
}

extension Attendance.Obstacle {
    /// Nil for a closed practice, which concerns the appointment and not the specialist.
    fileprivate var error: ModelError? {
        switch self {
        case .closed: nil
        case .left: ModelError(.conflict, field: "specialist", "does not work in this practice any more on that day")
        case .unlicensed(let day): ModelError(.conflict, field: "specialist", "has a licence that ends on \(day)")
        case .absent: ModelError(.conflict, field: "specialist", "is absent then")
        case .offHours: ModelError(.conflict, field: "specialist", "does not work at that time")
        }
    }
}
