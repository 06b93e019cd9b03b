import FoundationEssentials
import HealthModel

extension PracticeFHIRWriter {
    /// Adds the appointments, the waiting list, and the times that are taken, blocked and free.
    mutating func addCalendar() {
        for appointment in contents.appointments where !appointment.hasExpired(at: contents.now) {
            let slots = addSlots(of: appointment)
            guard isShown(appointment.record) else { continue }
            add(appointment, in: slots)
            addEncounter(of: appointment)
        }
        for wait in contents.waiting where isShown(wait.record) { add(wait) }
        for busy in contents.busy {
            addSlot(of: busy.specialist, "busy", busy.span, status: busy.isBlocked ? "busy-unavailable" : "busy")
        }
        for (room, times) in contents.blocked.sorted(by: { $0.key < $1.key }) {
            for time in times where time.span.days.overlaps(contents.days) {
                addSlot(Self.derived(time.id, "Slot"), of: room, time.span, status: "busy-unavailable")
            }
        }
        for answer in contents.free {
            for slot in answer.slots {
                guard let span = TimeSpan(start: slot.start, minutes: answer.minutes) else { continue }
                addSlot(of: slot.specialist, "free", span, status: "free")
            }
        }
    }

    private mutating func addSlot(of resource: UUID, _ name: String, _ span: TimeSpan, status: String) {
        let id = Self.derived(resource, "Slot/\(name)/\(span.start)/\(span.end)")
        addSlot(id, of: resource, span, status: status)
    }

    private mutating func addSlot(_ id: UUID, of resource: UUID, _ span: TimeSpan, status: String) {
        bundle.add(
            "Slot",
            id,
            [
                "schedule": FHIR.reference(schedule(of: resource)), "status": .string(status),
                "start": .time(span.start), "end": .time(span.end),
            ]
        )
    }

    /// Adds the times that an appointment takes up, also that of a patient who is no longer registered; returns their ids.
    private mutating func addSlots(of appointment: AppointmentDocument) -> [UUID] {
        let details = appointment.details
        guard !appointment.isRetracted, appointment.status.takesTime || appointment.status == .completed,
            let span = appointment.takenSpan
        else { return [] }
        return (details.specialists + details.places).filter(isShownResource)
            .map { resource in
                let id = Self.derived(appointment.id, "Slot/\(resource.text)")
                addSlot(id, of: resource, span, status: appointment.status == .held ? "busy-tentative" : "busy")
                return id
            }
    }

    private mutating func add(_ appointment: AppointmentDocument, in slots: [UUID]) {
        let details = appointment.details
        let service = service(details.service)
        let remarks = ([details.notes] + appointment.notes.map(\.text)).filter { !$0.isEmpty }
        bundle.add(
            "Appointment",
            appointment.id,
            [
                "status": .string(appointment.fhirStatus), "cancelationReason": appointment.fhirCancellation,
                "serviceType": (service?.profile.name).flatMap { FHIR.concept($0) }.map { [$0] },
                "specialty": (service?.profile.specialty).flatMap { FHIR.concept($0) }.map { [$0] },
                "appointmentType": details.type.fhir, "reasonCode": FHIR.concept(details.reason).map { [$0] },
                "start": .string(details.timestamp(of: details.start)),
                "end": .string(details.timestamp(of: details.end)),
                "minutesDuration": .integer(details.minutes), "slot": .list(slots.map { FHIR.reference($0) }),
                "created": .time(appointment.addedAt), "comment": .notEmpty(remarks.joined(separator: "\n")),
                "patientInstruction": .notEmpty(details.instructions),
                "participant": .array(participants(of: appointment)),
            ]
        )
    }

    private func participants(of appointment: AppointmentDocument) -> [JSONValue] {
        let details = appointment.details
        // needs-action: the client has not confirmed.
        let answer =
            switch appointment.status {
            case .held, .scheduled: "needs-action"
            case .cancelled where appointment.cancelledBy == .client: "declined"
            default: "accepted"
            }
        var found = [participant(appointment.record, appointment.patientName, answer)]
        if let client = patients[appointment.record]?.clients.lazy.compactMap({ clients[$0] }).first {
            found.append(participant(related(client.id, to: appointment.record), client.profile.fullName, answer))
        }
        found += (details.specialists + details.places).map { resource($0, "accepted") }
        if let service = service(details.service) {
            found.append(participant(service.id, service.profile.name, "accepted"))
        }
        return found
    }

    /// A specialist or a room as a participant; one whose data is erased has no reference.
    private func resource(_ id: UUID, _ status: String) -> JSONValue {
        if isShownResource(id) { return participant(id, name(of: id), status) }
        return ["actor": ["display": "erased"], "status": .string(status)]
    }

    private func participant(_ id: UUID, _ name: String?, _ status: String) -> JSONValue {
        ["actor": FHIR.reference(id, display: name), "status": .string(status)]
    }

    /// Adds the visit of a patient that has arrived.
    private mutating func addEncounter(of appointment: AppointmentDocument) {
        guard let status = appointment.fhirEncounterStatus else { return }
        let details = appointment.details
        let (start, end) = (appointment.visitStart, appointment.visitEnd)
        addEncounter(
            Self.derived(appointment.id, "Encounter"),
            of: appointment.record,
            status: status,
            isEmergency: details.type == .emergency,
            [
                "participant": .list(
                    details.specialists.filter(isShownResource)
                        .map { ["individual": FHIR.reference($0, display: name(of: $0))] }
                ), "appointment": [FHIR.reference(appointment.id)],
                "period": FHIR.period(start?.description, start.flatMap { _ in end?.description }),
                "reasonCode": FHIR.concept(details.reason).map { [$0] },
                "location": .list(details.places.filter(isShownResource).map { ["location": FHIR.reference($0)] }),
            ]
        )
    }

