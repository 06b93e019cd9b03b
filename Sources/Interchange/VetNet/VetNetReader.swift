import Crypto
import FoundationEssentials
import HealthModel

/// Reads one practice of a document of VetNet.
struct VetNetReader {
    private let options: VetNetOptions
    private var unrepresented: [String] = []
    private var zone = ""

    init(_ options: VetNetOptions) {
        self.options = options
    }

    mutating func practice(_ object: VetNetObject) throws(ModelError) -> VetNetPractice {
        zone = try object.text("timeZone", "zone") ?? options.zone ?? ""
        if zone.isEmpty {
            let field = object.path.appending("timeZone").field
            throw ModelError(.invalid, field: field, "is missing: say which time zone the practice is in (--zone)")
        }
        var practice = VetNetPractice(
            id: try object.id("practiceID", "practiceId", "id"),
            profile: PracticeProfile(values: FieldValues())
        )
        try set("name", try object.text("name"), of: &practice.profile, object)
        try set("zone", zone, of: &practice.profile, object)
        if let location = try object.optionalObject("location") {
            for name in ["latitude", "longitude"] {
                try set("location.\(name)", try location.decimal(name)?.description, of: &practice.profile, object)
            }
            try address(location, "location.address", &practice.profile)
            note(location, ["latitude", "longitude", "address"])
        }
        for (index, specialty) in try object.objects("specialties").enumerated() {
            let place = "specialties.\(index)"
            try set("\(place).id", try specialty.text("id"), of: &practice.profile, specialty)
            try set("\(place).name", try specialty.text("name"), of: &practice.profile, specialty)
            try set("\(place).category", try specialty.text("category"), of: &practice.profile, specialty)
            note(specialty, ["id", "name", "category"])
        }
        try validated(practice.profile, object)
        practice.timetables = try timetables(object)
        for item in try object.objects("specialists") { practice.specialists.append(try specialist(item)) }
        for item in try object.objects("owners", "clients") { practice.clients.append(try client(item)) }
        for item in try object.objects("patients") {
            practice.patients.append(try patient(item))
            // An owner may be nested as a whole, and not only named.
            if let owner = try item.optionalObject("owner"), owner.object.members.count > 1 {
                practice.clients.append(try client(owner))
            }
            // The app nests what belongs to a patient.
            for inner in try item.objects("assessments") {
                practice.assessments.append(try assessment(inner, of: practice.patients.last?.record.id))
            }
            for inner in try item.objects("appointments") {
                practice.appointments.append(try appointment(inner, of: practice.patients.last?.record.id))
            }
        }
        for item in try object.objects("appointments") { practice.appointments.append(try appointment(item)) }
        for item in try object.objects("triageAssessments", "assessments") {
            practice.assessments.append(try assessment(item))
        }
        note(
            object,
            [
                "practiceID", "practiceId", "id", "name", "timeZone", "zone", "location", "specialties",
                "operatingHours", "specialists", "owners", "clients", "patients", "appointments", "triageAssessments",
                "assessments",
            ]
        )
        let parts: Set<String> = [
            "specialists", "owners", "clients", "patients", "appointments", "triageAssessments", "assessments",
        ]
        for index in practice.appointments.indices {
            let appointment = practice.appointments[index]
            let isKnown = practice.assessments.contains {
                $0.id == appointment.assessment && $0.patient == appointment.patient
            }
            if isKnown || !appointment.source.contains(where: { $0.name == "triageAssessmentID" }) { continue }
            practice.appointments[index].assessment = nil
            unrepresented.append("\(appointment.path).triageAssessmentID")
        }
        practice.source = object.object.members.filter { !parts.contains($0.name) }
        practice.unrepresented = unrepresented
        var ids = VetNetIds()
        try ids.unique(&practice.specialists, \.id, \.path, \.source)
        try ids.unique(&practice.clients, \.id, \.path, \.source)
        try ids.unique(&practice.patients, \.record.id, \.path, \.source)
        try ids.unique(&practice.appointments, \.id, \.path, \.source)
        try ids.unique(&practice.assessments, \.id, \.path, \.source)
        for patient in practice.patients {
            for entry in patient.record.entries { try ids.take(entry.id, at: entry.path) }
        }
        let clients = Set(practice.clients.map(\.id))
        for patient in practice.patients {
            guard let client = patient.client, !clients.contains(client) else { continue }
            throw ModelError(.notFound, field: "\(patient.path).ownerId", "the practice has no such owner")
        }
        return practice
    }

