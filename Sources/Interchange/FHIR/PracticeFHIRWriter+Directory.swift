import FoundationEssentials
import HealthModel

extension PracticeFHIRWriter {
    /// Adds the practice, its rooms and services, and the specialists with their hours.
    mutating func addDirectory() {
        let profile = practice.profile
        let values = profile.values
        let location = values.group(PracticeProfile.location)
        let address = FHIR.address(location?.group(ClinicFields.address))
        let telecom = FHIR.telecom(phone: values.text(PracticeProfile.phone), email: values.text(PracticeProfile.email))
        bundle.add(
            "Organization",
            practice.id,
            [
                "extension": [FHIR.ownExtension("zone", "String", .string(profile.zone))],
                "active": .bool(practice.closedAt == nil), "name": .string(profile.name), "telecom": telecom,
                "address": address.map { [$0] },
            ]
        )
        let position: JSONValue? = location?.decimal(ClinicFields.latitude)
            .flatMap { latitude in
                location?.decimal(ClinicFields.longitude)
                    .map {
                        [
                            "longitude": .number($0.description), "latitude": .number(latitude.description),
                        ]
                    }
            }
        let timetable = practice.timetables.filter { $0.from <= contents.today }.max { $0.from < $1.from }?.timetable
        bundle.add(
            "Location",
            site,
            [
                "status": practice.closedAt == nil ? "active" : "inactive", "name": .string(profile.name),
                "mode": "instance", "telecom": telecom, "address": address, "position": position,
                "managingOrganization": FHIR.reference(practice.id),
                "hoursOfOperation": timetable?.usual.fhir(open: "openingTime", close: "closingTime"),
                "availabilityExceptions": timetable.flatMap { .notEmpty(exceptions($0)) },
            ]
        )
        for place in practice.places { add(place) }
        for service in practice.services { add(service) }
        for specialist in contents.specialists { add(specialist) }
    }

    /// The days and hours that differ from the usual ones, in words.
    private func exceptions(_ timetable: Timetable) -> String {
        let emergency = timetable.emergency.lines.map { "emergencies: \($0)" }
        return (timetable.holidays.map(\.description) + emergency).joined(separator: "; ")
    }

    private mutating func add(_ place: PartDocument<PlaceProfile>) {
        bundle.add(
            "Location",
            place.id,
            [
                "status": place.endedAt == nil ? "active" : "inactive", "name": .string(place.profile.name),
                "mode": "instance",
                "physicalType": FHIR.concept(nil, FHIR.Coding(FHIR.System.physicalType, "ro", "Room")),
                "managingOrganization": FHIR.reference(practice.id), "partOf": FHIR.reference(site),
            ]
        )
        addSchedule(of: place.id, name: place.profile.name, isActive: place.endedAt == nil)
    }

    private mutating func add(_ service: PartDocument<ServiceProfile>) {
        let profile = service.profile
        let rooms = profile.places.filter { room in practice.places.contains { $0.id == room } }
        bundle.add(
            "HealthcareService",
            service.id,
            [
                "active": .bool(service.endedAt == nil), "providedBy": FHIR.reference(practice.id),
                "type": FHIR.concept(profile.type.name).map { [$0] },
                "specialty": FHIR.concept(profile.values.text(ServiceProfile.specialty)).map { [$0] },
                "location": .array((rooms.isEmpty ? [site] : rooms).map { FHIR.reference($0) }),
                "name": .string(profile.name), "comment": .string("\(profile.minutes) minutes"),
                "appointmentRequired": true,
            ]
        )
    }

    private mutating func add(_ specialist: SpecialistDocument) {
        let profile = specialist.profile
        let values = profile.values
        func works(until day: Day?) -> Bool { day.map { contents.today < $0 } ?? true }
        let license: JSONValue? = values.text(SpecialistProfile.licenseNumber).map { [["value": .string($0)]] }
        let qualification: JSONValue? =
            FHIR.concept(values.text(SpecialistProfile.credentials) ?? (license.map { _ in "Licence" }))
            .map { code in
                [
                    .present([
                        "identifier": license, "code": code,
                        "period": FHIR.period(nil, profile.licenseUntil.map { "\($0)" }),
                        "issuer": values.text(SpecialistProfile.licenseAuthority).map { ["display": .string($0)] },
                    ])
                ]
            }
        bundle.add(
            "Practitioner",
            specialist.id,
            [
                "active": .bool(works(until: specialist.endedFrom)), "name": [["text": .string(profile.name)]],
                "qualification": qualification,
            ]
        )
        let post = specialist.posts.first { $0.practice == practice.id }
        let hours = post?.hours.filter { $0.from <= contents.today }.max { $0.from < $1.from }?.hours
        let isActive = works(until: specialist.endedFrom) && works(until: post?.leftFrom)
        // `endedFrom` and `leftFrom` are the first day without work; a Period ends with its last day.
        let last = [specialist.endedFrom, post?.leftFrom].compactMap(\.self).min()?.adding(days: -1)
        bundle.add(
            "PractitionerRole",
            Self.derived(specialist.id, "PractitionerRole/\(practice.id.text)"),
            [
                "active": .bool(isActive), "period": FHIR.period(nil, last.map { "\($0)" }),
                "practitioner": FHIR.reference(specialist.id, display: profile.name),
                "organization": FHIR.reference(practice.id, display: practice.profile.name),
                "specialty": .list(profile.expertise.compactMap { FHIR.concept($0.specialty) }),
                "location": [FHIR.reference(site)],
                "availableTime": hours?.fhir(open: "availableStartTime", close: "availableEndTime"),
                // The reason for an absence is visible to colleagues only.
                "notAvailable": .list(
                    specialist.absences.map {
                        let span = $0.absence.span
                        return .present([
                            "description": "Absent",
                            "during": FHIR.period(span.start.description, span.end.description),
                        ])
                    }
                ),
            ]
        )
        addSchedule(of: specialist.id, name: profile.name, isActive: isActive)
    }

    private mutating func addSchedule(of resource: UUID, name: String, isActive: Bool) {
        let days = contents.days
        bundle.add(
            "Schedule",
            schedule(of: resource),
            [
                "active": .bool(isActive), "actor": [FHIR.reference(resource, display: name)],
                "planningHorizon": FHIR.period("\(days.lowerBound)", "\(days.upperBound)"),
            ]
        )
    }
}
