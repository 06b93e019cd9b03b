internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore

/// The state on which a booking is decided, with the versions that its append expects.
struct BookingFacts {
    var rules: BookingRules
    var expectations: [(stream: UUID, version: UInt64)] = []
    /// The streams and the versions of the diaries.
    var diaries: [Diaries.Key: (stream: UUID, version: UInt64)] = [:]
}

extension Journal.Appointments {
    /// Returns the agreement that a request means: with the duration and the buffers of the service, and a room.
    func details(
        of request: AppointmentRequest,
        isRepeated: Bool = false,
        _ admission: PracticeAdmission
    ) throws -> AppointmentDetails {
        let start = try admission.clock.instant(of: request.start)
        var service: ServiceProfile?
        if let id = request.service {
            guard let found = admission.practice.services[id], found.ended == nil else {
                throw JournalError(ModelError.noService)
            }
            service = found.profile
        }
        let usual = try service.map {
            try duration(of: $0, for: request.record, isRepeated: isRepeated, admission).minutes
        }
        let match = try request.assessment.map { id in
            guard admission.asker == .staff else {
                throw JournalError(.refused, field: "assessment", "only the staff of the practice may write this field")
            }
            guard let triage = try journal.triage.triageUnlessErased(id, asOf: .max), triage.record == request.record,
                triage.practice == request.practice, triage.retracted == nil
            else { throw JournalError(ModelError.noTriage) }
            // A patient who was not assessed yet has no ranking.
            return triage.assessment.map { SpecialistMatch(ranking: $0.assessment.ranking, taken: request.specialist) }
        }
        guard let minutes = request.minutes ?? usual else {
            throw ModelError(.invalid, field: "minutes", "is required without a service")
        }
        return AppointmentDetails(
            practice: request.practice,
            service: request.service,
            type: request.type ?? service?.type ?? .routine,
            start: start,
            wall: admission.clock.wall(at: start),
            zone: admission.practice.profile.zone,
            minutes: minutes,
            bufferBefore: service?.bufferBefore ?? 0,
            bufferAfter: service?.bufferAfter ?? 0,
            specialist: request.specialist,
            others: request.others,
            places: request.places ?? [],
            reason: request.reason,
            notes: request.notes,
            instructions: request.instructions,
            assessment: request.assessment,
            match: match ?? nil
        )
    }

    /// Reads what a decision on an agreement depends on.
    ///
    /// `rooms` are the rooms from which a free one may be chosen. An appointment that takes time needs a patient of the
    /// practice; that of a former patient can still be cancelled.
    func facts(
        for details: AppointmentDetails,
        of record: UUID,
        rooms: [UUID] = [],
        takesTime: Bool = true,
        _ admission: PracticeAdmission
    ) throws -> BookingFacts {
        let practice = admission.practice
        var facts = BookingFacts(
            rules: BookingRules(
                practice: practice,
                specialists: [:],
                diaries: Diaries(),
                clock: admission.clock,
                now: journal.now,
                species: try patientName(record, asOf: journal.log.head())?.species
            )
        )
        facts.expectations.append((practice.id, admission.version))
        facts.expectations.append((record, try journal.log.version(of: record)))
        let registration = try journal.access.standing(of: record, at: practice.id)
        if takesTime { try registration.state.requirePatient() }
        facts.expectations.append(
            (try journal.practiceStates.registrationStream(of: record, at: practice.id), registration.version)
        )
        for id in details.specialists {
            guard let specialist = try journal.practiceStates.specialist(id) else {
                // The data of one who worked here may be erased; the appointment can still be closed.
                guard takesTime else { continue }
                throw JournalError(ModelError.noSpecialist)
            }
            facts.rules.specialists[id] = specialist.state
            facts.expectations.append((id, specialist.version))
        }
        let resources = details.resources + rooms.map { .place($0) } + [.patient(record)]
        for day in BookingRules.neededDays(of: details, admission.clock).all {
            for resource in resources { try facts.read(Diaries.Key(resource, day), journal) }
        }
        return facts
    }