    private mutating func note(_ object: VetNetObject, _ known: Set<String>) {
        unrepresented += object.others(than: known)
    }

    private func set<Profile: ClinicProfile>(
        _ name: String,
        _ text: String?,
        of profile: inout Profile,
        _ object: VetNetObject
    ) throws(ModelError) {
        guard let text else { return }
        do { try profile.set(name, text: text) } catch {
            throw ModelError(error.code, field: object.path.appending(name).field, error.text)
        }
    }

    private func validated<Profile: ClinicProfile>(_ profile: Profile, _ object: VetNetObject) throws(ModelError) {
        do { try profile.validate(now: options.now) } catch { throw object.object.located(error) }
    }

    /// Reads an address, which is a text or an object.
    private mutating func address<Profile: ClinicProfile>(
        _ object: VetNetObject,
        _ field: String,
        _ profile: inout Profile
    ) throws(ModelError) {
        guard let (_, value) = object.value(["address"]) else { return }
        if case .string(let text) = value {
            try set("\(field).text", text.isEmpty ? nil : text, of: &profile, object)
            return
        }
        let address = try VetNetObject(value, at: object.path.appending("address"))
        for name in ["street", "city", "state", "zipCode", "country"] {
            try set("\(field).\(name)", try address.text(name), of: &profile, address)
        }
        note(address, ["street", "city", "state", "zipCode", "country"])
    }

    // MARK: - Hours

    /// Reads `{"weekdays": [{"weekday": "mon", "intervals": [{"open": "08:00", "close": "12:00"}]}], …}`.
    ///
    /// An export of this journal has further timetables in `changes`, each with the day `from` which it holds.
    private mutating func timetables(_ object: VetNetObject) throws(ModelError) -> [TimetableDocument] {
        guard let hours = try object.optionalObject("operatingHours") else { return [] }
        var found: [TimetableDocument] = []
        if let timetable = try timetable(hours, ["weekdays", "holidays", "emergencyHours", "from", "changes"]) {
            found.append(TimetableDocument(timetable, from: try from(hours)))
        }
        for change in try hours.objects("changes") {
            let timetable = try timetable(change, ["weekdays", "holidays", "emergencyHours", "from"]) ?? Timetable()
            found.append(TimetableDocument(timetable, from: try from(change)))
        }
        return found
    }

    /// The day from which hours hold; the earliest one if none is said.
    private func from(_ hours: VetNetObject) throws(ModelError) -> Day {
        guard let text = try hours.text("from") else { return .earliestEntered }
        guard let day = try? Day(parsing: text) else {
            throw ModelError(.invalid, field: hours.path.appending("from").field, "must be a day")
        }
        return day
    }

    private mutating func timetable(_ hours: VetNetObject, _ known: Set<String>) throws(ModelError) -> Timetable? {
        var timetable = Timetable(usual: try weekly(hours.objects("weekdays"), hours))
        for holiday in try hours.objects("holidays") {
            guard let text = try holiday.text("day", "date"), let day = try? Day(parsing: text) else {
                throw ModelError(.invalid, field: holiday.path.appending("day").field, "must be a day")
            }
            timetable.holidays.append(
                Holiday(
                    day: day,
                    name: try holiday.text("name") ?? "",
                    hours: try intervals(holiday),
                    isYearly: try holiday.flag("yearly", default: false)
                )
            )
            note(holiday, ["day", "date", "name", "intervals", "closed", "yearly"])
        }
        if let emergency = try hours.optionalObject("emergencyHours") {
            timetable.emergency = try weekly(emergency.objects("weekdays"), emergency)
            note(emergency, ["weekdays"])
        }
        note(hours, known)
        if timetable == Timetable() { return nil }
        do { try timetable.validate() } catch { throw hours.object.located(error) }
        return timetable
    }

