internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import JournalExchange
internal import MedicalRecords

/// The result of importing a practice of VetNet, or of a trial run.
package struct VetNetReport: Hashable, Sendable {
    package var practice: UUID
    package var name: String
    package var isNew: Bool
    /// How many of each part were added, in the order of the document's parts.
    package var added = Counts()
    /// How many parts the journal had already; they are left as they are.
    package var known = 0
    /// Appointments that are ahead and could not be booked: the path, and why.
    package var refused: [Refused] = []
    /// Paths of members that the journal has no fields for; they are kept as they came and exported again.
    package var unrepresented: [String]
    /// The last position of the import; nil if nothing was appended.
    package var position: UInt64?

    package struct Counts: Hashable, Sendable {
        package var specialists = 0
        package var clients = 0
        package var patients = 0
        package var appointments = 0
        package var assessments = 0
    }

    package struct Refused: Hashable, Sendable {
        package var path: String
        package var message: String
    }
}

extension Journal.Practices {
    /// Imports a practice of VetNet: what exists is added in one append, and then each appointment that is ahead is booked
    /// like any other, so that none overlaps another one.
    ///
    /// Parts that the practice has already are left as they are. An appointment that cannot be booked is listed in the
    /// report; a repeated import tries it again. The caller becomes the manager of a new practice, which is the custodian
    /// of its patients' records.
    package func take(
        _ document: VetNetPractice,
        isTrial: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> VetNetReport {
        var (report, ahead) = try await journal.retrying {
            try await journal.access.admit(caller, to: .importRecords)
            var change = try Change(journal, caller)
            let taken = try await take(document, isTrial: isTrial, &change, caller)
            var report = taken.report
            if !isTrial, !change.isEmpty { report.position = try await change.commit()?.last }
            return (report, taken.ahead)
        }
        guard !isTrial else {
            report.added.appointments += ahead.count
            return report
        }
        // Each booking is a request of its own.
        var caller = caller
        caller.request = nil
        for appointment in ahead {
            do throws(JournalError) {
                report.position = try await book(appointment, at: document.id, caller).position
                report.added.appointments += 1
            } catch {
                guard [.conflict, .invalid, .slotTaken, .notFound].contains(error.code) else { throw error }
                report.refused.append(.init(path: appointment.path, message: error.description))
            }
        }
        return report
    }

    private func book(
        _ appointment: VetNetAppointment,
        at practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        let start = AppointmentRequest.Start.instant(appointment.start)
        var asked = AppointmentRequest(practice: practice, record: appointment.patient, start: start)
        asked.id = appointment.id
        (asked.minutes, asked.type, asked.specialist) = (appointment.minutes, appointment.type, appointment.specialist)
        (asked.reason, asked.notes) = (appointment.reason, appointment.notes)
        // The notes are those of the document, which the caller has.
        return try await journal.appointments.bookTime(asked, statesAnyField: true, caller) { _, _, _ in }
    }

    private func take(
        _ document: VetNetPractice,
        isTrial: Bool,
        _ change: inout Change,
        _ caller: Caller
    ) async throws -> (report: VetNetReport, ahead: [VetNetAppointment]) {
        let id = document.id
        let isNew = try journal.log.version(of: id) == 0
        var report = VetNetReport(
            practice: id,
            name: document.profile.name,
            isNew: isNew,
            unrepresented: document.unrepresented
        )
        if isNew {
            try SystemZones.requireZone(document.profile.zone, field: "zone")
            try create(document, &change, caller)
        } else {
            let admission = try await journal.access.admit(caller, to: .manage, in: id)
            change.expect(id, .exact(admission.version))
            report.known += 1
        }
        let zone = isNew ? document.profile.zone : try journal.practiceStates.practice(id).state.profile.zone
        guard zone == document.profile.zone else {
            throw JournalError(.conflict, field: "timeZone", "the practice is in \(zone) here: give --zone \(zone)")
        }
        let clock = try PersonClock(ZoneHistory(home: zone), SystemZones.table(of: [zone]))
        let folding = VetNetFolding(document, clock, now: journal.now, actor: caller.account)
        let writer = folding.writer
        if isNew {
            try self.keep(
                document.source,
                writtenAs: writer.members(of: folding.practice),
                about: id,
                subject: id,
                &change
            )
        }
        for specialist in document.specialists {
            let isNew = try isUnknown(specialist.id, at: specialist.path, &report) {
                try journal.practiceStates.specialist(specialist.id)?.state.posts[id] != nil
            }
            guard isNew else { continue }
            try add(specialist, to: id, on: clock.day(at: journal.now), &change)
            try located(specialist.path) {
                let rendered = try writer.members(of: folding.specialist(specialist))
                try self.keep(
                    specialist.source,
                    writtenAs: rendered,
                    about: specialist.id,
                    subject: specialist.id,
                    &change
                )
            }
            report.added.specialists += 1
        }
        for client in document.clients {
            let isNew = try isUnknown(client.id, at: client.path, &report) {
                (try? journal.clients.client(client.id, in: id)) != nil
            }
            guard isNew else { continue }
            try located(client.path) {
                try journal.clients.require(client.profile)
                try change.add(
                    JournalEvent(ClientAdded(practice: id, profile: client.profile)),
                    in: .own(client.id),
                    expecting: .empty
                )
                try journal.clients.claimEmail(of: client.profile, instead: nil, for: client.id, in: id, &change)
                if !client.isActive {
                    try change.add(JournalEvent(ClientEnded()), in: .own(client.id))
                }
                let rendered = try writer.members(of: folding.client(client))
                try self.keep(
                    client.source,
                    writtenAs: rendered,
                    about: client.id,
                    subject: client.id,
                    &change
                )
            }
            report.added.clients += 1
        }
        var new: Set<UUID> = []
        for patient in document.patients {
            let isNew = try isUnknown(patient.record.id, of: patient.record.id, in: id, at: patient.path, &report) {
                try isOrWasPatient(patient.record.id, of: id)
            }
            guard isNew else { continue }
            new.insert(patient.record.id)
            let record = folding.keepingSource(of: patient)
            _ = try await journal.imports.take(record, nil, for: id, isTrial: isTrial, &change, caller)
            report.added.patients += 1
            try register(patient, at: id, &change)
        }
        let specialists = Set(document.specialists.map(\.id))
        var ahead: [VetNetAppointment] = []
        for appointment in document.appointments {
            let isNew = try isUnknown(appointment.id, of: appointment.patient, in: id, at: appointment.path, &report) {
                try journal.appointments.appointmentUnlessErased(appointment.id, asOf: .max)?.details.practice == id
            }
            guard isNew else { continue }
            try located(appointment.path) {
                try require(appointment.patient, in: new, at: id)
                if let specialist = appointment.specialist, !specialists.contains(specialist),
                    try journal.practiceStates.specialist(specialist)?.state.posts[id] == nil
                {
                    throw ModelError.noSpecialist
                }
                try self.keep(
                    appointment.source,
                    writtenAs: writer.members(of: folding.appointment(appointment)),
                    about: appointment.id,
                    subject: appointment.patient,
                    &change
                )
                // An appointment that still takes time must fit; a past one is a fact.
                if appointment.isAhead(at: journal.now) {
                    ahead.append(appointment)
                    if !appointment.remarks.isEmpty {
                        report.unrepresented.append("\(appointment.path).appointmentNotes")
                    }
                    if appointment.assessment != nil {
                        report.unrepresented.append("\(appointment.path).triageAssessmentID")
                    }
                    if appointment.status == .inProgress { report.unrepresented.append("\(appointment.path).status") }
                } else {
                    try add(appointment, at: id, in: zone, clock, &change)
                    report.added.appointments += 1
                }
            }
        }
        for assessment in document.assessments {
            let isNew = try isUnknown(assessment.id, of: assessment.patient, in: id, at: assessment.path, &report) {
                try journal.triage.triageUnlessErased(assessment.id, asOf: .max)?.practice == id
            }
            guard isNew else { continue }
            try located(assessment.path) {
                try require(assessment.patient, in: new, at: id)
                try add(assessment, at: id, isOfNewPatient: new.contains(assessment.patient), &change, caller)
                if let rendered = writer.members(of: folding.assessment(assessment)) {
                    try self.keep(
                        assessment.source,
                        writtenAs: rendered,
                        about: assessment.id,
                        subject: assessment.patient,
                        &change
                    )
                }
            }
            report.added.assessments += 1
        }
        return (report, ahead)
    }

    /// Whether a part of a document is not in the journal yet; counts it as known otherwise.
    ///
    /// An erased part counts as known and is not added again; neither are the appointments and assessments of an erased
    /// patient. Throws if the id belongs to anything other than such a part of this practice.
    private func isUnknown(
        _ id: UUID,
        of patient: UUID? = nil,
        in practice: UUID? = nil,
        at path: String,
        _ report: inout VetNetReport,
        _ belongs: () throws -> Bool
    ) throws -> Bool {
        var isErased = try journal.log.isErased(patient ?? id)
        if let patient, let practice {
            // The import must not reveal that a record was erased to a practice that never had it as a patient.
            isErased =
                try isErased
                && journal.log.version(of: journal.practiceStates.registrationStream(of: patient, at: practice)) > 0
        }
        if !isErased {
            if try journal.log.version(of: id) == 0 { return true }
            guard try belongs() else {
                throw JournalError(.conflict, field: path, "has an id that is in use for something else")
            }
        }
        report.known += 1
        return false
    }

    /// Adds the path of a part of the document to an error of its contents.
    private func located(_ path: String, _ body: () throws -> Void) throws {
        let field = { (field: String?) in field.map { "\(path).\($0)" } ?? path }
        do {
            try body()
        } catch let error as ModelError {
            throw ModelError(error.code, field: field(error.field), error.text)
        } catch let error as JournalError {
            throw JournalError(error.code, field: field(error.field), error.text)
        }
    }

    /// Throws unless an animal is or was a patient of a practice; `new` are those whose records the import creates.
    private func require(_ patient: UUID, in new: Set<UUID>, at practice: UUID) throws {
        guard try new.contains(patient) || isOrWasPatient(patient, of: practice) else {
            throw ModelError(.notFound, field: "patientId", "the practice has no such patient")
        }
    }

    /// Whether an animal is or was a patient of a practice; a request of the practice does not make it one.
    private func isOrWasPatient(_ record: UUID, of practice: UUID) throws -> Bool {
        try journal.practiceStates.registration(of: record, at: practice).state?.accepted != nil
    }

    private func create(_ document: VetNetPractice, _ change: inout Change, _ caller: Caller) throws {
        let id = document.id
        try change.add(decide(.create(document.profile), nil, now: journal.now), in: .own(id), expecting: .empty)
        for dated in document.timetables {
            let event = TimetableSet(from: dated.from, timetable: dated.timetable)
            try change.add(JournalEvent(event), in: .own(id))
        }
        try change.add(
            decide(.grant(account: caller.account, Membership(roles: [.manager])), MembersState()),
            in: .stream(journal.practiceStates.memberStream(of: id), of: id),
            expecting: .empty
        )
    }

    private func add(
        _ specialist: VetNetSpecialist,
        to practice: UUID,
        on today: Day,
        _ change: inout Change
    ) throws {
        let id = specialist.id
        _ = try decide(.add(specialist.profile, practice: practice), nil, now: journal.now)
        try change.add(
            specialist.events(at: practice, on: today),
            in: EventStream(id: id, subject: id, entry: practice),
            expecting: .empty
        )
        try located(specialist.path) {
            try self.claimLicense(of: specialist.profile, instead: nil, for: id, in: practice, &change)
        }
    }

    private func register(_ patient: VetNetPatient, at practice: UUID, _ change: inout Change) throws {
        let record = patient.record.id
        let stream = try journal.practiceStates.registrationStream(of: record, at: practice)
        guard try journal.log.version(of: stream) == 0 else { return }
        var events = [JournalEvent(RegistrationMade(practice: practice, number: ""))]
        if let client = patient.client, try !journal.log.isErased(client) {
            var profile = RegistrationProfile(values: FieldValues())
            profile.values[RegistrationProfile.clients] = [client].fieldValue
            events.append(JournalEvent(RegistrationChanged(profile: profile)))
        }
        if !patient.isActive { events.append(JournalEvent(RegistrationEnded(practice: practice))) }
        try change.add(events, in: .stream(stream, of: record), expecting: .empty)
    }

    /// Adds an appointment that is over: a fact, which is not refused, and takes up no time any more.
    private func add(
        _ appointment: VetNetAppointment,
        at practice: UUID,
        in zone: String,
        _ clock: PersonClock,
        _ change: inout Change
    ) throws {
        try appointment.details(at: practice, in: zone, clock).validate()
        try change.add(
            appointment.events(at: practice, in: zone, clock),
            in: .entry(appointment.id, of: appointment.patient),
            expecting: .empty
        )
    }

    /// Adds an assessment that is over: it is on no board.
    ///
    /// Measurements that the practice may not add to a record that was there before stay in the assessment alone.
    private func add(
        _ assessment: VetNetAssessment,
        at practice: UUID,
        isOfNewPatient isNew: Bool,
        _ change: inout Change,
        _ caller: Caller
    ) throws {
        let events = assessment.events(at: practice)
        for entry in assessment.entries where try journal.log.version(of: entry.id) == 0 {
            var isClosed = false
            if !isNew {
                let action = Action.contribute(entry.content.kind, .adding)
                let member = try journal.access.practiceAdmission(of: caller, in: practice, isClient: false)
                guard
                    let access = try journal.access.admission(
                        of: caller,
                        to: action,
                        on: assessment.patient,
                        in: member
                    )?
                    .access
                else { continue }
                isClosed = access.header.isClosed
                change.expect(assessment.patient, .exact(access.version))
            }
            try change.add(
                decide(.add(entry.content), nil, isClosed: isClosed, now: journal.now),
                in: .entry(entry.id, of: assessment.patient),
                expecting: .empty
            )
        }
        try change.add(events, in: .entry(assessment.id, of: assessment.patient), expecting: .empty)
    }
}
