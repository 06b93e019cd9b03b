import FoundationEssentials
import HealthModel

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

    package var json: JSONValue {
        let profile = practice.profile
        let shown = Set(patients.map(\.record))
        let timetable = practice.timetables.filter { $0.from <= today }.max { $0.from < $1.from }?.timetable
        return [
            "practices": [
                .present([
                    "practiceID": .string(practice.id.text), "name": .string(profile.name),
                    "timeZone": .string(profile.zone), "location": location(profile),
                    "operatingHours": timetable.map(hours),
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
                    "createdAt": .seconds(practice.createdAt),
                    "specialists": .array(contents.specialists.map(specialist)),
                    "owners": .array(clients.map(client)), "patients": .array(patients.map(patient)),
                    "appointments": .array(
                        appointments.filter { $0.status != .held && shown.contains($0.record) }.map(appointment)
                    ),
                    "triageAssessments": .array(
                        contents.triages.filter { shown.contains($0.record) }.compactMap(assessment)
                    ),
                ])
            ]
        ]
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

    private func hours(_ timetable: Timetable) -> JSONValue {
        .present([
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
    }

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

    private func specialist(_ specialist: SpecialistDocument) -> JSONValue {
        let values = specialist.profile.values
        let hours = specialist.posts.first { $0.practice == practice.id }?.hours.max { $0.from < $1.from }?.hours
        return .present([
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
            "availabilitySchedule": hours.map { ["weeklySchedule": weekdays($0)] },
            "isActive": .bool(specialist.endedFrom.map { today < $0 } ?? true),
        ])
    }

    private func client(_ client: ClientDocument) -> JSONValue {
        let values = client.profile.values
        let contact = values.group(ClientProfile.emergencyContact)
        return .present([
            "ownerID": .string(client.id.text), "firstName": .text(values, ClientProfile.firstName),
            "lastName": .text(values, ClientProfile.lastName), "email": .text(values, ClientProfile.email),
            "phoneNumber": .text(values, ClientProfile.phone), "address": address(values.group(ClientProfile.address)),
            "emergencyContact": contact.map {
                .present([
                    "name": .text($0, EmergencyContact.name), "phoneNumber": .text($0, EmergencyContact.phone),
                    "email": .text($0, EmergencyContact.email),
                    "relationship": .text($0, EmergencyContact.relationship),
                ])
            }, "preferredCommunication": .string(client.profile.preferredWay.rawValue),
            "isActive": .bool(client.endedAt == nil), "createdAt": .seconds(client.addedAt),
        ])
    }

    private func patient(_ patient: PatientDocument) -> JSONValue {
        let record = contents.records[patient.record]
        let owners = Set(clients.map(\.id))
        let values = record?.profile.values ?? FieldValues()
        let lastVisit = appointments.filter { $0.record == patient.record && $0.status == .completed }
            .map(\.details.start).max()
        var members: [JSONValue.Member] = [
            .init("patientID", .string(patient.record.text)), .init("name", .string(patient.name)),
        ]
        let optional: [(String, JSONValue?)] = [
            ("species", patient.species.map { .string($0) }), ("breed", .text(values, RecordProfile.breed)),
            ("color", .text(values, RecordProfile.color)), ("gender", .text(values, RecordProfile.sex)),
            ("microchipNumber", .text(values, RecordProfile.animalID)),
            ("dateOfBirth", values.partialDate(RecordProfile.birthdate).map { .string("\($0)") }),
            ("ownerId", patient.clients.first(where: owners.contains).map { .string($0.text) }),
            ("isActive", .bool(true)),
            ("lastVisit", lastVisit.map { .seconds($0) }), ("medicalHistory", record.map(history)),
        ]
        for (name, value) in optional { if let value { members.append(.init(name, value)) } }
        // What an import kept beside the record.
        for extra in record?.profile.extra ?? [] where !members.contains(where: { $0.name == extra.name }) {
            if let value = try? JSONReader.read(Array(extra.json.utf8)) { members.append(.init(extra.name, value)) }
        }
        return .object(members)
    }

    private func history(_ record: RecordState) -> JSONValue {
        let lists: [(member: String, kind: Kind)] = [
            ("conditions", Illness.kind), ("medications", Drug.kind), ("allergies", Allergy.kind),
            ("vaccinations", Vaccination.kind), ("surgicalHistory", Surgery.kind),
        ]
        return .object(
            lists.map { member, kind in
                .init(member, .array(record.activeEntries(of: kind).map(item)))
            }
        )
    }

    private func item(_ entry: EntryState) -> JSONValue {
        let content = entry.content
        func text(_ name: String) -> JSONValue? {
            content.kind.fields.first { $0.name == name }.flatMap { content.body.text($0) }.map { .string($0) }
        }
        var members: [JSONValue.Member] = [.init("id", .string(entry.id.text))]
        for name in ["name", "information"] { if let value = text(name) { members.append(.init(name, value)) } }
        if let date = content.date { members.append(.init("date", .string("\(date.day)"))) }
        for extra in content.extra {
            if let value = try? JSONReader.read(Array(extra.json.utf8)) { members.append(.init(extra.name, value)) }
        }
        return .object(members)
    }

    private func appointment(_ appointment: AppointmentDocument) -> JSONValue {
        let details = appointment.details
        let actual = appointment.begunAt.flatMap { begun in
            appointment.completedAt.map { ($0.microseconds - begun.microseconds) / 1_000_000 }
        }
        return .present([
            "appointmentID": .string(appointment.id.text), "scheduledDateTime": .seconds(details.start),
            "estimatedDuration": .integer(details.minutes * 60),
            "actualDuration": actual.flatMap { $0 > 0 ? .integer($0) : nil },
            "status": .string(appointment.status.rawValue), "type": .string(details.type.rawValue),
            "reason": .string(details.reason), "notes": .notEmpty(details.notes),
            "appointmentNotes": .array(appointment.notes.map { ["text": .string($0.text)] }),
            "patientId": .string(appointment.record.text),
            "specialistId": details.specialist.map { .string($0.text) },
        ])
    }

    /// An assessment, if the reader sees what it was computed from.
    private func assessment(_ triage: TriageDocument) -> JSONValue? {
        guard let assessment = triage.assessment else { return nil }
        let findings = assessment.findings
        let vitals = findings.vitals
        let pressure = vitals.bloodPressure.flatMap { pressure in
            pressure.systolic.flatMap { systolic in pressure.diastolic.map { "\(systolic)/\($0)" } }
        }
        return .present([
            "assessmentID": .string(triage.id.text), "patientId": .string(triage.record.text),
            "appointmentId": triage.appointment.map { .string($0.text) },
            "assessmentDateTime": .seconds(triage.arrivedAt), "vtlUrgencyLevel": .integer(triage.level.rawValue),
            "abcdeAssessment": .object(
                TriageFindings.examination.map { part, field in
                    .init(field.name, .string(findings.abcde[part].rawValue))
                }
            ), "symptoms": .array(findings.values.texts(TriageFindings.symptoms).map { .string($0) }),
            "notes": .text(findings.values, TriageFindings.notes),
            "isCompleted": .bool(
                ABCDE.Part.allCases.filter { $0 != .exposure }.allSatisfy { findings.abcde[$0] != .notAssessed }
            ),
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