    private mutating func weekly(
        _ days: [VetNetObject],
        _ object: VetNetObject
    ) throws(ModelError) -> WeeklyHours {
        var lines: [String] = []
        for day in days {
            let hours = try intervals(day)
            note(day, ["weekday", "intervals"])
            guard !hours.isEmpty else { continue }
            let name = try day.text("weekday")?.lowercased().prefix(3) ?? ""
            lines.append("\(name) \(hours.map(\.description).joined(separator: ","))")
        }
        do { return try WeeklyHours(parsing: lines) } catch { throw object.object.located(error) }
    }

    private mutating func intervals(_ object: VetNetObject) throws(ModelError) -> [OpeningHours] {
        var hours: [OpeningHours] = []
        for interval in try object.objects("intervals") {
            let text = "\(try interval.text("open") ?? "")-\(try interval.text("close") ?? "")"
            do { hours.append(try OpeningHours(parsing: text)) } catch { throw interval.object.located(error) }
            note(interval, ["open", "close"])
        }
        return hours
    }

    // MARK: - People

    private mutating func specialist(_ object: VetNetObject) throws(ModelError) -> VetNetSpecialist {
        var profile = SpecialistProfile(values: FieldValues())
        for name in ["name", "credentials", "licenseNumber"] {
            try set(name, try object.text(name), of: &profile, object)
        }
        for (index, area) in try object.objects("expertiseAreas").enumerated() {
            let place = "expertise.\(index)"
            try set("\(place).specialty", try area.text("specialty"), of: &profile, area)
            try set("\(place).level", try area.text("proficiencyLevel"), of: &profile, area)
            try set("\(place).years", try area.decimal("yearsExperience")?.description, of: &profile, area)
            for (number, item) in try area.list("certifications").enumerated() {
                guard case .string(let text) = item.value else {
                    throw ModelError(.invalid, field: item.path.field, "must be text, not \(item.value.typeName)")
                }
                try set("\(place).certifications.\(number)", text, of: &profile, area)
            }
            note(area, ["specialty", "proficiencyLevel", "yearsExperience", "certifications"])
        }
        var hours: [HoursDocument] = []
        var absences: [AbsenceDocument] = []
        if let schedule = try object.optionalObject("availabilitySchedule") {
            let read = try weekly(schedule.objects("weeklySchedule"), schedule)
            let preferences = try self.preferences(schedule)
            if !read.isEmpty || !preferences.isEmpty {
                hours.append(HoursDocument(read, preferences: preferences, from: try from(schedule)))
            }
            for change in try schedule.objects("changes") {
                hours.append(
                    HoursDocument(
                        try weekly(change.objects("weeklySchedule"), change),
                        preferences: try self.preferences(change),
                        from: try from(change)
                    )
                )
                note(change, ["from", "weeklySchedule", "preferences"])
            }
            // VetNet does not define an exception: one that an export of this journal contains is an absence.
            for (value, path) in try schedule.list("exceptions") {
                if let absence = try? AbsenceDocument(NativeObject(value, at: path)) {
                    absences.append(absence)
                } else {
                    unrepresented.append(path.text)
                }
            }
            note(schedule, ["weeklySchedule", "changes", "from", "exceptions", "preferences"])
        }
        try own(object, &profile)
        try validated(profile, object)
        note(
            object,
            [
                "specialistID", "specialistId", "id", "name", "credentials", "licenseNumber", "expertiseAreas",
                "availabilitySchedule", "caseLoadPreferences", "licenseAuthority", "licenseUntil", "speciesPreferences",
                "isActive", "practiceSpecialistKey",
            ]
        )
        return VetNetSpecialist(
            id: try object.id("specialistID", "specialistId", "id"),
            profile: profile,
            hours: hours,
            absences: absences,
            isActive: try object.flag("isActive", default: true),
            path: object.path.text,
            source: object.object.members
        )
    }

