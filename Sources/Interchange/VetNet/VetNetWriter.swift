import FoundationEssentials
package import HealthModel

/// Writes a practice as a document of VetNet, which ``VetNetDocument/read(_:options:)`` reads.
package struct VetNetWriter {
    private let contents: PracticeContents

    package init(_ contents: PracticeContents) {
        self.contents = contents
    }

    private var practice: PracticeDocument { contents.practice }
    private var clients: [ClientDocument] { contents.clients }
    private var patients: [PatientDocument] { contents.patients }
    private var appointments: [AppointmentDocument] { contents.appointments }
    private var today: Day { contents.today }

    /// The name of the extra field that keeps what a document of VetNet said of an entry or a patient.
    package static let keptName = "$vetnet.kept"

    package var json: JSONValue {
        let shown = Set(patients.map(\.record))
        var members = part(practice.id, self.members(of: practice), addedAt: practice.createdAt)
        members += [
            .init("specialists", .array(contents.specialists.map { .object(part($0.id, self.members(of: $0))) })),
            .init("owners", .array(clients.map { .object(part($0.id, self.members(of: $0), addedAt: $0.addedAt)) })),
            .init("patients", .array(patients.map(patient))),
            .init(
                "appointments",
                .array(
                    appointments.filter { $0.status != .held && shown.contains($0.record) }
                        .map { .object(part($0.id, self.members(of: $0), addedAt: $0.addedAt)) }
                )
            ),
            .init(
                "triageAssessments",
                .array(
                    contents.triages.filter { shown.contains($0.record) }
                        .compactMap { triage in self.members(of: triage).map { .object(part(triage.id, $0)) } }
                )
            ),
        ]
        return ["practices": [.object(members)]]
    }

    /// The members of a part with what its source says, and its times.
    private func part(_ id: UUID, _ members: [JSONValue.Member], addedAt: Instant? = nil) -> [JSONValue.Member] {
        let source = contents.sources[id]
        return dated(
            source?.kept?.restored(members) ?? members,
            addedAt: source?.addedAt ?? addedAt,
            updatedAt: source?.updatedAt
        )
    }

    /// Adds the times at which this journal added and changed a part, unless its source says others.
    private func dated(
        _ members: [JSONValue.Member],
        addedAt: Instant?,
        updatedAt: Instant?
    ) -> [JSONValue.Member] {
        let times = [("createdAt", addedAt), ("updatedAt", updatedAt)]
        return members
            + times.compactMap { name, time in
                guard let time, !members.contains(where: { $0.name == name }) else { return nil }
                return .init(name, .seconds(time))
            }
    }

    /// The members of a practice without its parts.
    package func members(of practice: PracticeDocument) -> [JSONValue.Member] {
        let profile = practice.profile
        let timetables = practice.timetables.sorted { $0.from < $1.from }
        let current = timetables.last { $0.from <= today }
        let others = timetables.filter { $0.from != current?.from }
        var hours = current.map { self.hours($0.timetable, from: $0.from) } ?? []
        if !others.isEmpty {
            if current == nil { hours = self.hours(Timetable(), from: .earliestEntered) }
            hours.append(.init("changes", .array(others.map { .object(self.hours($0.timetable, from: $0.from)) })))
        }
        return
            JSONValue.present([
                "practiceID": .string(practice.id.text), "name": .string(profile.name),
                "timeZone": .string(profile.zone), "location": location(profile),
                "operatingHours": hours.isEmpty ? nil : .object(hours),
                "specialties": .array(
                    profile.values.groups(PracticeProfile.specialties)
                        .map {
                            .present([
                                "id": $0.id(PracticeProfile.Specialty.id).map { .string($0.text) },
                                "name": .text($0, PracticeProfile.Specialty.name),
                                "category": .text($0, PracticeProfile.Specialty.category),
                            ])
                        }
                ),
            ])
            .members
    }

    private func location(_ profile: PracticeProfile) -> JSONValue? {
        guard let location = profile.values.group(PracticeProfile.location) else { return nil }
        return .present([
            "latitude": location.decimal(ClinicFields.latitude).map { .number($0.description) },
            "longitude": location.decimal(ClinicFields.longitude).map { .number($0.description) },
            "address": address(location.group(ClinicFields.address)),
        ])
    }

    private func address(_ address: FieldValues?) -> JSONValue? {
        guard let address else { return nil }
        if let text = address.text(Doctor.addressText) { return .string(text) }
        return .present([
            "street": .text(address, Doctor.street), "city": .text(address, Doctor.city),
            "state": .text(address, Doctor.state), "zipCode": .text(address, Doctor.zipCode),
            "country": .text(address, Doctor.country),
        ])
    }

    private func hours(_ timetable: Timetable, from day: Day) -> [JSONValue.Member] {
        JSONValue.present([
            "from": self.from(day),
            "weekdays": weekdays(timetable.usual),
            "holidays": .array(
                timetable.holidays.map { holiday in
                    .present([
                        "day": .string(holiday.day.description), "name": .string(holiday.name),
                        "intervals": intervals(holiday.hours), "yearly": holiday.isYearly ? .bool(true) : nil,
                    ])
                }
            ),
            "emergencyHours": timetable.emergency.isEmpty ? nil : ["weekdays": weekdays(timetable.emergency)],
        ])
        .members
    }

    /// The day from which hours hold; nil for hours that always held.
    private func from(_ day: Day) -> JSONValue? { day == .earliestEntered ? nil : .string(day.description) }

    private func weekdays(_ hours: WeeklyHours) -> JSONValue {
        .array(
            Weekday.allCases.filter { !hours[$0].isEmpty }
                .map { ["weekday": .string($0.name), "intervals": intervals(hours[$0])] }
        )
    }

    private func intervals(_ hours: [OpeningHours]) -> JSONValue {
        .array(
            hours.map { interval in
                let parts = interval.description.split(separator: "-").map(String.init)
                return ["open": .string(parts.first ?? ""), "close": .string(parts.last ?? "")]
            }
        )
    }

    package func members(of specialist: SpecialistDocument) -> [JSONValue.Member] {
        let values = specialist.profile.values
        let hours = (specialist.posts.first { $0.practice == practice.id }?.hours ?? []).sorted { $0.from < $1.from }
        let current = hours.last { $0.from <= today }
        let others = hours.filter { $0.from != current?.from }
        let hasSchedule = !hours.isEmpty || !specialist.absences.isEmpty
        let schedule = JSONValue.present([
            "from": current.flatMap { from($0.from) }, "weeklySchedule": weekdays(current?.hours ?? WeeklyHours()),
            "changes": others.isEmpty
                ? nil
                : .array(
                    others.map {
                        .present([
                            "from": from($0.from), "weeklySchedule": weekdays($0.hours),
                            "preferences": preferences($0.preferences),
                        ])
                    }
                ),
            "preferences": current.flatMap { preferences($0.preferences) },
            "exceptions": specialist.absences.isEmpty ? nil : .array(specialist.absences.map(\.json)),
        ])
        return
            JSONValue.present([
                "specialistID": .string(specialist.id.text), "name": .string(specialist.profile.name),
                "credentials": .text(values, SpecialistProfile.credentials),
                "licenseNumber": .text(values, SpecialistProfile.licenseNumber),
                "expertiseAreas": .array(
                    values.groups(SpecialistProfile.expertise)
                        .map { area in
                            .present([
                                "specialty": .text(area, SpecialistProfile.Expertise.specialty),
                                "proficiencyLevel": .text(area, SpecialistProfile.Expertise.level),
                                "yearsExperience": area.integer(SpecialistProfile.Expertise.years).map { .integer($0) },
                                "certifications": .array(
                                    area.texts(SpecialistProfile.Expertise.certifications).map { .string($0) }
                                ),
                            ])
                        }
                ),
                "availabilitySchedule": hasSchedule ? schedule : nil,
                "caseLoadPreferences": own(values, "caseload"), "licenseAuthority": own(values, "licenseAuthority"),
                "licenseUntil": own(values, "licenseUntil"), "speciesPreferences": own(values, "species"),
                "isActive": .bool(specialist.endedFrom.map { today < $0 } ?? true),
            ])
            .members
    }

    private func preferences(_ preferences: [AvailabilityPreference]) -> JSONValue? {
        preferences.isEmpty ? nil : .array(preferences.map(\.json))
    }

    /// A field of a specialist that VetNet does not define, in the form of this journal.
    private func own(_ values: FieldValues, _ name: String) -> JSONValue? {
        guard let field = SpecialistProfile.fields.first(where: { $0.name == name }) else { return nil }
        return values[field].map { FieldCodec.native.json($0, as: field.type) }
    }

    package func members(of client: ClientDocument) -> [JSONValue.Member] {
        let values = client.profile.values
        let contact = values.group(ClientProfile.emergencyContact)
        return
            JSONValue.present([
                "ownerID": .string(client.id.text), "firstName": .text(values, ClientProfile.firstName),
                "lastName": .text(values, ClientProfile.lastName), "email": .text(values, ClientProfile.email),
                "phoneNumber": .text(values, ClientProfile.phone),
                "address": address(values.group(ClientProfile.address)),
                "emergencyContact": contact.map {
                    .present([
                        "name": .text($0, EmergencyContact.name), "phoneNumber": .text($0, EmergencyContact.phone),
                        "email": .text($0, EmergencyContact.email),
                        "relationship": .text($0, EmergencyContact.relationship),
                    ])
                }, "preferredCommunication": .string(client.profile.preferredWay.rawValue),
                "isActive": .bool(client.endedAt == nil),
            ])
            .members
    }

    private func patient(_ patient: PatientDocument) -> JSONValue {
        let record = contents.records[patient.record]
        let profile = record?.profile
        var members = self.members(of: patient, profile?.values ?? FieldValues())
        if let kept = profile?.extra.first(where: { $0.name == Self.keptName }).flatMap(Self.kept) {
            members = kept.restored(members)
        }
        // What an import kept beside the record.
        for extra in profile?.extra ?? []
        where extra.name != Self.keptName && !members.contains(where: { $0.name == extra.name }) {
            if let value = try? JSONReader.read(Array(extra.json.utf8)) { members.append(.init(extra.name, value)) }
        }
        if let record {
            // What the source says of the medical history besides its lists.
            let others = members.first { $0.name == "medicalHistory" }?.value.members ?? []
            members.removeAll { $0.name == "medicalHistory" }
            members.append(.init("medicalHistory", .object(history(record) + others)))
        }
        return .object(dated(members, addedAt: record?.created.recordedAt, updatedAt: record?.updated.recordedAt))
    }

    private static func kept(_ extra: Extra) -> VetNetKept? {
        (try? JSONReader.read(Array(extra.json.utf8))).flatMap { VetNetKept($0) }
    }

    /// The members of a patient without its medical history.
    package func members(of patient: PatientDocument, _ values: FieldValues) -> [JSONValue.Member] {
        let owners = Set(clients.map(\.id))
        let lastVisit = appointments.filter { $0.record == patient.record && $0.status == .completed }
            .map(\.details.start).max()
        let optional: [(String, JSONValue?)] = [
            ("species", patient.species.map { .string($0) }), ("breed", .text(values, RecordProfile.breed)),
            ("color", .text(values, RecordProfile.color)), ("gender", .text(values, RecordProfile.sex)),
            ("isNeutered", values.flag(RecordProfile.isNeutered).map { .bool($0) }),
            ("microchipNumber", .text(values, RecordProfile.animalID)),
            ("dateOfBirth", values.partialDate(RecordProfile.birthdate).map { .string("\($0)") }),
            ("ownerId", patient.clients.first(where: owners.contains).map { .string($0.text) }),
            ("isActive", .bool(patient.endedAt == nil)), ("lastVisit", lastVisit.map { .seconds($0) }),
        ]
        return [.init("patientID", .string(patient.record.text)), .init("name", .string(patient.name))]
            + optional.compactMap { name, value in value.map { .init(name, $0) } }
    }

    private func history(_ record: RecordState) -> [JSONValue.Member] {
        VetNetReader.history.map { member, kind in
            .init(member, .array(record.activeEntries(of: kind).map(item)))
        }
    }

    private func item(_ entry: EntryState) -> JSONValue {
        let members = Self.members(of: entry.content)
        let id = JSONValue.Member("id", .string(entry.id.text))
        guard let kept = entry.content.extra.first(where: { $0.name == Self.keptName }) else {
            return .object([id] + members)
        }
        if let kept = Self.kept(kept) { return .object([id] + kept.restored(members)) }
        // The item was no object, but a text.
        guard let whole = try? JSONReader.read(Array(kept.json.utf8)), let source = whole["source"],
            whole["rendered"]?.withSortedMembers == JSONValue.object(members).withSortedMembers
        else { return .object([id] + members) }
        return source
    }

    /// The members of an item of a medical history, without its id.
    static func members(of content: EntryContent) -> [JSONValue.Member] {
        func text(_ name: String) -> JSONValue? {
            content.kind.fields.first { $0.name == name }.flatMap { content.body.text($0) }.map { .string($0) }
        }
        var members: [JSONValue.Member] = []
        for name in ["name", "information"] { if let value = text(name) { members.append(.init(name, value)) } }
        if let date = content.date { members.append(.init("date", .string(date.dayText))) }
        for extra in content.extra where extra.name != keptName {
            if let value = try? JSONReader.read(Array(extra.json.utf8)) { members.append(.init(extra.name, value)) }
        }
        return members
    }

    package func members(of appointment: AppointmentDocument) -> [JSONValue.Member] {
        let details = appointment.details
        let actual = appointment.begunAt.flatMap { begun in
            appointment.completedAt.map { ($0.microseconds - begun.microseconds) / 1_000_000 }
        }
        return
            JSONValue.present([
                "appointmentID": .string(appointment.id.text), "scheduledDateTime": .seconds(details.start),
                "estimatedDuration": .integer(details.minutes * 60),
                "actualDuration": actual.flatMap { $0 > 0 ? .integer($0) : nil },
                "status": .string(appointment.status.rawValue), "type": .string(details.type.rawValue),
                "reason": .string(details.reason), "notes": .notEmpty(details.notes),
                "appointmentNotes": .array(appointment.notes.map { ["text": .string($0.text)] }),
                "patientId": .string(appointment.record.text),
                "specialistId": details.specialist.map { .string($0.text) },
                "triageAssessmentID": details.assessment.map { .string($0.text) },
                "specialistMatchResult": details.match.map { SettingsDocument($0).json },
            ])
            .members
    }

    /// An assessment, if the reader sees what it was computed from.
    package func members(of triage: TriageDocument) -> [JSONValue.Member]? {
        guard let assessment = triage.assessment else { return nil }
        let findings = assessment.findings
        let vitals = findings.vitals
        let pressure = vitals.bloodPressure.flatMap { pressure in
            pressure.systolic.flatMap { systolic in pressure.diastolic.map { "\(systolic)/\($0)" } }
        }
        return
            JSONValue.present([
                "assessmentID": .string(triage.id.text), "patientId": .string(triage.record.text),
                "appointmentId": triage.appointment.map { .string($0.text) },
                "assessmentDateTime": .seconds(triage.arrivedAt), "vtlUrgencyLevel": .integer(triage.level.rawValue),
                "abcdeAssessment": .object(
                    TriageFindings.examination.map { part, field in
                        .init(field.name, .string(findings.abcde[part].rawValue))
                    }
                ), "symptoms": .array(findings.values.texts(TriageFindings.symptoms).map { .string($0) }),
                "notes": .text(findings.values, TriageFindings.notes),
                "isCompleted": .bool(findings.isComplete),
                "vitalSigns": vitals == VitalSigns()
                    ? nil
                    : .present([
                        "temperature": vitals.temperature.map { .number($0.description) },
                        "heartRate": vitals.heartRate.map { .integer($0) },
                        "respiratoryRate": vitals.respiratoryRate.map { .integer($0) },
                        "bloodPressure": pressure.map { .string($0) },
                        "weight": vitals.weight.map { .number($0.description) },
                        "measuredAt": .seconds(triage.arrivedAt),
                    ]),
            ])
            .members
    }
}

extension TriageFindings {
    /// Whether all parts of the examination were looked at that VetNet requires.
    var isComplete: Bool {
        ABCDE.Part.allCases.filter { $0 != .exposure }.allSatisfy { abcde[$0] != .notAssessed }
    }
}

extension JSONValue {
    /// A moment as seconds since 2001, as an app's encoder writes it.
    fileprivate static func seconds(_ instant: Instant) -> JSONValue {
        .number(instant.secondsSinceReference.description)
    }

    fileprivate static func text(_ values: FieldValues, _ field: Field) -> JSONValue? {
        values.text(field).map { .string($0) }
    }
}
