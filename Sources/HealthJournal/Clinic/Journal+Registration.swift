internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords
internal import PracticeDirectory

/// The patients of practices, and when they are to come again.
extension Journal {
    /// Makes an animal a patient of a practice, or replaces what the practice keeps about it.
    package func registerPatient(
        _ record: UUID,
        at practice: UUID,
        keeping asked: RegistrationProfile = RegistrationProfile(values: FieldValues()),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let admission = try await admit(caller, to: .register, in: practice, on: record)
            let header = try header(admitted: record).profile
            guard header.subject == .animal else {
                throw JournalError(.conflict, field: "record", "only an animal can be a patient of this practice")
            }
            try asked.validate(now: now)
            var profile = asked
            if admission.roles.isEmpty {
                guard asked.clients.isEmpty, asked.alerts.isEmpty else {
                    let why = "only the staff of the practice notes clients and alerts"
                    throw try await refusal(of: caller, .appointments, on: record, reason: why)
                }
                // What the staff noted stays, whoever registers the animal again.
                profile = try registration(of: record, at: practice).state?.profile ?? asked
                if !asked.number.isEmpty { profile.values[RegistrationProfile.number] = .text(asked.number) }
            }
            let registration = try registration(of: record, at: practice)
            // Those who were noted before may have been erased since.
            let noted = Set(registration.state?.profile.clients ?? [])
            for client in profile.clients where !noted.contains(client) { _ = try self.client(client, in: practice) }
            if let known = registration.state, known.ended == nil, known.profile == profile {
                return WriteResult(position: known.made.position, record: record, id: practice, isChanged: false)
            }
            var change = try Change(self, caller)
            try register(record, at: practice, keeping: profile, instead: registration, &change)
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, version: result?.first, record: record, id: practice)
        }
    }

    /// Creates the record of an animal that is no patient in the journal yet, and makes it a patient of a practice.
    ///
    /// The practice is the custodian of the record until the staff transfers it to the account of the owner.
    package func createPatient(
        _ patient: NewPatient,
        at practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let admission = try await admit(caller, to: .createPatient, in: practice)
            if admission.practice.closed != nil { throw JournalError(.conflict, "the practice is closed") }
            guard patient.profile.subject == .animal else {
                throw JournalError(.invalid, field: "subject", "only an animal can be a patient of this practice")
            }
            let id = patient.id ?? UUID.timeOrdered(at: log.now())
            var change = try Change(self, caller)
            try create(patient.profile, id: id, owner: practice, &change)
            var registration = patient.registration
            // Who brings the animal is for those who keep the list of clients.
            if patient.client != nil || !registration.clients.isEmpty {
                _ = try await admit(caller, to: .register, in: practice)
            }
            for client in registration.clients { _ = try self.client(client, in: practice) }
            if let client = patient.client {
                let added = try add(client, to: practice, &change)
                registration.values[RegistrationProfile.clients] = ([added] + registration.clients).fieldValue
            }
            try registration.validate(now: now)
            try register(id, at: practice, keeping: registration, instead: Versioned(state: nil, version: 0), &change)
            change.expect(practice, .exact(admission.version))
            let result = try await change.commit()
            return WriteResult(position: result?.last ?? 0, version: result?.first, record: id)
        }
    }

    /// Adds the events that register an animal, or replace what is kept about it.
    private func register(
        _ record: UUID,
        at practice: UUID,
        keeping profile: RegistrationProfile,
        instead before: Versioned<RegistrationState?>,
        _ change: inout Change
    ) throws {
        let keepsMore = !profile.clients.isEmpty || !profile.alerts.isEmpty
        let isPatient = before.state.map { $0.ended == nil } ?? false
        var events: [JournalEvent] = []
        if !isPatient { events.append(JournalEvent(RegistrationMade(practice: practice, number: profile.number))) }
        if isPatient || keepsMore || before.state?.profile.clients.isEmpty == false {
            events.append(JournalEvent(RegistrationChanged(profile: profile)))
        }
        let stream = try registrationStream(of: record, at: practice)
        for event in events {
            try change.add(event, stream: stream, subject: record, expecting: .exact(before.version))
        }
        let numbers = [
            (before.state?.number ?? "", ClaimCommand.release(holder: record)),
            (profile.number, .claim(holder: record)),
        ]
        guard numbers[0].0 != numbers[1].0 else { return }
        for (number, command) in numbers where !number.isEmpty {
            try claimOnce(command, on: .recordNumber, "\(practice.text)\n\(number)", field: "number", &change)
        }
    }

    /// Notes that an animal is no patient of a practice any more; appointments that are booked stay.
    package func endRegistration(
        of record: UUID,
        at practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeRegistration(of: record, at: practice, .register, caller) { _ in
            [JournalEvent(RegistrationEnded(practice: practice))]
        }
    }

    /// Notes when a patient is to come again; an open recall of the same group is replaced.
    package func setRecall(
        _ id: UUID,
        _ recall: RegistrationState.Recall,
        of record: UUID,
        at practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeRegistration(of: record, at: practice, .schedule(.administrate), caller) { state in
            guard try self.practice(practice).state.services[recall.service] != nil else {
                throw JournalError(ModelError.noService)
            }
            try TextCheck.check(recall.group, field: "group", maximum: Limits.line)
            if recall.group.isEmpty { throw JournalError(.invalid, field: "group", "is required") }
            return state.recalls[id] == recall ? [] : state.setting(recall, id: id)
        }
    }

    /// Notes that a patient need not come again.
    package func dropRecall(
        _ id: UUID,
        of record: UUID,
        at practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await changeRegistration(of: record, at: practice, .schedule(.administrate), caller) { state in
            guard state.recalls[id] != nil else { throw JournalError(.notFound, "there is no such open recall") }
            return [JournalEvent(RecallDropped(recall: id))]
        }
    }

    /// Returns the recalls of a practice that are due up to a day, the earliest one first; each is a read of its record.
    package func recalls(
        of practice: UUID,
        dueBy day: Day,
        _ caller: Caller
    ) async throws(JournalError) -> [RecallAnswer] {
        try await retrying {
            _ = try await admit(caller, to: .seeCalendar, in: practice)
            let position = try log.head()
            var answers: [RecallAnswer] = []
            for record in try practiceDirectory.patients(of: practice, asOf: position) {
                guard let patient = try patientName(record, asOf: position),
                    let registration = try registration(of: record, at: practice).state, registration.ended == nil
                else { continue }
                for (id, recall) in registration.recalls where recall.due <= day {
                    answers.append(RecallAnswer(id: id, recall: recall, patient: patient))
                }
            }
            try await trace(caller, answers.map(\.patient.record), as: .practice(practice), position)
            return answers.sorted { ($0.recall.due, $0.id.text) < ($1.recall.due, $1.id.text) }
        }
    }

    private func changeRegistration(
        of record: UUID,
        at practice: UUID,
        _ action: PracticeAction,
        _ caller: Caller,
        _ decide: (RegistrationState) throws -> [JournalEvent]
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await admit(caller, to: action, in: practice, on: record)
            let registration = try registration(of: record, at: practice)
            guard let state = registration.state, state.ended == nil else { throw JournalError.noPatient }
            var change = try Change(self, caller)
            for event in try decide(state) {
                try change.add(
                    event,
                    stream: registrationStream(of: record, at: practice),
                    subject: record,
                    expecting: .exact(registration.version)
                )
            }
            let result = try await change.commit()
            return WriteResult(
                position: try result?.last ?? log.head(),
                version: result?.first,
                record: record,
                id: practice,
                isChanged: result != nil
            )
        }
    }
}

/// An animal whose record a practice creates, because its owner has none in the journal.
package struct NewPatient: Hashable, Sendable {
    package var profile: RecordProfile
    /// The id for the record; a new one if it is nil.
    package var id: UUID?
    package var registration: RegistrationProfile
    /// A client who is added in the same append, and is the first of the patient's clients.
    package var client: ClientProfile?

    package init(
        _ profile: RecordProfile,
        id: UUID? = nil,
        registration: RegistrationProfile = RegistrationProfile(values: FieldValues()),
        client: ClientProfile? = nil
    ) {
        (self.profile, self.id, self.registration, self.client) = (profile, id, registration, client)
    }
}

/// A recall of a patient.
package struct RecallAnswer: Hashable, Sendable {
    package var id: UUID
    package var recall: RegistrationState.Recall
    package var patient: PatientName
}

extension JournalError {
    static let noPatient = JournalError(
        .conflict,
        field: "record",
        "the animal is no patient of this practice: register it first"
    )
}