    /// Reads the preferences that an export of this journal contains; others are only kept.
    private mutating func preferences(_ schedule: VetNetObject) throws(ModelError) -> [AvailabilityPreference] {
        var found: [AvailabilityPreference] = []
        for (value, path) in try schedule.list("preferences") {
            if let preference = try? AvailabilityPreference(NativeObject(value, at: path)),
                (try? AvailabilityPreference.validate(found + [preference])) != nil
            {
                found.append(preference)
            } else {
                unrepresented.append(path.text)
            }
        }
        return found
    }

    /// Reads what VetNet does not define and an export of this journal contains; anything else is only kept.
    private mutating func own(_ object: VetNetObject, _ profile: inout SpecialistProfile) throws(ModelError) {
        for name in ["licenseAuthority", "licenseUntil"] {
            try set(name, try object.text(name), of: &profile, object)
        }
        for (member, field) in [("caseLoadPreferences", "caseload"), ("speciesPreferences", "species")] {
            guard let (_, value) = object.value([member]) else { continue }
            let own = SpecialistProfile.fields.first { $0.name == field }
            let names = if case .group(let fields)? = own?.type { Set(fields.map(\.name)) } else { Set<String>() }
            var read = profile
            do throws(ModelError) {
                guard case .object(let members) = value, members.allSatisfy({ names.contains($0.name) }) else {
                    throw ModelError(.invalid, "is not this journal's")
                }
                for item in members {
                    switch item.value {
                    case .number(let text): try read.set("\(field).\(item.name)", text: text)
                    case .array(let items):
                        for (index, element) in items.enumerated() {
                            guard case .string(let text) = element else { throw ModelError(.invalid, "is no text") }
                            try read.set("\(field).\(item.name).\(index)", text: text)
                        }
                    default: throw ModelError(.invalid, "is not this journal's")
                    }
                }
                try read.validate(now: options.now)
                profile = read
            } catch {
                unrepresented.append(object.path.appending(member).text)
            }
        }
    }

    private mutating func client(_ object: VetNetObject) throws(ModelError) -> VetNetClient {
        var profile = ClientProfile(values: FieldValues())
        for (name, member) in [
            ("firstName", "firstName"), ("lastName", "lastName"), ("phone", "phoneNumber"), ("email", "email"),
            ("preferredCommunication", "preferredCommunication"),
        ] {
            try set(name, try object.text(member), of: &profile, object)
        }
        try address(object, "address", &profile)
        if let contact = try object.optionalObject("emergencyContact") {
            for (name, member) in [
                ("name", "name"), ("phone", "phoneNumber"), ("email", "email"), ("relationship", "relationship"),
            ] {
                try set("emergencyContact.\(name)", try contact.text(member, name), of: &profile, contact)
            }
            note(contact, ["name", "phoneNumber", "phone", "email", "relationship"])
        }
        try validated(profile, object)
        note(
            object,
            [
                "ownerID", "ownerId", "clientID", "id", "firstName", "lastName", "fullName", "phoneNumber", "email",
                "emailKey", "address", "emergencyContact", "preferredCommunication", "isActive", "patients",
            ]
        )
        return VetNetClient(
            id: try object.id("ownerID", "ownerId", "clientID", "id"),
            profile: profile,
            isActive: try object.flag("isActive", default: true),
            path: object.path.text,
            source: object.object.members
        )
    }

    // MARK: - Patients

