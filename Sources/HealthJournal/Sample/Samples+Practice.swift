internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCare
internal import JournalClinic
package import JournalCore
internal import JournalExchange

extension Journal.Samples {
    /// Adds a sample practice in addition to the household: an animal hospital with two specialists and two rooms, whose
    /// patients are the dog of the household and others, with appointments around the present time and a triage board.
    ///
    /// The hospital is open day and night, so that there are appointments whenever it is added. Its other patients belong
    /// to it, and are in no list of the caller's own records.
    package func addPractice(_ caller: Caller) async throws(JournalError) -> SampleResult {
        var result = try await addHousehold(caller)
        let id = journal.log.description.id
        result = try await journal.retrying {
            // Which patients exist shows whether it was added.
            guard try journal.log.version(of: SampleHousehold.record("luna", of: id)) == 0 else { return result }
            let clock = try SampleClock(journal.now, zone: journal.zone.identifier)
            let practice = try await SamplePractice(journal, id, clock, caller)
            try await practice.fill()
            var added = result
            (added.practice, added.isChanged) = (practice.id, true)
            return added
        }
        return result
    }
}

/// The sample practice while it is set up.
private struct SamplePractice {
    let journal: Journal
    let id: UUID
    private let namespace: UUID
    private let clock: SampleClock
    private let owner: Caller
    private let vet: Caller
    private let reception: Caller
    private let haddad: UUID
    private let roth: UUID
    private let consulting: UUID
    private let surgery: UUID
    private let checkUp: UUID
    private let vaccination: UUID
    private let teeth: UUID

    /// Creates the practice, with its hours, rooms, services, specialists and members.
    init(_ journal: Journal, _ namespace: UUID, _ clock: SampleClock, _ owner: Caller) async throws {
        func part(_ name: String) -> UUID { UUID(nameBased: namespace, "sample/practice/\(name)") }
        (self.journal, self.namespace, self.clock, self.owner) = (journal, namespace, clock, owner)
        (consulting, surgery) = (part("consulting"), part("surgery"))
        (checkUp, vaccination, teeth) = (part("check-up"), part("vaccination"), part("teeth"))
        let zone = journal.zone.identifier
        let profile: PracticeProfile = try .sample([
            "name": "Tierklinik Aare", "zone": zone, "phone": "+41 31 555 04 40", "bookFrom": "0", "notice": "2",
            "specialties.0.name": "Surgery",
        ])
        guard let practice = try await journal.practices.createPractice(profile, owner).id else {
            throw JournalError(ModelError.noPractice)
        }
        id = practice
        let always = Timetable(usual: try WeeklyHours(parsing: ["mon-sun 00:00-24:00"]))
        for command: PracticeCommand in [
            .setTimetable(always, from: clock.day(400)),
            .setPlace(consulting, try .sample(["name": "Consulting room"])),
            .setPlace(surgery, try .sample(["name": "Surgery"])),
            .setService(
                checkUp,
                try .sample([
                    "name": "Check-up", "type": "routine", "minutes": "20", "online": "true",
                    "places.0": consulting.text,
                ])
            ),
            .setService(
                vaccination,
                try .sample([
                    "name": "Vaccination", "type": "vaccination", "minutes": "20", "online": "true",
                    "places.0": consulting.text, "recall.months": "12",
                ])
            ),
            .setService(
                teeth,
                try .sample([
                    "name": "Dental surgery", "type": "surgery", "minutes": "60", "bufferAfter": "15",
                    "places.0": surgery.text, "specialty": "Surgery",
                ])
            ),
        ] {
            _ = try await journal.practices.changePractice(practice, owner) { _ in command }
        }
        func specialist(_ values: KeyValuePairs<String, String>) async throws -> UUID {
            let added = try await journal.practices.addSpecialist(.sample(values), to: practice, owner)
            guard let id = added.id else { throw JournalError(ModelError.noSpecialist) }
            return id
        }
        haddad = try await specialist(["name": "Noor Haddad", "credentials": "Dr. med. vet."])
        roth = try await specialist([
            "name": "Vera Roth", "credentials": "Dr. med. vet.", "expertise.0.specialty": "Surgery",
            "expertise.0.level": "expert",
        ])
        let samples = journal.samples
        vet = try await samples.account("noor", owner)
        reception = try await samples.account("rita", owner)
        for (account, roles, specialist) in [
            (vet.account, [ClinicRole.veterinarian], haddad as UUID?), (reception.account, [.receptionist], nil),
            // Whoever tries the journal can do everything.
            (owner.account, [.manager, .veterinarian], nil),
        ] {
            let membership = Membership(roles: Set(roles), specialist: specialist)
            let command = MemberCommand.grant(account: account, membership)
            _ = try await journal.practices.changeMembers(of: practice, command, owner)
        }
    }

    /// Adds the patients, their appointments, who waits for one, and the triage board.
    func fill() async throws {
        let luna = try await patient(
            "luna",
            ["name": "Luna", "species": "cat"],
            ["firstName": "Lea", "lastName": "Moser"]
        )
        let nero = try await patient(
            "nero",
            ["name": "Nero", "species": "dog", "breed": "Labrador"],
            ["firstName": "Jonas", "lastName": "Huber"]
        )
        let momo = try await patient("momo", ["name": "Momo", "species": "rabbit"], ["lastName": "Keller"])
        let felix = try await patient("felix", ["name": "Felix", "species": "cat"], ["lastName": "Baumann"])
        let kira = try await patient(
            "kira",
            ["name": "Kira", "species": "dog", "birthdate": clock.day(60).adding(years: -9).description],
            ["firstName": "Sofia", "lastName": "Rossi"]
        )
        let balu = try await patient("balu", ["name": "Balu", "species": "dog"], ["lastName": "Graf"])
        try await emergencies(luna, nero)
        let next = try await appointments(momo, felix)
        if let dog = try await householdDog() {
            let booked = try await book("biscuit", dog, checkUp, at: next, haddad, reason: "scratches his ears")
            // Biscuit came a few minutes early; near midnight, his appointment is on the next day.
            try await change(booked, .ahead(.arrive), reception)
        }
        let wish: WaitProfile = try .sample([
            "service": teeth.text, "urgency": "soon", "hours.0": "mon-fri 08:00-12:00", "note": "tartar",
        ])
        _ = try await journal.clients.addWait(wish, of: luna, at: id, reception)
        try await board(kira, balu)
    }

