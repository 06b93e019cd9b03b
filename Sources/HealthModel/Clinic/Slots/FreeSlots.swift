import FoundationEssentials

extension BookingRules {
    /// Returns the free times that a question asks for, at most `limit` in ascending order, and why there are none.
    ///
    /// The diaries of the specialists, the rooms and the patient must be those of all UTC days that the local days touch.
    package func freeSlots(
        _ question: SlotQuestion,
        limit: Int = SlotQuestion.maximumSlots
    ) -> (slots: [FreeSlot], why: NoSlotReason?) {
        var search = SlotSearch(rules: self, question: question)
        search.run()
        let slots = search.found.sorted()
        return (Array(slots.prefix(limit)), slots.isEmpty ? search.reason : nil)
    }
}

/// The search for the free times of one question.
private struct SlotSearch {
    let rules: BookingRules
    let question: SlotQuestion
    var found: [FreeSlot] = []
    /// The last step that left something; the step after it left nothing.
    private var reached = Step.nothing

    private enum Step: Int {
        case nothing, open, works, present, hasCapacity, free, fits
    }

    init(rules: BookingRules, question: SlotQuestion) {
        self.rules = rules
        self.question = question
    }

    var reason: NoSlotReason {
        switch reached {
        case .nothing: .closed
        case .open: .noSpecialist
        case .works: .absent
        case .present: .caseloadFull
        case .hasCapacity: .fullyBooked
        case .free: .noGapLongEnough
        case .fits: .outsideWindow
        }
    }

    mutating func run() {
        let opening = OpeningTimes(rules.practice.timetables, rules.clock)
        let patient = question.record.map { busy(.patient($0), capacity: 1, isWidened: false) } ?? []
        let rooms = question.places.map { place in
            (id: place, busy: busy(.place(place), capacity: rules.practice.places[place]?.profile.capacity ?? 1))
        }
        for specialist in question.specialists {
            guard let state = rules.specialists[specialist] else { continue }
            let absences = state.absences.values.map(\.span).joined
            let taken = (busy(.specialist(specialist), capacity: 1) + patient).joined
            for day in question.days.all {
                search(day, opening.usual(on: day...day), state, absences, taken, rooms)
            }
        }
    }

    private mutating func search(
        _ day: Day,
        _ openings: [TimeSpan],
        _ specialist: SpecialistState,
        _ absences: [TimeSpan],
        _ taken: [TimeSpan],
        _ rooms: [(id: UUID, busy: [TimeSpan])]
    ) {
        guard !openings.isEmpty else { return }
        reach(.open)
        // Hours that run on after midnight belong to two days, and a start to that on which it is.
        let runsOn = openings.contains { rules.clock.day(at: Instant(microseconds: $0.end.microseconds - 1)) > day }
        let days = (runsOn ? [day, day.adding(days: 1)] : [day])
            .filter { specialist.works(in: rules.practice.id, on: $0) && specialist.profile.isLicensed(on: $0) }
        guard !days.isEmpty else { return }
        let working = openings.intersection(specialist.times(in: rules.practice.id, around: day, rules.clock))
        guard !working.isEmpty else { return }
        reach(.works)
        let present = working.subtracting(absences)
        guard !present.isEmpty else { return }
        reach(.present)
        var minutes: [Day: Int] = [:]
        for day in days {
            let booked = bookings(of: specialist, on: day)
            if hasCapacity(specialist.profile, booked) { minutes[day] = booked.reduce(0) { $0 + $1.minutes } }
        }
        guard !minutes.isEmpty else { return }
        reach(.hasCapacity)
        let free = present.subtracting(taken)
        guard !free.isEmpty else { return }
        reach(.free)
        for opening in openings {
            for gap in free where gap.overlaps(opening) {
                addStarts(in: gap, of: opening, specialist.id, rooms, bookedMinutes: minutes)
            }
        }
    }

