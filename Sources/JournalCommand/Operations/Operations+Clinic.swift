import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

// MARK: Practices

extension JournalOperation where Result == [PracticeDocument] {
    static func practices(asOf: AsOf? = nil) -> Self {
        Self {
            try await $0.journal.practices(asOf: asOf, $0.caller).map(\.document)
        } remote: {
            try await $0.list("practices", .get("practices", query: [("asOf", asOf?.parameterText)]))
        }
    }
}

extension JournalOperation where Result == [SpecialistDocument] {
    static func specialists(of practice: UUID, asOf: AsOf? = nil) -> Self {
        Self {
            try await $0.journal.specialists(of: practice, asOf: asOf, $0.caller).map { SpecialistDocument($0) }
        } remote: {
            let query = [("asOf", asOf?.parameterText)]
            return try await $0.list("specialists", .get("practices", practice.text, "specialists", query: query))
        }
    }
}

extension JournalOperation where Result == [PatientDocument] {
    static func patients(of practice: UUID, includesFormer: Bool = false, asOf: AsOf? = nil) -> Self {
        Self {
            try await $0.journal.patients(of: practice, includesFormer: includesFormer, asOf: asOf, $0.caller)
                .map(\.document)
        } remote: {
            let query = [("former", includesFormer ? "true" : nil), ("asOf", asOf?.parameterText)]
            return try await $0.list("patients", .get("practices", practice.text, "patients", query: query))
        }
    }
}

extension JournalOperation where Result == [PartSource] {
    /// Returns what imported documents say of parts of a practice; there are few enough for one request.
    static func sources(of ids: [UUID], in practice: UUID) -> Self {
        Self {
            try await $0.journal.sources(of: ids, in: practice, $0.caller)
        } remote: {
            let body: JSONValue = ["ids": .array(ids.map { .string($0.text) })]
            return try await $0.list(
                "sources",
                .write(.post, at: ["practices", practice.text, "sources"], query: [], body: body)
            )
        }
    }
}

extension JournalOperation where Result == WriteResult {
    static func createPractice(_ profile: PracticeProfile) -> Self {
        Self {
            try await $0.journal.createPractice(profile, $0.caller)
        } remote: {
            try await $0.write(.write(.post, "practices", query: $0.reasonQuery, body: SettingsDocument(profile).json))
        }
    }

    static func change(_ practice: UUID, _ command: PracticeCommand, dryRun: Bool = false) -> Self {
        Self {
            try await $0.journal.changePractice(practice, dryRun: dryRun, $0.caller) { _ in command }
        } remote: {
            let (method, path, body) = command.request
            let whole = ["practices", practice.text] + path
            let query = $0.reasonQuery + (dryRun ? [("dryRun", "true")] : [])
            return try await $0.write(.write(method, at: whole, query: query, body: body))
        }
    }

    static func setMember(_ account: UUID, _ membership: Membership, of practice: UUID) -> Self {
        Self {
            try await $0.journal.changeMembers(
                of: practice,
                .grant(account: account, membership),
                $0.caller
            )
        } remote: {
            let path = ["practices", practice.text, "members", account.text]
            let body = MemberDocument.members(membership)
            return try await $0.write(.write(.put, at: path, query: $0.reasonQuery, body: body))
        }
    }

    static func removeMember(_ account: UUID, of practice: UUID) -> Self {
        Self {
            try await $0.journal.changeMembers(of: practice, .revoke(account: account), $0.caller)
        } remote: {
            let path = ["practices", practice.text, "members", account.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }

    static func addSpecialist(_ profile: SpecialistProfile, to practice: UUID) -> Self {
        Self {
            try await $0.journal.addSpecialist(profile, to: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "specialists"]
            let body = SettingsDocument(profile).json
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery, body: body))
        }
    }

    static func change(_ specialist: UUID, in practice: UUID, _ command: SpecialistCommand) -> Self {
        Self {
            try await $0.journal.changeSpecialist(specialist, in: practice, $0.caller) { _ in command }
        } remote: {
            let (method, path, body) = command.request
            let whole = ["practices", practice.text, "specialists", specialist.text] + path
            return try await $0.write(.write(method, at: whole, query: $0.reasonQuery, body: body))
        }
    }

