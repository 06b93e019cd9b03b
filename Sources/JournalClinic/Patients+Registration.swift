internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import MedicalRecords
internal import PracticeDirectory

/// The patients of practices, and when they are to come again.
extension Journal.Patients {
    /// Makes an animal a patient of a practice, or replaces what the practice keeps about it.
    ///
    /// If the staff of another practice than the record's custodian asks, this is a request: an owner of the record accepts
    /// it (`acceptRegistration`), and the practice sees nothing until then.
    package func registerPatient(
        _ record: UUID,
        at practice: UUID,
        keeping asked: RegistrationProfile = RegistrationProfile(values: FieldValues()),
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .register, in: practice, on: record)
            if admission.practice.closed != nil { throw JournalError(.conflict, "the practice is closed") }
            let header = try journal.access.header(admitted: record)
            guard header.profile.subject == .animal else {
                throw JournalError(.conflict, field: "record", "only an animal can be a patient of this practice")
            }
            try asked.validate(now: journal.now)
            let registration = try journal.practiceStates.registration(of: record, at: practice)
            let isPatient = registration.state?.status == .accepted
            // Whether a record is closed is told only to those who may know.
            if header.isClosed, admission.isClient || isPatient { throw JournalError(ModelError.recordIsClosed) }
            var profile = asked
            if admission.roles.isEmpty {
                guard asked.clients.isEmpty, asked.alerts.isEmpty else {
                    let why: Message = "only the staff of the practice notes clients and alerts"
                    throw try await journal.access.refusal(of: caller, .appointments, on: record, reason: why)
                }
                // What the staff noted stays, whoever registers the animal again.
                profile = registration.state?.profile ?? asked
                if !asked.number.isEmpty { profile.values[RegistrationProfile.number] = .text(asked.number) }
            }
            if !admission.roles.isEmpty, !isPatient, let known = registration.state?.profile {
                // Who asks again does not see what the staff noted, and loses none of it.
                for field in [RegistrationProfile.clients, RegistrationProfile.alerts]
                where profile.values[field] == nil {
                    profile.values[field] = known.values[field]
                }
            }
            // Those who were noted before may have been erased since.
            let noted = Set(registration.state?.profile.clients ?? [])
            for client in profile.clients where !noted.contains(client) {
                _ = try journal.clients.client(client, in: practice)
            }
            let accepts = admission.isClient || isPatient
            if let known = registration.state, known.status == (accepts ? .accepted : .requested),
                known.profile == profile
            {
                return .existing(at: known.made.position, record: record, id: practice)
            }
            if accepts {
                try register(record, at: practice, keeping: profile, instead: registration, &change)
            } else {
                try request(record, at: practice, keeping: profile, instead: registration, &change)
            }
            change.expect(record, .exact(try journal.log.version(of: record)))
            return .created(record: record, id: practice)
        }
    }

    /// Accepts the request of a practice to register an animal.
    package func acceptRegistration(
        of record: UUID,
        at practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .register, in: practice, on: record)
            guard admission.isClient else {
                let why: Message = "only an owner of the record may accept that"
                throw try await journal.access.refusal(of: caller, .appointments, on: record, reason: why)
            }
            if admission.practice.closed != nil { throw JournalError(.conflict, "the practice is closed") }
            let registration = try journal.practiceStates.registration(of: record, at: practice)
            if let known = registration.state, let accepted = known.accepted, known.status == .accepted {
                return .existing(at: accepted.position, record: record, id: practice)
            }
            guard let known = registration.state, known.status == .requested else {
                throw JournalError(.notFound, "the practice does not ask to register the animal")
            }
            let version = try journal.log.version(of: record)
            if try journal.access.header(admitted: record).isClosed { throw JournalError(ModelError.recordIsClosed) }
            try register(record, at: practice, keeping: known.profile, instead: registration, &change)
            change.expect(record, .exact(version))
            return .created(record: record, id: practice)
        }
    }

    /// Returns the practices at which an animal is or was registered or that ask for it, the latest one first: for an owner
    /// of its record all of them, for staff those where they are members.
    package func registrations(
        of record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [RegistrationAnswer] {
        try await journal.retrying {
            let isOwner =
                switch try journal.access.recordAccess(of: caller.account, to: record) {
                case .found(let access): try journal.access.decidesForOwner(caller, access)
                case .erased, .missing: throw JournalError.noRecord
                }
            let position = try journal.log.head()
            var answers: [RegistrationAnswer] = []
            var roles: Set<ClinicRole> = []
            var right: AccessRight = .owner
            for practice in try journal.practiceDirectory.practices(asOf: position) {
                let admission = try journal.access.practiceAdmission(of: caller, in: practice, isClient: isOwner)
                guard isOwner || !admission.roles.isEmpty else { continue }
                roles.formUnion(admission.roles)
                guard
                    let state = try journal.practiceStates.registration(of: record, at: practice, asOf: position).state
                else { continue }
                if !isOwner { right = .practice(practice) }
                answers.append(
                    RegistrationAnswer(practice: practice, name: admission.practice.profile.name, state: state)
                )
            }
            if let why = Gate.refusal(of: .seePatient, by: caller, roles: roles, isClient: isOwner) {
                throw try await journal.access.refusal(of: caller, .appointments, on: record, reason: why)
            }
            try await journal.appointments.trace(caller, answers.isEmpty ? [] : [record], as: right, position)
            return answers.sorted { $0.state.made.position > $1.state.made.position }
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
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .createPatient, in: practice)
            if admission.practice.closed != nil { throw JournalError(.conflict, "the practice is closed") }
            guard patient.profile.subject == .animal else {
                throw JournalError(.invalid, field: "subject", "only an animal can be a patient of this practice")
            }
            let id = patient.id ?? UUID.timeOrdered(at: journal.log.now())
            try journal.records.create(patient.profile, id: id, owner: practice, &change)
            var registration = patient.registration
            // Who brings the animal is for those who keep the list of clients.
            if patient.client != nil || !registration.clients.isEmpty {
                _ = try await journal.access.admit(caller, to: .register, in: practice)
            }
            for client in registration.clients { _ = try journal.clients.client(client, in: practice) }
            if let client = patient.client {
                let added = try journal.clients.add(client, to: practice, &change)
                registration.values[RegistrationProfile.clients] = ([added] + registration.clients).fieldValue
            }
            try registration.validate(now: journal.now)
            try register(id, at: practice, keeping: registration, instead: Versioned(state: nil, version: 0), &change)
            change.expect(practice, .exact(admission.version))
            return .created(record: id)
        }
    }

    /// Adds the events that register an animal, or replace the profile that is kept of it.
    private func register(
        _ record: UUID,
        at practice: UUID,
        keeping profile: RegistrationProfile,
        instead before: Versioned<RegistrationState?>,
        _ change: inout Change
    ) throws {
        let keepsMore = !profile.clients.isEmpty || !profile.alerts.isEmpty
        let isPatient = before.state?.status == .accepted
        var events: [JournalEvent] = []
        if !isPatient { events.append(JournalEvent(RegistrationMade(practice: practice, number: profile.number))) }
        if isPatient || keepsMore || before.state?.profile.clients.isEmpty == false {
            events.append(JournalEvent(RegistrationChanged(profile: profile)))
        }
        let stream = try journal.practiceStates.registrationStream(of: record, at: practice)
        try change.add(events, in: .stream(stream, of: record), expecting: .exact(before.version))
        try claim(profile.number, of: record, at: practice, instead: before.state?.number ?? "", &change)
    }

    /// Adds the event that asks the owners of a record to let the animal become a patient of a practice.
    private func request(
        _ record: UUID,
        at practice: UUID,
        keeping profile: RegistrationProfile,
        instead before: Versioned<RegistrationState?>,
        _ change: inout Change
    ) throws {
        try change.add(
            JournalEvent(RegistrationRequested(practice: practice, profile: profile)),
            in: .stream(journal.practiceStates.registrationStream(of: record, at: practice), of: record),
            expecting: .exact(before.version)
        )
        try claim(profile.number, of: record, at: practice, instead: before.state?.number ?? "", &change)
    }

    /// Claims the number of a patient, and releases the one that it replaces.
    private func claim(
        _ number: String,
        of record: UUID,
        at practice: UUID,
        instead before: String,
        _ change: inout Change
    ) throws {
        let numbers = [
            (before, ClaimCommand.release(holder: record)),
            (number, .claim(holder: record)),
        ]
        guard numbers[0].0 != numbers[1].0 else { return }
        for (number, command) in numbers where !number.isEmpty {
            try journal.claimOnce(command, on: .recordNumber, "\(practice.text)\n\(number)", field: "number", &change)
        }
    }

    /// Notes that an animal is no patient of a practice any more, or refuses or withdraws a request; appointments that are
    /// booked stay in the practice's calendar, and do not take the animal's time at other practices any more.
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
            try journal.access.requirePatient(record, of: practice)
            guard try journal.practiceStates.practice(practice).state.services[recall.service] != nil else {
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
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
            let position = try journal.log.head()
            var answers: [RecallAnswer] = []
            for record in try journal.practiceDirectory.patients(of: practice, asOf: position) {
                guard let registration = try journal.practiceStates.registration(of: record, at: practice).state,
                    registration.status == .accepted,
                    let patient = try journal.appointments.patient(record, for: admission, asOf: position)
                else { continue }
                for (id, recall) in registration.recalls where recall.due <= day {
                    answers.append(RecallAnswer(id: id, recall: recall, patient: patient))
                }
            }
            try await journal.appointments.trace(
                caller,
                answers.map(\.patient.record),
                as: .practice(practice),
                position
            )
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
        try await journal.changing(caller) { change in
            _ = try await journal.access.admit(caller, to: action, in: practice, on: record)
            let registration = try journal.practiceStates.registration(of: record, at: practice)
            guard let state = registration.state, state.ended == nil else { throw JournalError.noPatient }
            try change.add(
                decide(state),
                in: .stream(journal.practiceStates.registrationStream(of: record, at: practice), of: record),
                expecting: .exact(registration.version)
            )
            return .existing(at: try journal.log.head(), record: record, id: practice)
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

/// The registration of an animal at a practice, as an owner of its record sees it.
package struct RegistrationAnswer: Hashable, Sendable {
    package var practice: UUID
    /// The name of the practice.
    package var name: String
    package var state: RegistrationState
}

/// A recall of a patient.
package struct RecallAnswer: Hashable, Sendable {
    package var id: UUID
    package var recall: RegistrationState.Recall
    package var patient: PatientName
}