    /// Adds the starts on the grid of an opening that fit into a gap, on the days that take further appointments.
    private mutating func addStarts(
        in gap: TimeSpan,
        of opening: TimeSpan,
        _ specialist: UUID,
        _ rooms: [(id: UUID, busy: [TimeSpan])],
        bookedMinutes: [Day: Int]
    ) {
        let step = Int64(question.grid) * Instant.microsecondsPerMinute
        let first = max(gap.start, opening.start).microseconds - opening.start.microseconds
        var offset = (first + step - 1) / step * step
        while let span = TimeSpan(
            start: Instant(microseconds: opening.start.microseconds + offset),
            minutes: question.minutes
        ), span.end <= min(gap.end, opening.end) {
            offset += step
            // Outside the window, one time that fits is enough to know why there is none within it.
            guard reached.rawValue < Step.fits.rawValue || question.window.contains(span.start) else { continue }
            guard let minutes = bookedMinutes[rules.clock.day(at: span.start)] else { continue }
            var place: UUID?
            if !rooms.isEmpty {
                guard
                    let room = rooms.filter({ !$0.busy.contains(where: span.overlaps) }).map(\.id)
                        .leastBooked(rules, span)
                else { continue }
                place = room
            }
            reach(.fits)
            guard question.window.contains(span.start) else { continue }
            found.append(FreeSlot(start: span.start, specialist: specialist, place: place, bookedMinutes: minutes))
        }
    }

    private mutating func reach(_ step: Step) {
        if step.rawValue > reached.rawValue { reached = step }
    }

    /// Returns the times in which a resource takes no further appointment of the question's length, joined.
    ///
    /// They are widened by the buffers, so that the appointment itself may not touch them.
    private func busy(_ resource: ClinicResource, capacity: Int, isWidened: Bool = true) -> [TimeSpan] {
        guard let whole else { return [] }
        let times = rules.diaries.times(of: resource, in: whole, at: rules.now, besides: question.moving)
        let spans = times.filter { !$0.isBlocked }.map(\.span)
        // A blocked time leaves no room, however many appointments there is room for.
        let blocked = times.filter(\.isBlocked).map(\.span)
        let full = (capacity == 1 ? spans : spans.full(capacity: capacity)) + blocked
        return
            full.map {
                isWidened ? $0.widened(before: question.bufferAfter, after: question.bufferBefore) : $0
            }
            .joined
    }

    /// The time of all local days of the question.
    private var whole: TimeSpan? {
        let first = rules.clock.moment(of: WallMoment(day: question.days.lowerBound.adding(days: -1))).instant
        let end = rules.clock.moment(of: WallMoment(day: question.days.upperBound.adding(days: 2))).instant
        return TimeSpan(first, end)
    }

    private func bookings(of specialist: SpecialistState, on day: Day) -> [Diary.Taken] {
        guard let span = rules.clock.span(ofDay: day) else { return [] }
        return rules.diaries.appointments(
            of: .specialist(specialist.id),
            startingIn: span,
            at: rules.now,
            besides: question.moving
        )
    }

    private func hasCapacity(_ profile: SpecialistProfile, _ booked: [Diary.Taken]) -> Bool {
        if let maximum = profile.maximumAppointments, booked.count >= maximum { return false }
        guard let maximum = profile.maximumMinutes else { return true }
        return booked.reduce(question.minutes) { $0 + $1.minutes } <= maximum
    }
}

extension [UUID] {
    /// The room with the fewest booked minutes on the days of a span, then the lowest id.
    fileprivate func leastBooked(_ rules: BookingRules, _ span: TimeSpan) -> UUID? {
        map { room in
            let day = rules.clock.span(ofDay: rules.clock.day(at: span.start)) ?? span
            let times = rules.diaries.times(of: .place(room), in: day, at: rules.now, besides: nil)
            return (minutes: times.reduce(0) { $0 + $1.minutes }, room)
        }
        .min { ($0.minutes, $0.1) < ($1.minutes, $1.1) }?
        .1
    }
}

extension [TimeSpan] {
    /// The times in which so many of the spans overlap each other.
    fileprivate func full(capacity: Int) -> [TimeSpan] {
        var result: [TimeSpan] = []
        let moments = flatMap { [$0.start, $0.end] }.sorted()
        for (start, end) in zip(moments, moments.dropFirst()) {
            guard let span = TimeSpan(start, end) else { continue }
            if count(where: { $0.overlaps(span) }) >= capacity { result.append(span) }
        }
        return result.joined
    }
}