    static func eraseSpecialist(_ id: UUID, of practice: UUID) -> Self {
        Self {
            try await $0.journal.eraseSpecialist(id, in: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "specialists", id.text, "erase"]
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery))
        }
    }

    static func createPatient(_ patient: NewPatient, at practice: UUID) -> Self {
        Self {
            try await $0.journal.createPatient(patient, at: practice, $0.caller)
        } remote: {
            var members: [JSONValue.Member] = [.init("profile", NativeProfile.values(of: patient.profile))]
            if let id = patient.id { members.append(.init("id", .string(id.text))) }
            members.append(.init("registration", SettingsDocument(patient.registration).json))
            if let client = patient.client { members.append(.init("client", SettingsDocument(client).json)) }
            let path = ["practices", practice.text, "patients"]
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery, body: .object(members)))
        }
    }

    static func register(_ record: UUID, at practice: UUID, _ profile: RegistrationProfile) -> Self {
        Self {
            try await $0.journal.registerPatient(record, at: practice, keeping: profile, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "patients", record.text]
            let body = SettingsDocument(profile).json
            return try await $0.write(.write(.put, at: path, query: $0.reasonQuery, body: body))
        }
    }
}

extension PracticeCommand {
    /// The method, the path below the practice, and the body of the request for a command.
    fileprivate var request: (method: ServiceRequest.Method, path: [String], body: JSONValue?) {
        switch self {
        case .create(let profile), .change(let profile): (.put, [], SettingsDocument(profile).json)
        case .close: (.post, ["close"], nil)
        case .setTimetable(let timetable, let day): (.put, ["timetable"], TimetableDocument(timetable, from: day).json)
        case .setService(let id, let profile): (.put, ["services", id.text], SettingsDocument(profile).json)
        case .endService(let id): (.delete, ["services", id.text], nil)
        case .setPlace(let id, let profile): (.put, ["rooms", id.text], SettingsDocument(profile).json)
        case .endPlace(let id): (.delete, ["rooms", id.text], nil)
        }
    }
}

extension SpecialistCommand {
    /// The method, the path below the specialist, and the body of the request for a command.
    fileprivate var request: (method: ServiceRequest.Method, path: [String], body: JSONValue?) {
        switch self {
        case .add(let profile, _), .change(let profile): (.put, [], SettingsDocument(profile).json)
        case .join: (.post, ["join"], nil)
        case .leave(_, let day): (.post, ["leave"], ["from": .string(day.description)])
        case .setHours(let hours, let preferences, _, let day):
            (.put, ["hours"], HoursDocument(hours, preferences: preferences, from: day).json)
        case .addAbsence(let id, let absence): (.put, ["absences", id.text], AbsenceDocument.members(absence))
        case .removeAbsence(let id): (.delete, ["absences", id.text], nil)
        case .end(let day): (.put, ["end"], ["from": .string(day.description)])
        case .takeBack: (.delete, ["end"], nil)
        }
    }
}

// MARK: Appointments

extension JournalOperation where Result == PracticeCalendarDocument {
    static func calendar(
        of practice: UUID,
        _ days: ClosedRange<Day>,
        _ filter: AppointmentFilter,
        asOf: AsOf?
    ) -> Self {
        Self {
            try await $0.journal
                .calendar(
                    of: practice,
                    days: days,
                    matching: filter,
                    asOf: asOf,
                    $0.caller
                )
                .document
        } remote: {
            let statuses = filter.statuses.map { $0.map(\.rawValue).sorted().joined(separator: ",") }
            let query = [
                ("from", days.lowerBound.description), ("to", days.upperBound.description),
                ("specialist", filter.specialist?.text), ("room", filter.place?.text), ("record", filter.record?.text),
                ("status", statuses), ("open", filter.onlyOpenQuestions ? "true" : nil), ("asOf", asOf?.parameterText),
            ]
            return try await $0.document(.get("practices", practice.text, "appointments", query: query))
        }
    }
}

