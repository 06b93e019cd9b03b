internal import AppointmentCalendar
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore

/// Booking the time of another appointment, which is moved or waits.
extension Journal.Appointments {
    /// Reads the appointment that makes room for another one, and frees its time in the decision's diaries.
    func displaced(
        _ displacement: AppointmentRequest.Displacement,
        for request: AppointmentRequest,
        _ facts: inout BookingFacts
    ) throws -> Versioned<AppointmentState> {
        let found = try appointment(displacement.appointment)
        let state = found.state
        guard state.details.practice == request.practice, state.retracted == nil else {
            throw JournalError(ModelError.noAppointment)
        }
        guard AppointmentVerb.displace.possibleFrom.contains(state.status) else {
            throw JournalError(
                .conflict,
                field: "displacing",
                "an appointment that is \(state.status.sentence) cannot be displaced"
            )
        }
        for key in state.details.diaryKeys(of: state.record) { try facts.read(key, journal) }
        facts.rules.diaries.free(state.id)
        return found
    }

    /// Moves a displaced appointment to another time, or cancels it and puts its patient on the waiting list.
    func displace(
        _ displaced: Versioned<AppointmentState>,
        by appointment: UUID,
        _ request: AppointmentRequest,
        _ admission: PracticeAdmission,
        _ facts: inout BookingFacts,
        _ change: inout Change
    ) throws {
        let state = displaced.state
        var events: [JournalEvent]
        var after: AppointmentDetails?
        if let start = request.displacing?.start {
            var details = state.details
            details.start = try admission.clock.instant(of: start)
            details.wall = admission.clock.wall(at: details.start)
            details.zone = admission.practice.profile.zone
            // With the whole local day, whose appointments a caseload counts.
            for day in BookingRules.neededDays(of: details, admission.clock).all {
                for resource in details.resources + [.patient(state.record)] {
                    try facts.read(Diaries.Key(resource, day), journal)
                }
            }
            facts.rules.diaries.free(state.id)
            for id in details.specialists where facts.rules.specialists[id] == nil {
                guard let specialist = try journal.practiceStates.specialist(id) else {
                    throw JournalError(ModelError.noSpecialist)
                }
                facts.rules.specialists[id] = specialist.state
                facts.expectations.append((id, specialist.version))
            }
            try check(details, of: state.record, id: state.id, admission, facts.rules)
            events = try decide(.displace(details, by: appointment), state, reason: change.reason, now: journal.now)
            after = details
        } else {
            if change.reason.isEmpty { throw JournalError(.invalid, field: "reason", "is required") }
            guard state.details.service != nil else {
                throw JournalError(
                    .conflict,
                    field: "displacing",
                    "the displaced appointment has no service that its patient could wait for: give it another time"
                )
            }
            events = try decide(.cancel(.practice, code: "displaced"), state, reason: change.reason, now: journal.now)
        }
        for event in events {
            try change.add(
                event,
                id: UUID.timeOrdered(at: journal.log.now()),
                in: .entry(state.id, of: state.record),
                expecting: .exact(displaced.version)
            )
        }
        try facts.move(state.id, of: state.record, from: state.details, to: after, &change)
        if after == nil, let service = state.details.service {
            var wish = WaitProfile(values: FieldValues())
            wish.values[WaitProfile.service] = .id(service)
            wish.values[WaitProfile.urgency] = WaitUrgency.urgent.fieldValue
            let wait = UUID.timeOrdered(at: journal.log.now())
            try change.add(
                JournalEvent(WaitAdded(practice: admission.id, profile: wish)),
                in: .entry(wait, of: state.record),
                expecting: .empty
            )
        }
    }

    /// Frees the future times of an animal that is about to be erased.
    func freeFutureTimes(of record: UUID, _ change: inout Change) throws {
        for id in try journal.calendars.appointments(of: record, asOf: journal.log.head()) {
            let state = try appointment(id).state
            guard state.takesTime, state.details.end > journal.now else { continue }
            for key in state.details.diaryKeys(of: record).sorted(by: { $0.order < $1.order }) {
                let stream = try diaryStream(of: key.resource, on: key.day)
                try change.add(
                    JournalEvent(SlotFreed(appointment: id)),
                    in: .stream(stream, of: state.details.practice),
                    isOfItsSubject: false,
                    expecting: .exact(try diary(of: key.resource, on: key.day).version)
                )
            }
        }
    }
}