    private mutating func patient(_ object: VetNetObject) throws(ModelError) -> VetNetPatient {
        let id = try object.id("patientID", "patientId", "id")
        var profile = RecordProfile(subject: .animal)
        let texts = [
            ("name", "name"), ("species", "species"), ("breed", "breed"), ("color", "color"),
            ("animalID", "microchipNumber"),
        ]
        for (field, member) in texts { try set(field, try object.text(member), object, member, &profile) }
        if let gender = try object.text("gender") {
            let words = ["male", "female", "other", "notApplicable"]
            if let sex = words.first(where: { $0.lowercased() == gender.lowercased() }) {
                try set("sex", sex, object, "gender", &profile)
            } else {
                profile.extra.append(Extra(name: "gender", json: JSONWriter.text(.string(gender))))
                unrepresented.append(object.path.appending("gender").text)
            }
        }
        let isNeutered: Bool? = if case .bool(let flag)? = object.value(["isNeutered"])?.value { flag } else { nil }
        try set("isNeutered", isNeutered.map { "\($0)" }, object, "isNeutered", &profile)
        let birth = try object.date(options, in: zone, "dateOfBirth")?.description
        try set("birthdate", birth, object, "dateOfBirth", &profile)
        var entries: [ImportedEntry] = []
        if let history = try object.optionalObject("medicalHistory") {
            for (member, kind) in VetNetReader.history {
                for item in try history.list(member) {
                    let entry = try self.entry(item.value, kind, of: id, at: item.path)
                    // The same item twice is one entry.
                    if !entries.contains(where: { $0.id == entry.id && $0.content == entry.content }) {
                        entries.append(entry)
                    }
                }
            }
            note(history, Set(VetNetReader.history.map(\.member)))
        }
        var known: Set<String> = [
            "patientID", "patientId", "id", "name", "species", "breed", "color", "microchipNumber", "microchipKey",
            "gender", "dateOfBirth", "age", "medicalHistory", "owner", "ownerID", "ownerId", "appointments",
            "assessments", "isActive", "createdAt", "updatedAt", "lastVisit",
        ]
        if isNeutered != nil { known.insert("isNeutered") }
        note(object, known.subtracting(VetNetKept.times))
        // What the journal does not define is kept in the record.
        for member in object.object.members where !known.contains(member.name) && member.value != .null {
            profile.extra.append(Extra(name: member.name, json: JSONWriter.text(member.value)))
        }
        do { try profile.validate(now: options.now) } catch { throw object.object.located(error) }
        return VetNetPatient(
            record: ImportedRecord(id: id, profile: profile, entries: entries, shape: .vetnet, unrepresented: []),
            client: try object.optionalID(["ownerID", "ownerId", "owner"], of: ["ownerID", "ownerId", "id"]),
            isActive: try object.flag("isActive", default: true),
            path: object.path.text,
            source: VetNetReader.ownMembers(ofPatient: object.object.members, known)
        )
    }

    /// The members of a patient that are neither parts of their own nor kept among the extra fields of the record.
    private static func ownMembers(ofPatient members: [JSONValue.Member], _ known: Set<String>) -> [JSONValue.Member] {
        members.compactMap { member -> JSONValue.Member? in
            switch (member.name, member.value) {
            case ("appointments", _), ("assessments", _): return nil
            // A client who is described here is a part of its own, which can be erased alone.
            case ("owner", .object(let owner)): return owner.count > 1 ? nil : member
            case ("medicalHistory", .object(let history)):
                let others = history.filter { item in !VetNetReader.history.contains { $0.member == item.name } }
                return others.isEmpty ? nil : .init(member.name, .object(others))
            default: return known.contains(member.name) ? member : nil
            }
        }
    }

    /// The lists of a medical history, and the kinds of their items.
    static let history: [(member: String, kind: Kind)] = [
        ("conditions", Illness.kind), ("medications", Drug.kind), ("allergies", Allergy.kind),
        ("vaccinations", Vaccination.kind), ("surgicalHistory", Surgery.kind),
    ]

    private func set(
        _ field: String,
        _ text: String?,
        _ object: VetNetObject,
        _ member: String,
        _ profile: inout RecordProfile
    ) throws(ModelError) {
        guard let text else { return }
        do { try profile.set(field, text: text) } catch {
            throw ModelError(error.code, field: object.path.appending(member).field, error.text)
        }
    }