    mutating func addEncounter(
        _ id: UUID,
        of record: UUID,
        status: String,
        isEmergency: Bool,
        _ members: KeyValuePairs<String, JSONValue?>
    ) {
        let kind =
            isEmergency
            ? FHIR.Coding(FHIR.System.act, "EMER", "emergency") : FHIR.Coding(FHIR.System.act, "AMB", "ambulatory")
        let head: KeyValuePairs<String, JSONValue?> = [
            "status": .string(status), "class": kind.json, "subject": FHIR.reference(record),
            "serviceProvider": FHIR.reference(practice.id),
        ]
        bundle.add("Encounter", id, head, members)
    }

    private mutating func add(_ wait: WaitDocument) {
        guard wait.status == .open || wait.status == .offered else { return }
        let service = service(wait.profile.serviceID)
        let specialists = wait.profile.specialistIDs
        let period = FHIR.period(wait.profile.firstDay.map { "\($0)" }, wait.profile.lastDay.map { "\($0)" })
        bundle.add(
            "Appointment",
            wait.id,
            [
                "status": "waitlist", "serviceType": (service?.profile.name).flatMap { FHIR.concept($0) }.map { [$0] },
                "created": .time(wait.addedAt),
                "comment": .notEmpty(wait.profile.values.text(WaitProfile.note) ?? ""),
                "participant": .array(
                    [participant(wait.record, wait.patientName, "needs-action")]
                        + specialists.map { resource($0, "needs-action") }
                        + (service.map { [participant($0.id, $0.profile.name, "needs-action")] } ?? [])
                ), "requestedPeriod": period.map { [$0] },
            ]
        )
    }
}

extension AppointmentDetails {
    /// A moment of the appointment with the offset of the practice's clock at its start, so that the agreed time can be read
    /// in it.
    fileprivate func timestamp(of instant: Instant) -> String {
        let agreed = wall.day.startInstant.adding(minutes: wall.time?.minutes ?? 0)
        let offset = Int((agreed.microseconds - start.microseconds) / Instant.microsecondsPerMinute)
        // FHIR has offsets of up to 14 hours.
        guard offset != 0, abs(offset) <= 840 else { return instant.description }
        let text = instant.adding(minutes: offset).description.dropLast()
        let size = WallTime(minutes: abs(offset))?.description ?? ""
        return "\(text)\(offset < 0 ? "-" : "+")\(size)"
    }
}

extension AppointmentType {
    /// The type, with the code of HL7 v2 where it has one.
    fileprivate var fhir: JSONValue? {
        let coding: FHIR.Coding? =
            switch self {
            case .routine:
                FHIR.Coding(FHIR.System.appointmentReason, "ROUTINE", "Routine appointment - default if not valued")
            case .emergency: FHIR.Coding(FHIR.System.appointmentReason, "EMERGENCY", "Emergency appointment")
            case .followUp:
                FHIR.Coding(FHIR.System.appointmentReason, "FOLLOWUP", "A follow up visit from a previous appointment")
            case .surgery, .vaccination: nil
            }
        return coding.map { FHIR.concept(name, $0) } ?? FHIR.concept(name)
    }
}

extension AppointmentDocument {
    fileprivate var fhirStatus: String {
        if isRetracted { return "entered-in-error" }
        switch status {
        case .held: return "pending"
        case .scheduled, .confirmed: return arrivedAt == nil ? "booked" : "arrived"
        case .inProgress: return "arrived"
        case .completed: return "fulfilled"
        case .cancelled: return "cancelled"
        case .noShow: return "noshow"
        }
    }

    /// The status of the visit; nil before the patient has arrived.
    fileprivate var fhirEncounterStatus: String? {
        switch status {
        case .completed: isRetracted ? "entered-in-error" : "finished"
        case .inProgress: isRetracted ? "entered-in-error" : "in-progress"
        case .scheduled, .confirmed: arrivedAt.map { _ in isRetracted ? "entered-in-error" : "arrived" }
        case .held, .cancelled, .noShow: nil
        }
    }

    /// Whether it is a hold that has expired.
    func hasExpired(at now: Instant) -> Bool { status == .held && heldUntil.map { $0 <= now } ?? false }

    /// When the visit began; nil if this is not known, as for a visit that was imported.
    fileprivate var visitStart: Instant? { (begunAt ?? arrivedAt).flatMap { isPlausible($0) ? $0 : nil } }
    fileprivate var visitEnd: Instant? { completedAt.flatMap { isPlausible($0) ? $0 : nil } }

    /// Whether a recorded time can be that of the visit.
    ///
    /// A time that is more than a day off is that of an import or of a later correction.
    private func isPlausible(_ moment: Instant) -> Bool {
        details.span?.widened(before: 1_440, after: 1_440).contains(moment) ?? false
    }

    /// The time of the specialists and rooms, which is free again when the visit is completed.
    fileprivate var takenSpan: TimeSpan? {
        guard let span = details.wideSpan, let end = visitEnd, end < span.end else { return details.wideSpan }
        return TimeSpan(span.start, end)
    }

    /// Whether the appointment has an Encounter.
    var hasFHIREncounter: Bool { fhirEncounterStatus != nil }

    fileprivate var fhirCancellation: JSONValue? {
        guard status == .cancelled else { return nil }
        let coding: FHIR.Coding? =
            switch cancelledBy {
            case .client: FHIR.Coding(FHIR.System.cancellation, "pat", "Patient")
            case .practice: FHIR.Coding(FHIR.System.cancellation, "prov", "Provider")
            case nil: nil
            }
        return coding.map { FHIR.concept(cancelCode, $0) } ?? FHIR.concept(cancelCode)
    }
}