    /// Registers the dog of the household, and gives the practice access to his record; nil if the record was erased.
    private func householdDog() async throws -> UUID? {
        let dog = SampleHousehold.record("biscuit", of: namespace)
        if try journal.erasure.tombstone(of: dog) != nil { return nil }
        let client: ClientProfile = try .sample([
            "firstName": "Theo", "lastName": "Winter", "phone": "+41 79 555 02 20",
        ])
        let added = try await journal.clients.addClient(client, to: id, owner).id
        var registration = RegistrationProfile(values: FieldValues())
        try registration.set("number", text: "P-1")
        if let added { try registration.set("clients.0", text: added.text) }
        _ = try await journal.patients.registerPatient(dog, at: id, keeping: registration, owner)
        _ = try await journal.sharing.grant(.ofPractice, to: id, on: dog, owner.saying("treats Biscuit"))
        return dog
    }

    private func patient(
        _ name: String,
        _ values: KeyValuePairs<String, String>,
        _ client: KeyValuePairs<String, String>
    ) async throws -> UUID {
        var profile = RecordProfile(subject: .animal)
        for (name, value) in values { try profile.set(name, text: value) }
        let record = SampleHousehold.record(name, of: namespace)
        let patient = NewPatient(profile, id: record, client: try .sample(client))
        _ = try await journal.patients.createPatient(patient, at: id, reception)
        return record
    }

    /// Adds two emergencies that have begun: one is over, one is treated.
    private func emergencies(_ luna: UUID, _ nero: UUID) async throws {
        let over = try await book("luna", luna, nil, at: start(-85), haddad, consulting, reason: "fell off the balcony")
        let treated = try await book("nero", nero, nil, at: start(-20), roth, surgery, reason: "bitten by another dog")
        for appointment in [over, treated] {
            try await change(appointment, .arrive, reception)
            try await change(appointment, .begin, vet)
        }
        try await change(over, .complete, vet)
    }

    /// Adds two appointments that lie ahead, one of which is confirmed; returns a time before them that is free.
    private func appointments(_ momo: UUID, _ felix: UUID) async throws -> Instant {
        let confirmed = try await book("momo", momo, teeth, at: start(40), roth, reason: "overlong teeth")
        try await change(confirmed, .confirm(.phone), reception)
        _ = try await book("felix", felix, vaccination, at: start(60), haddad, reason: "yearly vaccination")
        return start(10)
    }

    /// Returns the full five minutes that are so many minutes after the last ones.
    private func start(_ minutes: Int) -> Instant {
        let step = 5 * 60 * Instant.microsecondsPerSecond
        return Instant(microseconds: clock.now.microseconds / step * step).adding(minutes: minutes)
    }

    /// Books an appointment, an emergency if it has no service.
    private func book(
        _ name: String,
        _ record: UUID,
        _ service: UUID?,
        at start: Instant,
        _ specialist: UUID,
        _ room: UUID? = nil,
        reason: String
    ) async throws -> UUID {
        var request = AppointmentRequest(practice: id, record: record, start: .instant(start))
        request.id = UUID(nameBased: record, "sample/appointment")
        request.service = service
        request.specialist = specialist
        request.reason = reason
        if service == nil { (request.type, request.minutes, request.places) = (.emergency, 30, room.map { [$0] }) }
        guard let booked = try await journal.appointments.book(request, reception).entry else {
            throw JournalError(ModelError.noAppointment)
        }
        return booked
    }

    private func change(_ appointment: UUID, _ change: AppointmentChange, _ caller: Caller) async throws {
        _ = try await journal.appointments.changeAppointment(appointment, caller) { _ in change }
    }

    /// Adopts the rules of triage, and puts two patients on the board, one of whom is assessed.
    private func board(_ kira: UUID, _ balu: UUID) async throws {
        _ = try await journal.triage.adoptTriageRules(.version1, by: "Dr. Noor Haddad", in: id, vet)
        var request = TriageRequest(practice: id, record: kira)
        (request.arrivedAt, request.complaint) = (clock.now.adding(minutes: -14), "vomits since the morning")
        guard let begun = try await journal.triage.beginTriage(request, reception).entry else {
            throw JournalError(ModelError.noTriage)
        }
        let findings: TriageFindings = try .sample([
            "airway": "normal", "breathing": "normal", "circulation": "normal", "disability": "normal",
            "heartRate": "110", "weight": "27.9", "signs.0": TriageSign.vomitingRepeated.code,
        ])
        _ = try await journal.triage.changeTriage(begun, .assess(findings), vet)
        request = TriageRequest(practice: id, record: balu)
        (request.arrivedAt, request.complaint) = (clock.now.adding(minutes: -4), "limps on the left")
        _ = try await journal.triage.beginTriage(request, reception)
    }
}

extension ClinicProfile {
    /// Creates a profile from texts, as forms and commands do.
    fileprivate static func sample(_ values: KeyValuePairs<String, String>) throws(ModelError) -> Self {
        var profile = Self(values: FieldValues())
        for (name, value) in values { try profile.set(name, text: value) }
        return profile
    }
}