    /// Reads an item of the medical history, which is a text or an object; members without a field are kept beside it.
    private mutating func entry(
        _ value: JSONValue,
        _ kind: Kind,
        of patient: UUID,
        at path: DocumentPath
    ) throws(ModelError) -> ImportedEntry {
        var content = EntryContent(kind: kind)
        var id: UUID?
        let nameField = kind.fields.first { $0.name == "name" }
        func setName(_ text: String) { if let nameField { content.body[nameField] = .text(text) } }
        switch value {
        case .string(let text): setName(text.withUnixLines)
        default:
            let object = try VetNetObject(value, at: path)
            id = try object.optionalID(["id"])
            if let name = try object.text("name") { setName(name) }
            var known: Set<String> = ["id", "name", "date"]
            if let information = kind.fields.first(where: { $0.name == "information" }) {
                // Of two texts, the other one is kept beside the entry.
                for name in ["information", "notes"] where content.body[information] == nil {
                    guard let text = try object.text(name) else { continue }
                    content.body[information] = .text(text)
                    known.insert(name)
                }
            }
            content.date = try object.date(options, in: zone, "date").map { .date($0) }
            note(object, known)
            // The journal keeps the day.
            if case .number? = object.value(["date"])?.value { unrepresented.append(path.appending("date").text) }
            if case .string(let text)? = object.value(["date"])?.value, (try? PartialDate(parsing: text)) == nil {
                unrepresented.append(path.appending("date").text)
            }
            content.extra = object.object.members.filter { !known.contains($0.name) && $0.value != .null }
                .map { Extra(name: $0.name, json: JSONWriter.text($0.value)) }
        }
        let rendered = VetNetWriter.members(of: content)
        let source: JSONValue =
            if case .object(let members) = value { .object(members.filter { $0.name != "id" }) } else { value }
        if case .object(let members) = source {
            let kept = VetNetKept(source: members, rendered: rendered)
            if !kept.isEmpty {
                content.extra.append(Extra(name: VetNetWriter.keptName, json: JSONWriter.text(kept.json)))
            }
        } else {
            let whole: JSONValue = ["rendered": .object(rendered), "source": source]
            content.extra.append(Extra(name: VetNetWriter.keptName, json: JSONWriter.text(whole)))
        }
        do { try content.validate(now: options.now) } catch {
            let field = [path.field, error.field].compactMap(\.self).joined(separator: ".")
            throw ModelError(error.code, field: field, error.text)
        }
        let entry: UUID
        if let id { entry = id } else { entry = try derivedID(of: value, kind, of: patient, at: path) }
        return ImportedEntry(
            id: entry,
            content: content,
            path: path.text
        )
    }

    /// Returns the id of an item that has none: the same one each time the document is read.
    private func derivedID(
        of value: JSONValue,
        _ kind: Kind,
        of patient: UUID,
        at path: DocumentPath
    ) throws(ModelError) -> UUID {
        let namespace: UUID
        do {
            namespace = try options.entries(patient)
        } catch {
            throw ModelError(.conflict, field: path.field, "the record accepts no entries: \(error)")
        }
        return UUID(nameBased: namespace, "\(kind.name)\n\(JSONWriter.text(value))")
    }

    // MARK: - Visits

