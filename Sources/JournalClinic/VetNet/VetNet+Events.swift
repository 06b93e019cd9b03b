import FoundationEssentials
import HealthModel
import Interchange
internal import JournalCore

/// The events by which the parts of a document of VetNet are added.
extension VetNetSpecialist {
    /// `today` is the day on which one who is not active has ended.
    func events(at practice: UUID, on today: Day) -> [JournalEvent] {
        var events = [JournalEvent(SpecialistAdded(practice: practice, profile: profile))]
        events += hours.map {
            JournalEvent(
                AvailabilitySet(practice: practice, from: $0.from, hours: $0.hours, preferences: $0.preferences)
            )
        }
        events += absences.map { item in
            let span = item.absence.span
            return JournalEvent(
                AbsenceAdded(absence: item.id, from: span.start, until: span.end, why: item.absence.why)
            )
        }
        if !isActive { events.append(JournalEvent(SpecialistEnded(from: today))) }
        return events
    }
}

extension VetNetAppointment {
    /// Whether it still takes time, so that it must be booked like any other appointment.
    func isAhead(at now: Instant) -> Bool { status.takesTime && start.adding(minutes: minutes) > now }

    func details(at practice: UUID, in zone: String, _ clock: PersonClock) -> AppointmentDetails {
        AppointmentDetails(
            practice: practice,
            type: type,
            start: start,
            wall: clock.wall(at: start),
            zone: zone,
            minutes: minutes,
            specialist: specialist,
            reason: reason,
            notes: notes,
            assessment: assessment
        )
    }

    func events(at practice: UUID, in zone: String, _ clock: PersonClock) -> [JournalEvent] {
        var events = [JournalEvent(AppointmentBooked(details: details(at: practice, in: zone, clock)))]
        switch status {
        case .held, .scheduled, .confirmed: break
        case .inProgress: events.append(JournalEvent(AppointmentBegun()))
        case .completed: events += [JournalEvent(AppointmentBegun()), JournalEvent(AppointmentCompleted())]
        case .cancelled: events.append(JournalEvent(AppointmentCancelled(by: .practice, code: "")))
        case .noShow: events.append(JournalEvent(AppointmentMissed()))
        }
        return events + remarks.map { JournalEvent(AppointmentNoteAdded(text: $0)) }
    }
}

extension VetNetAssessment {
    func events(at practice: UUID) -> [JournalEvent] {
        let assessed = TriageAssessment(findings, level: level, from: "VetNet", digest: digest)
        return [
            JournalEvent(TriageBegun(practice: practice, arrivedAt: at, appointment: appointment)),
            JournalEvent(TriageAssessed(assessment: assessed)), JournalEvent(TriageTaken(specialist: nil)),
        ]
    }
}

/// Folds the parts of a document of VetNet into what an export of the practice would contain of them.
///
/// The difference to the document is what must be kept of it.
struct VetNetFolding {
    private let document: VetNetPractice
    private let clock: PersonClock
    private let now: Instant
    private let actor: UUID
    let practice: PracticeDocument
    let writer: VetNetWriter

    init(_ document: VetNetPractice, _ clock: PersonClock, now: Instant, actor: UUID) {
        (self.document, self.clock, self.now, self.actor) = (document, clock, now, actor)
        let today = clock.day(at: now)
        let stamp = Stamp(position: 1, recordedAt: now, actor: actor)
        var state = PracticeState(id: document.id, profile: document.profile, created: stamp)
        for dated in document.timetables { state.timetables.set(dated.timetable, from: dated.from) }
        practice = PracticeDocument(state, roles: [], members: [:])
        var contents = PracticeContents(practice, days: today...today, now: now, today: today)
        let folder = Folder(stamp: stamp)
        contents.clients = document.clients.compactMap { folder.client($0, in: document.id) }
        contents.appointments = document.appointments.compactMap {
            folder.appointment($0, in: document, clock, now: now)
        }
        writer = VetNetWriter(contents)
    }

    private struct Folder {
        let stamp: Stamp