extension JournalOperation where Result == OperatingDocument {
    static func operating(of practice: UUID, at moment: Instant?, specialty: String?) -> Self {
        Self {
            try await $0.journal.operating(of: practice, at: moment, specialty: specialty, $0.caller)
        } remote: {
            let query = [("at", moment?.description), ("specialty", specialty)]
            return try await $0.document(.get("practices", practice.text, "operating", query: query))
        }
    }
}

extension JournalOperation where Result == FreeSlotsDocument {
    static func freeSlots(_ asked: FreeSlotRequest) -> Self {
        Self {
            try await $0.journal.freeSlots(asked, $0.caller).document
        } remote: {
            let query = [
                ("service", asked.service?.text), ("from", asked.days.lowerBound.description),
                ("to", asked.days.upperBound.description), ("specialist", asked.specialist?.text),
                ("room", asked.place?.text), ("record", asked.record?.text), ("moving", asked.moving?.text),
                ("minutes", asked.minutes.map { String($0) }), ("type", asked.type?.rawValue),
            ]
            return try await $0.document(.get("practices", asked.practice.text, "slots", query: query))
        }
    }
}

extension JournalOperation where Result == AppointmentDocument {
    static func appointment(_ id: UUID, asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.appointment(id, asOf: asOf, $0.caller).document
        } remote: {
            try await $0.document(.get("appointments", id.text, query: [("asOf", asOf?.parameterText)]))
        }
    }
}

extension JournalOperation where Result == [AppointmentDocument] {
    static func appointments(of record: UUID, asOf: AsOf?) -> Self {
        Self {
            try await $0.journal.appointments(of: record, asOf: asOf, $0.caller).map(\.document)
        } remote: {
            let query = [("asOf", asOf?.parameterText)]
            return try await $0.list("appointments", .get("records", record.text, "appointments", query: query))
        }
    }
}

extension JournalOperation where Result == [AppointmentVersionDocument] {
    static func versions(ofAppointment id: UUID) -> Self {
        Self {
            try await $0.journal.versions(ofAppointment: id, $0.caller).map(\.document)
        } remote: {
            try await $0.list("versions", .get("appointments", id.text, "history"))
        }
    }
}

extension JournalOperation where Result == BookedSeries {
    static func book(_ asked: AppointmentRequest, _ repetition: Repetition, skipTaken: Bool, dryRun: Bool) -> Self {
        Self {
            try await $0.journal.bookSeries(asked, repetition, skipTaken: skipTaken, dryRun: dryRun, $0.caller)
        } remote: {
            let path = ["practices", asked.practice.text, "appointments", "series"]
            let body = SeriesRequest.json(asked, repetition, skipTaken: skipTaken)
            let query = $0.reasonQuery + (dryRun ? [("dryRun", "true")] : [])
            return try await $0.document(.write(.post, at: path, query: query, body: body))
        }
    }
}

extension JournalOperation where Result == WriteResult {
    static func book(_ asked: AppointmentRequest, heldUntil: Instant?, dryRun: Bool = false) -> Self {
        Self {
            try await $0.journal.book(asked, heldUntil: heldUntil, dryRun: dryRun, $0.caller)
        } remote: {
            let path = ["practices", asked.practice.text, "appointments"]
            let body = asked.json(heldUntil: heldUntil)
            let query = $0.reasonQuery + (dryRun ? [("dryRun", "true")] : [])
            return try await $0.write(.write(.post, at: path, query: query, body: body))
        }
    }

    static func change(appointment id: UUID, _ change: AppointmentChange, dryRun: Bool = false) -> Self {
        Self {
            try await $0.journal.changeAppointment(id, dryRun: dryRun, $0.caller) { _ in change }
        } remote: {
            let (word, body) = change.request
            let isEdit = word == .edit
            let path = ["appointments", id.text] + (isEdit ? [] : [word.rawValue])
            let query = $0.reasonQuery + (dryRun ? [("dryRun", "true")] : [])
            return try await $0.write(.write(isEdit ? .patch : .post, at: path, query: query, body: body))
        }
    }
}