    private mutating func appointment(
        _ object: VetNetObject,
        of patient: UUID? = nil
    ) throws(ModelError) -> VetNetAppointment {
        guard let start = try object.instant(options, "scheduledDateTime", "startTime", "start") else {
            throw ModelError(.invalid, field: object.path.appending("scheduledDateTime").field, "is missing")
        }
        var seconds = try object.decimal("estimatedDuration").flatMap { Instant(secondsSince1970: $0)?.microseconds }
        if let end = try object.instant(options, "endTime", "endDateTime") {
            seconds = end.microseconds - start.microseconds
        }
        // The journal agrees on whole minutes.
        let minutes = Int(((seconds ?? 0) + 59_999_999) / 60_000_000)
        guard (5...1_440).contains(minutes) else {
            let field = object.path.appending("estimatedDuration").field
            throw ModelError(.invalid, field: field, "must be between 5 minutes and a day, in seconds")
        }
        let status = try object.text("status") ?? AppointmentStatus.scheduled.rawValue
        guard let status = AppointmentStatus(rawValue: status), status != .held else {
            throw ModelError(.invalid, field: object.path.appending("status").field, "is no status of an appointment")
        }
        let type = try object.text("type", "appointmentType") ?? AppointmentType.routine.rawValue
        guard let type = AppointmentType(rawValue: type) else {
            throw ModelError(.invalid, field: object.path.appending("type").field, "is no type of an appointment")
        }
        // How it was confirmed is not said, so it becomes a scheduled one.
        if status == .confirmed { unrepresented.append(object.path.appending("status").text) }
        var remarks: [String] = []
        for item in try object.list("appointmentNotes") {
            if case .string(let text) = item.value {
                remarks.append(text)
            } else {
                remarks.append(try VetNetObject(item.value, at: item.path).text("text", "note", "content") ?? "")
            }
        }
        let named = try object.optionalID(["patientID", "patientId", "patient"], of: ["patientID", "patientId", "id"])
        guard let record = named ?? patient else {
            throw ModelError(.invalid, field: object.path.appending("patientId").field, "must be a UUID")
        }
        note(
            object,
            [
                "appointmentID", "appointmentId", "id", "scheduledDateTime", "startTime", "start", "endTime",
                "endDateTime", "estimatedDuration", "status", "type", "appointmentType", "reason", "notes",
                "appointmentNotes", "patientID", "patientId", "patient", "specialistID", "specialistId", "specialist",
                "scheduleKey", "triageAssessmentID",
            ]
        )
        // The journal has whole minutes.
        if start.microseconds % 60_000_000 != 0 {
            unrepresented.append(object.path.appending("scheduledDateTime").text)
        }
        if (seconds ?? 0) % 60_000_000 != 0 { unrepresented.append(object.path.appending("estimatedDuration").text) }
        return VetNetAppointment(
            id: try object.id("appointmentID", "appointmentId", "id"),
            patient: record,
            specialist: try object.optionalID(
                ["specialistID", "specialistId", "specialist"],
                of: ["specialistID", "specialistId", "id"]
            ),
            assessment: try object.text("triageAssessmentID").flatMap { UUID(uuidString: $0) },
            // Seconds that are no whole minute are rounded down, as people write times.
            start: Instant(microseconds: start.microseconds - start.microseconds % 60_000_000),
            minutes: minutes,
            status: status,
            type: type,
            reason: try object.text("reason") ?? "",
            notes: try object.text("notes") ?? "",
            remarks: remarks.filter { !$0.isEmpty },
            path: object.path.text,
            source: object.object.members
        )
    }

