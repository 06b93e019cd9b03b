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
        practice.timetable = try timetable(object)
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
                "assessments", "createdAt", "updatedAt",
            ]
        )
        practice.unrepresented = unrepresented
        var ids = VetNetIds()
        try ids.unique(&practice.specialists, \.id, \.path)
        try ids.unique(&practice.clients, \.id, \.path)
        try ids.unique(&practice.patients, \.record.id, \.path)
        try ids.unique(&practice.appointments, \.id, \.path)
        try ids.unique(&practice.assessments, \.id, \.path)
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
            throw ModelError(error.code, field: object.path.appending(name).field, error.message)
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
    private mutating func timetable(_ object: VetNetObject) throws(ModelError) -> Timetable? {
        guard let hours = try object.optionalObject("operatingHours") else { return nil }
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
        note(hours, ["weekdays", "holidays", "emergencyHours"])
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
        var hours: WeeklyHours?
        if let schedule = try object.optionalObject("availabilitySchedule") {
            let read = try weekly(schedule.objects("weeklySchedule"), schedule)
            hours = read.isEmpty ? nil : read
            let others = (try schedule.list("exceptions"), try schedule.list("preferences"))
            let isEmpty = others.0.isEmpty && others.1.isEmpty
            note(schedule, isEmpty ? ["weeklySchedule", "exceptions", "preferences"] : ["weeklySchedule"])
        }
        try validated(profile, object)
        note(
            object,
            [
                "specialistID", "specialistId", "id", "name", "credentials", "licenseNumber", "expertiseAreas",
                "availabilitySchedule", "isActive", "createdAt", "updatedAt", "practiceSpecialistKey",
            ]
        )
        return VetNetSpecialist(
            id: try object.id("specialistID", "specialistId", "id"),
            profile: profile,
            hours: hours,
            isActive: try object.flag("isActive", default: true),
            path: object.path.text
        )
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
                "emailKey", "address", "emergencyContact", "preferredCommunication", "isActive", "createdAt",
                "updatedAt",
            ]
        )
        return VetNetClient(
            id: try object.id("ownerID", "ownerId", "clientID", "id"),
            profile: profile,
            isActive: try object.flag("isActive", default: true),
            path: object.path.text
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
            }
        }
        let birth = try object.date(options, in: zone, "dateOfBirth")?.description
        try set("birthdate", birth, object, "dateOfBirth", &profile)
        var entries: [ImportedEntry] = []
        if let history = try object.optionalObject("medicalHistory") {
            let lists: [(member: String, kind: Kind)] = [
                ("conditions", Illness.kind), ("medications", Drug.kind), ("allergies", Allergy.kind),
                ("vaccinations", Vaccination.kind), ("surgicalHistory", Surgery.kind),
            ]
            for (member, kind) in lists {
                for item in try history.list(member) {
                    let entry = try entry(item.value, kind, of: id, at: item.path)
                    // The same item twice is one entry.
                    if !entries.contains(where: { $0.id == entry.id && $0.content == entry.content }) {
                        entries.append(entry)
                    }
                }
            }
            note(history, Set(lists.map(\.member)))
        }
        let known: Set<String> = [
            "patientID", "patientId", "id", "name", "species", "breed", "color", "microchipNumber", "microchipKey",
            "gender", "dateOfBirth", "age", "medicalHistory", "owner", "ownerID", "ownerId", "appointments",
            "assessments", "isActive", "createdAt", "updatedAt", "lastVisit",
        ]
        // What the journal does not define is kept in the record.
        for member in object.object.members where !known.contains(member.name) && member.value != .null {
            profile.extra.append(Extra(name: member.name, json: JSONWriter.text(member.value)))
        }
        do { try profile.validate(now: options.now) } catch { throw object.object.located(error) }
        return VetNetPatient(
            record: ImportedRecord(id: id, profile: profile, entries: entries, shape: .vetnet, unrepresented: []),
            client: try object.optionalID(["ownerID", "ownerId", "owner"], of: ["ownerID", "ownerId", "id"]),
            isActive: try object.flag("isActive", default: true),
            path: object.path.text
        )
    }

    private func set(
        _ field: String,
        _ text: String?,
        _ object: VetNetObject,
        _ member: String,
        _ profile: inout RecordProfile
    ) throws(ModelError) {
        guard let text else { return }
        do { try profile.set(field, text: text) } catch {
            throw ModelError(error.code, field: object.path.appending(member).field, error.message)
        }
    }

    /// Reads an item of the medical history, which is a text or an object; what has no field is kept beside it.
    private func entry(
        _ value: JSONValue,
        _ kind: Kind,
        of patient: UUID,
        at path: DocumentPath
    ) throws(ModelError) -> ImportedEntry {
        var content = EntryContent(kind: kind)
        var id: UUID?
        func setName(_ text: String) {
            if let name = kind.fields.first(where: { $0.name == "name" }) { content.body[name] = .text(text) }
        }
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
            content.extra = object.object.members.filter { !known.contains($0.name) && $0.value != .null }
                .map { Extra(name: $0.name, json: JSONWriter.text($0.value)) }
        }
        do { try content.validate(now: options.now) } catch {
            let field = [path.field, error.field].compactMap(\.self).joined(separator: ".")
            throw ModelError(error.code, field: field, error.message)
        }
        return ImportedEntry(
            id: id ?? UUID(nameBased: patient, "\(kind.name)\n\(JSONWriter.text(value))"),
            content: content,
            path: path.text
        )
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
                "createdAt", "updatedAt", "scheduleKey",
            ]
        )
        return VetNetAppointment(
            id: try object.id("appointmentID", "appointmentId", "id"),
            patient: record,
            specialist: try object.optionalID(
                ["specialistID", "specialistId", "specialist"],
                of: ["specialistID", "specialistId", "id"]
            ),
            // Seconds that are no whole minute are rounded down, as people write times.
            start: Instant(microseconds: start.microseconds - start.microseconds % 60_000_000),
            minutes: minutes,
            status: status,
            type: type,
            reason: try object.text("reason") ?? "",
            notes: try object.text("notes") ?? "",
            remarks: remarks.filter { !$0.isEmpty },
            path: object.path.text
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
                "assessmentID", "assessmentId", "id", "assessmentDateTime", "createdAt", "updatedAt", "patientID",
                "patientId", "patient", "appointmentID", "appointmentId", "appointment", "vtlUrgencyLevel", "vtlLevel",
                "abcdeAssessment", "symptoms", "assessedBy", "notes", "vitalSigns", "isCompleted",
            ]
        )
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
            path: object.path.text
        )
    }
}

/// The ids of a document, each of which belongs to one thing.
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
        _ path: WritableKeyPath<Part, String>
    ) throws(ModelError) {
        var known: [UUID: Part] = [:]
        var kept: [Part] = []
        for part in parts {
            var plain = part
            plain[keyPath: path] = ""
            if known[part[keyPath: id]] == plain { continue }
            try take(part[keyPath: id], at: part[keyPath: path])
            known[part[keyPath: id]] = plain
            kept.append(part)
        }
        parts = kept
    }
}
