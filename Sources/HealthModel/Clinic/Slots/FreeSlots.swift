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
        let attendance = rules.attendance
        // Hours of the day before may run on after midnight, and an appointment may end on the next day.
        let days = question.days.lowerBound.adding(days: -1)...question.days.upperBound.adding(days: 1)
        let openings = attendance.openings(for: question.purpose, on: days)
        let patient = question.record.map { busy(.patient($0), capacity: 1, isWidened: false) } ?? []
        let rooms = question.places.map { place in
            (id: place, busy: busy(.place(place), capacity: rules.practice.places[place]?.profile.capacity ?? 1))
        }
        for specialist in question.specialists {
            guard let state = rules.specialists[specialist] else { continue }
            let times = attendance.times(of: state, for: question.purpose, on: days)
            let own = question.purpose == .emergency ? attendance.times(of: state, for: .duty, on: days).present : nil
            let taken = (busy(.specialist(specialist), capacity: 1) + patient).joined
            for day in question.days.all { search(day, openings, state, times, duty: own, taken, rooms) }
        }
    }

    /// Searches the starts on a local day.
    ///
    /// `duty` is when the specialist is there without being called in; nil if that is always so.
    private mutating func search(
        _ day: Day,
        _ openings: [TimeSpan],
        _ specialist: SpecialistState,
        _ times: Attendance.Times,
        duty: [TimeSpan]?,
        _ taken: [TimeSpan],
        _ rooms: [(id: UUID, busy: [TimeSpan])]
    ) {
        guard let local = rules.clock.span(ofDay: day) else { return }
        let openings = openings.filter { $0.overlaps(local) }
        guard !openings.isEmpty else { return }
        reach(.open)
        guard question.purpose != .appointment || rules.treats(specialist, question.service),
            times.working.contains(where: { $0.overlaps(local) })
        else { return }
        reach(.works)
        let present = times.present.filter { $0.overlaps(local) }
        guard !present.isEmpty else { return }
        reach(.present)
        let booked = bookings(of: specialist, in: local)
        guard question.purpose != .appointment || hasCapacity(specialist.profile, booked) else { return }
        reach(.hasCapacity)
        let free = present.subtracting(taken).filter { $0.overlaps(local) }
        guard !free.isEmpty else { return }
        reach(.free)
        let minutes = booked.reduce(0) { $0 + $1.minutes }
        let preference = specialist.preference(for: question.service, in: rules.practice.id, on: day)
        var starts: Set<Instant> = []
        for opening in openings {
            for gap in free where gap.overlaps(opening) {
                for span in candidates(in: gap, of: opening, local) where starts.insert(span.start).inserted {
                    add(span, specialist.id, duty: duty, rooms, bookedMinutes: minutes, preference)
                }
            }
        }
    }

    /// Returns the times on the grid of an opening that fit into a gap and start on a local day; outside the window, one
    /// is enough to know why there is none within it.
    private func candidates(in gap: TimeSpan, of opening: TimeSpan, _ local: TimeSpan) -> [TimeSpan] {
        let step = Int64(question.grid) * Instant.microsecondsPerMinute
        let first = max(gap.start, opening.start, local.start).microseconds - opening.start.microseconds
        var offset = (first + step - 1) / step * step
        var found: [TimeSpan] = []
        while let span = TimeSpan(
            start: Instant(microseconds: opening.start.microseconds + offset),
            minutes: question.minutes
        ), span.start < min(opening.end, local.end), span.end <= gap.end {
            found.append(span)
            offset += step
        }
        return found
    }

    private mutating func add(
        _ span: TimeSpan,
        _ specialist: UUID,
        duty: [TimeSpan]?,
        _ rooms: [(id: UUID, busy: [TimeSpan])],
        bookedMinutes: Int,
        _ preference: Int
    ) {
        guard reached.rawValue < Step.fits.rawValue || question.window.contains(span.start) else { return }
        var place: UUID?
        if !rooms.isEmpty {
            guard
                let room = rooms.filter({ !$0.busy.contains(where: span.overlaps) }).map(\.id)
                    .leastBooked(rules, span)
            else { return }
            place = room
        }
        reach(.fits)
        guard question.window.contains(span.start) else { return }
        found.append(
            FreeSlot(
                start: span.start,
                specialist: specialist,
                place: place,
                bookedMinutes: bookedMinutes,
                isOnCall: duty.map { !$0.contains { $0.contains(span) } } ?? false,
                preference: preference
            )
        )
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

    private func bookings(of specialist: SpecialistState, in day: TimeSpan) -> [Diary.Taken] {
        rules.diaries.appointments(
            of: .specialist(specialist.id),
            startingIn: day,
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