        func fold<State>(
            _ events: [JournalEvent],
            of id: UUID,
            subject: UUID,
            _ evolve: (inout State?, RecordedEvent) -> Void
        ) -> State? {
            var state: State?
            for event in events {
                evolve(&state, RecordedEvent(stamp: stamp, subject: subject, stream: id, event: event))
            }
            return state
        }

        func client(_ client: VetNetClient, in practice: UUID) -> ClientDocument? {
            var events = [JournalEvent(ClientAdded(practice: practice, profile: client.profile))]
            if !client.isActive { events.append(JournalEvent(ClientEnded())) }
            return fold(events, of: client.id, subject: client.id, evolve(_:_:)).map { ClientDocument($0) }
        }

        func appointment(
            _ appointment: VetNetAppointment,
            in document: VetNetPractice,
            _ clock: PersonClock,
            now: Instant
        ) -> AppointmentDocument? {
            var appointment = appointment
            let isAhead = appointment.isAhead(at: now)
            // An appointment that is ahead is booked, and nothing else: a link to a triage would rank the specialists
            // again.
            if isAhead { appointment.assessment = nil }
            var events = appointment.events(at: document.id, in: document.profile.zone, clock)
            if isAhead { events = Array(events.prefix(1)) }
            return fold(events, of: appointment.id, subject: appointment.patient, evolve(_:_:))
                .map { (state: AppointmentState) in AppointmentDocument(state) }
        }
    }

    private var folder: Folder { Folder(stamp: Stamp(position: 1, recordedAt: now, actor: actor)) }

    func specialist(_ specialist: VetNetSpecialist) throws -> SpecialistDocument {
        let events = specialist.events(at: document.id, on: clock.day(at: now))
        let state: SpecialistState? = folder.fold(events, of: specialist.id, subject: specialist.id, evolve(_:_:))
        guard let state else { throw ModelError.noSpecialist }
        return SpecialistDocument(state)
    }

    func client(_ client: VetNetClient) throws -> ClientDocument {
        guard let folded = folder.client(client, in: document.id) else { throw ModelError.noClient }
        return folded
    }

    func appointment(_ appointment: VetNetAppointment) throws -> AppointmentDocument {
        guard let folded = folder.appointment(appointment, in: document, clock, now: now) else {
            throw ModelError.noAppointment
        }
        return folded
    }

    func assessment(_ assessment: VetNetAssessment) -> TriageDocument {
        let events = assessment.events(at: document.id)
        let begun = TriageBegun(practice: document.id, arrivedAt: assessment.at, appointment: assessment.appointment)
        let state: TriageState? = folder.fold(events, of: assessment.id, subject: assessment.patient, evolve(_:_:))
        return TriageDocument(
            state ?? TriageState(id: assessment.id, record: assessment.patient, begun: begun, stamp: folder.stamp),
            patientName: nil,
            species: nil,
            at: now,
            showsReasons: true,
            showsAll: true
        )
    }

    /// Returns the record of a patient with what its source says beside the fields.
    func keepingSource(of patient: VetNetPatient) -> ImportedRecord {
        var record = patient.record
        let values = record.profile.values
        var registration = RegistrationProfile(values: FieldValues())
        if let client = patient.client { registration.values[RegistrationProfile.clients] = [client].fieldValue }
        var events = [JournalEvent(RegistrationMade(practice: document.id, number: ""))]
        events.append(JournalEvent(RegistrationChanged(profile: registration)))
        if !patient.isActive { events.append(JournalEvent(RegistrationEnded(practice: document.id))) }
        let state: RegistrationState? = folder.fold(events, of: record.id, subject: record.id, evolve(_:_:))
        guard let state else { return record }
        let patientDocument = PatientDocument(
            record: record.id,
            name: values.text(RecordProfile.name) ?? "",
            species: values.text(RecordProfile.species) ?? "",
            state
        )
        let kept = VetNetKept(source: patient.source, rendered: writer.members(of: patientDocument, values))
        if !kept.isEmpty {
            record.profile.extra.append(Extra(name: VetNetWriter.keptName, json: JSONWriter.text(kept.json)))
        }
        return record
    }
}
