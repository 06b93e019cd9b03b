import FoundationEssentials
import HealthModel

extension PracticeFHIRWriter {
    /// Adds the patients, the clients, and the relations between them.
    mutating func addPeople() {
        for patient in contents.patients { add(patient) }
        for client in contents.clients { add(client) }
    }

    private mutating func add(_ patient: PatientDocument) {
        let members =
            contents.records[patient.record].map { FHIR.PatientMembers($0.profile) }
            ?? FHIR.PatientMembers(name: patient.name, species: patient.species)
        let number: JSONValue? = patient.number.map {
            .present([
                "use": "secondary", "value": .string($0),
                "assigner": FHIR.reference(practice.id, display: practice.profile.name),
            ])
        }
        let own: JSONValue = ["system": .string(FHIR.recordSystem), "value": .string(patient.record.text)]
        bundle.add(
            "Patient",
            patient.record,
            [
                "extension": .list(members.extensions),
                "identifier": .array([own] + members.identifiers + (number.map { [$0] } ?? [])), "active": true,
                "name": members.name, "gender": members.gender, "birthDate": members.birthDate,
                "address": members.address, "managingOrganization": FHIR.reference(practice.id),
            ]
        )
    }

    /// Adds a client as one Person, and once more for each patient that the client brings, because a RelatedPerson
    /// belongs to exactly one Patient.
    private mutating func add(_ client: ClientDocument) {
        let profile = client.profile
        let values = profile.values
        let name: JSONValue = [
            .present([
                "text": .string(profile.fullName), "family": values.text(ClientProfile.lastName).map { .string($0) },
                "given": values.text(ClientProfile.firstName).map { [.string($0)] },
            ])
        ]
        let telecom = FHIR.telecom(phone: profile.phone, email: profile.email)
        let address = FHIR.address(values.group(ClientProfile.address)).map { JSONValue.array([$0]) }
        let isActive = JSONValue.bool(client.endedAt == nil)
        let brought = contents.patients.filter { $0.clients.contains(client.id) }.map(\.record)
        bundle.add(
            "Person",
            client.id,
            [
                "name": name, "telecom": telecom, "address": address,
                "managingOrganization": FHIR.reference(practice.id), "active": isActive,
                "link": .list(brought.map { ["target": FHIR.reference(related(client.id, to: $0))] }),
            ]
        )
        for record in brought {
            bundle.add(
                "RelatedPerson",
                related(client.id, to: record),
                [
                    "active": isActive, "patient": FHIR.reference(record),
                    "relationship": FHIR.concept("Client of the practice").map { [$0] }, "name": name,
                    "telecom": telecom, "address": address,
                ]
            )
        }
    }
}