    private mutating func assessment(
        _ object: VetNetObject,
        of patient: UUID? = nil
    ) throws(ModelError) -> VetNetAssessment {
        let id = try object.id("assessmentID", "assessmentId", "id")
        let named = try object.optionalID(["patientID", "patientId", "patient"], of: ["patientID", "patientId", "id"])
        guard let record = named ?? patient else {
            throw ModelError(.invalid, field: object.path.appending("patientId").field, "must be a UUID")
        }
        guard let at = try object.instant(options, "assessmentDateTime", "createdAt") else {
            throw ModelError(.invalid, field: object.path.appending("assessmentDateTime").field, "is missing")
        }
        var level = try object.decimal("vtlUrgencyLevel")
        if level == nil { level = try object.decimal("vtlLevel") }
        guard
            let level = level.flatMap({ $0.scale == 0 ? Int($0.coefficient) : nil })
                .flatMap(UrgencyLevel.init(rawValue:))
        else {
            throw ModelError(.invalid, field: object.path.appending("vtlUrgencyLevel").field, "must be from 1 to 5")
        }
        var findings = TriageFindings(values: FieldValues())
        if let examination = try object.optionalObject("abcdeAssessment") {
            for (_, field) in TriageFindings.examination {
                try set(field.name, try examination.text(field.name), of: &findings, examination)
            }
            note(examination, Set(TriageFindings.examination.map(\.field.name)))
        }
        for (index, item) in try object.list("symptoms").enumerated() {
            guard case .string(let text) = item.value else {
                throw ModelError(.invalid, field: item.path.field, "must be text, not \(item.value.typeName)")
            }
            try set("symptoms.\(index)", text, of: &findings, object)
        }
        let author = try object.text("assessedBy").map { "assessed by \($0)" }
        let notes = [author, try object.text("notes")].compactMap(\.self).joined(separator: "\n")
        try set("notes", notes.isEmpty ? nil : notes, of: &findings, object)
        var measured = at
        if let vitals = try object.optionalObject("vitalSigns") {
            measured = try vitals.instant(options, "measuredAt") ?? at
            for name in ["temperature", "heartRate", "respiratoryRate", "weight"] {
                try set(name, try vitals.decimal(name)?.description, of: &findings, vitals)
            }
            if let text = try vitals.text("bloodPressure") {
                if let pressure = BloodPressure(text), let systolic = pressure.systolic,
                    let diastolic = pressure.diastolic
                {
                    try set("bloodPressure.systolic", "\(systolic)", of: &findings, vitals)
                    try set("bloodPressure.diastolic", "\(diastolic)", of: &findings, vitals)
                } else {
                    unrepresented.append(vitals.path.appending("bloodPressure").text)
                }
            }
            note(vitals, ["temperature", "heartRate", "respiratoryRate", "weight", "bloodPressure", "measuredAt"])
        }
        try validated(findings, object)
        note(
            object,
            [
                "assessmentID", "assessmentId", "id", "assessmentDateTime", "patientID",
                "patientId", "patient", "appointmentID", "appointmentId", "appointment", "vtlUrgencyLevel", "vtlLevel",
                "abcdeAssessment", "symptoms", "assessedBy", "notes", "vitalSigns", "isCompleted",
            ]
        )
        if try object.flag("isCompleted", default: findings.isComplete) != findings.isComplete {
            unrepresented.append(object.path.appending("isCompleted").text)
        }
        let text = JSONWriter.text(.object(object.object.members))
        let entries = findings.vitals.entries(at: measured).enumerated()
            .map { index, content in
                ImportedEntry(id: UUID(nameBased: id, "vitals\n\(index)"), content: content, path: object.path.text)
            }
        return VetNetAssessment(
            id: id,
            patient: record,
            appointment: try object.optionalID(
                ["appointmentID", "appointmentId", "appointment"],
                of: ["appointmentID", "appointmentId", "id"]
            ),
            at: at,
            level: level,
            findings: findings,
            entries: entries,
            digest: SHA256.hash(data: Data(text.utf8)).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined(),
            path: object.path.text,
            source: object.object.members
        )
    }
}

/// The ids of a document; each belongs to one thing.
private struct VetNetIds {
    private var taken: Set<UUID> = []

    mutating func take(_ id: UUID, at path: String) throws(ModelError) {
        guard taken.insert(id).inserted else {
            throw ModelError(.conflict, field: path, "has the id of something else in this document")
        }
    }

    /// Removes repetitions: what belongs to a patient can be nested there and listed again.
    mutating func unique<Part: Hashable>(
        _ parts: inout [Part],
        _ id: KeyPath<Part, UUID>,
        _ path: WritableKeyPath<Part, String>,
        _ source: WritableKeyPath<Part, [JSONValue.Member]>
    ) throws(ModelError) {
        var known: [UUID: Part] = [:]
        var kept: [Part] = []
        for part in parts {
            var plain = part
            (plain[keyPath: path], plain[keyPath: source]) = ("", [])
            if known[part[keyPath: id]] == plain { continue }
            try take(part[keyPath: id], at: part[keyPath: path])
            known[part[keyPath: id]] = plain
            kept.append(part)
        }
        parts = kept
    }
}