    /// Chooses the room with the fewest booked minutes of that day among those that are free, then the lowest id.
    func freeRoom(for details: AppointmentDetails, of rooms: [UUID], _ rules: BookingRules, besides id: UUID?) -> UUID?
    {
        guard let wide = details.wideSpan else { return nil }
        let day = rules.clock.span(ofDay: rules.clock.day(at: details.start)) ?? wide
        return
            rooms.filter { room in
                guard let place = rules.practice.places[room], place.ended == nil else { return false }
                return rules.diaries.obstacle(
                    to: wide,
                    of: .place(room),
                    capacity: place.profile.capacity,
                    at: rules.now,
                    besides: id
                ) == nil
            }
            .map { room in
                let times = rules.diaries.times(of: .place(room), in: day, at: rules.now, besides: id)
                return (minutes: times.reduce(0) { $0 + $1.minutes }, room)
            }
            .min { ($0.minutes, $0.1) < ($1.minutes, $1.1) }?
            .1
    }
}

extension BookingFacts {
    /// Reads a diary, unless it was read already.
    mutating func read(_ key: Diaries.Key, _ journal: Journal) throws {
        guard diaries[key] == nil else { return }
        let stream = try journal.appointments.diaryStream(of: key.resource, on: key.day)
        let diary = try journal.appointments.countedDiary(of: key.resource, on: key.day)
        rules.diaries.diaries[key] = diary.state
        diaries[key] = (stream, diary.version)
    }

    /// Adds the events that free what an appointment took before, and take what it takes now.
    ///
    /// `before` and `after` are nil if it takes nothing. The diaries of both must have been read.
    func move(
        _ appointment: UUID,
        of record: UUID,
        from before: AppointmentDetails?,
        to after: AppointmentDetails?,
        heldUntil: Instant? = nil,
        _ change: inout Change
    ) throws {
        let (old, new) = (before?.times(of: record) ?? [:], after?.times(of: record) ?? [:])
        let practice = rules.practice.id
        for key in Set(old.keys).union(new.keys).sorted(by: { $0.order < $1.order }) {
            guard let diary = diaries[key] else { throw EventLogError(.versionConflict, "a diary was not read") }
            let event: JournalEvent
            if let span = new[key], let after {
                event = JournalEvent(
                    SlotTaken(
                        appointment: appointment,
                        from: span.start,
                        to: span.end,
                        minutes: after.minutes,
                        until: heldUntil
                    )
                )
            } else {
                event = JournalEvent(SlotFreed(appointment: appointment))
            }
            try change.add(
                event,
                in: .stream(diary.stream, of: practice),
                isOfItsSubject: false,
                expecting: .exact(diary.version)
            )
        }
    }

    /// Makes the append depend on everything that the decision was made on.
    func expectAll(_ change: inout Change) {
        for (stream, version) in expectations { change.expect(stream, .exact(version)) }
        for diary in diaries.values where !change.adds(to: diary.stream) {
            change.expect(diary.stream, .exact(diary.version))
        }
    }
}

extension AppointmentDetails {
    /// What the appointment takes up of each diary.
    fileprivate func times(of record: UUID) -> [Diaries.Key: TimeSpan] {
        guard let span, let wide = wideSpan else { return [:] }
        var times: [Diaries.Key: TimeSpan] = [:]
        for (resource, time) in resources.map({ ($0, wide) }) + [(.patient(record), span)] {
            for day in time.days.all { times[Diaries.Key(resource, day)] = time }
        }
        return times
    }

    /// The diaries that the appointment is in.
    func diaryKeys(of record: UUID) -> Set<Diaries.Key> { Set(times(of: record).keys) }
}

extension Diaries.Key {
    var order: (Int32, String) { (day.daysSince1970, resource.id.text) }
}
