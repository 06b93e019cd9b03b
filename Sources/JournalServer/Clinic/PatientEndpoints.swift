package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// The patients of practices.
package enum PatientEndpoints: OperationGroup {
    package static let list = Endpoint(
        .get,
        "/v1/practices/{practice}/patients",
        id: "listPatients",
        "List the patients of a practice; each is a read of its record",
        tag: .clinic,
        takes: .practice,
        .flag(.former),
        .query(.asOf, as: AsOf.self),
        returns: .list("patients", "Patients", "The patients, in the order of their names.")
    ) { journal, caller, practice, includesFormer, asOf in
        try await journal.patients.list(of: practice, includesFormer: includesFormer, asOf: asOf, caller)
            .map(\.document)
    }

    /// What a practice wrote in a record; the purpose of the request says what for.
    package static let written = Endpoint(
        .get,
        "/v1/practices/{practice}/patients/{record}/entries",
        id: "listWrittenEntries",
        "List the entries that the practice wrote in a record, also after its access ended",
        description: """
            A veterinarian or a manager of the practice reads them, and says in the header `Purpose` what for; an owner \
            of the record sees the read and its purpose. The entries are as they were known when the practice could \
            read them last.
            """,
        tag: .clinic,
        takes: .practice,
        .record,
        returns: .list("entries", "WrittenEntries", "The entries, in the order in which they were added.") {
            $0.found
        } read: { object throws(ModelError) in
            try EntryState(found: object)
        }
    ) { journal, caller, practice, record in
        try await journal.patients.entriesWritten(by: practice, in: record, caller)
    }

    /// What imported documents say of parts of a practice; there are few enough for one request.
    package static let sources = Endpoint(
        .post,
        "/v1/practices/{practice}/sources",
        effect: .read,
        id: "listSources",
        "Say what imported documents contain of parts of a practice that it has no fields for",
        description: """
            A part is the practice itself, a specialist, a client, an appointment or a triage. Parts that do not exist or \
            that the account may not see as a whole are left out.
            """,
        tag: .clinic,
        takes: .practice,
        .parts,
        returns: .list("sources", "Sources", "What is kept of each part, and when the part was added and changed.")
    ) { journal, caller, practice, parts in
        try await journal.practices.sources(of: parts, in: practice, caller)
    }

    package static let register = Endpoint(
        .put,
        "/v1/practices/{practice}/patients/{record}",
        id: "registerPatient",
        "Make an animal a patient of a practice, or replace what the practice keeps about it",
        description: """
            If the staff of a practice asks that does not keep the record, this is a request: the practice sees nothing \
            of the animal, and can book nothing for it, until an owner of the record accepts. What an owner of the \
            record asks for is accepted at once. `GET /v1/records/{record}/registrations` says which of them it is.
            """,
        tag: .clinic,
        takes: .practice,
        .record,
        .settings(RegistrationProfile.self, "Registration", example: ("number", ["number": "P-1042"] as JSONValue)),
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, practice, record, profile in
        try await journal.patients.registerPatient(record, at: practice, keeping: profile, caller)
    }

    package static let create = Endpoint(
        .post,
        "/v1/practices/{practice}/patients",
        id: "createPatient",
        "Create the record of an animal that becomes a patient, and its client",
        description: """
            The practice is the custodian of the record: its staff reads and changes it as their roles permit, until \
            it is transferred to the account of the owner.
            """,
        tag: .clinic,
        takes: .practice,
        .newPatient,
        returns: .createdPatient,
        problems: [.conflict]
    ) { journal, caller, practice, patient in
        try await journal.patients.createPatient(patient, at: practice, caller)
    }

    package static let end = Endpoint(
        .delete,
        "/v1/practices/{practice}/patients/{record}",
        id: "endRegistration",
        "End a registration, or refuse or withdraw the request for one",
        description: """
            Appointments that are booked stay in the practice's calendar, and do not take the animal's time at other \
            practices any more. The practice can only ask again.
            """,
        tag: .clinic,
        takes: .practice,
        .record,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, practice, record in
        try await journal.patients.endRegistration(of: record, at: practice, caller)
    }

    package static let accept = Endpoint(
        .post,
        "/v1/practices/{practice}/patients/{record}/accept",
        id: "acceptRegistration",
        "Accept the request of a practice to register an animal, as an owner of its record",
        tag: .clinic,
        takes: .practice,
        .record,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, practice, record in
        try await journal.patients.acceptRegistration(of: record, at: practice, caller)
    }

    package static let registrations = Endpoint(
        .get,
        "/v1/records/{record}/registrations",
        id: "listRegistrations",
        "List the practices at which an animal is or was registered, or that ask for it",
        description: "An owner of the record sees all of them, staff those at their practices.",
        tag: .clinic,
        takes: .record,
        returns: .list("registrations", "Registrations", "The registrations, the latest one first."),
        problems: [.erased]
    ) { journal, caller, record in
        try await journal.patients.registrations(of: record, caller).map(\.document)
    }

    static let operations = [
        Operation(list), Operation(written), Operation(sources), Operation(register), Operation(create),
        Operation(end), Operation(accept), Operation(registrations),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("Patients", OpenAPI.list("patients", PatientDocument.schema)),
        .init("Registrations", OpenAPI.list("registrations", RegistrationDocument.schema)),
        .init("WrittenEntries", OpenAPI.list("entries", of: "FoundEntry")),
        .init("Sources", OpenAPI.list("sources", PartSource.schema)),
        .init(
            "SourceQuery",
            OpenAPI.object([
                "ids": [
                    "type": "array", "items": JSONSchema.identifier,
                    "maxItems": .integer(Journal.Practices.maximumSources),
                ]
            ])
        ),
        .init("Registration", SettingsDocument<RegistrationProfile>.schema),
        .init(
            "NewPatient",
            OpenAPI.object(
                ["profile": OpenAPI.reference("AnimalProfile")],
                optional: [
                    "id": JSONSchema.identifier, "registration": OpenAPI.reference("Registration"),
                    "client": OpenAPI.reference("ClientProfile"),
                ]
            )
        ),
    ]
}

extension RequestPart where Value == [UUID] {
    /// The parts of a practice in the body.
    fileprivate static var parts: Self {
        let example: JSONValue = ["ids": ["6f9619ff-8b86-4d01-b42d-00cf4fc96400"]]
        return Self(body: BodyDescription(schema: "SourceQuery", examples: [("parts", example)])) {
            let object = try $0.object
            try object.requireMembers(["ids"])
            guard object.has("ids") else { throw JournalError(.invalid, field: "ids", "is required") }
            return try object.ids("ids")
        } write: {
            $1.body = ["ids": .array($0.map { .string($0.text) })]
        }
    }
}

extension RequestPart where Value == NewPatient {
    fileprivate static var newPatient: Self {
        let example: JSONValue = [
            "profile": ["name": "Rex", "species": "dog"],
            "client": ["firstName": "Paul", "lastName": "Moser", "phone": "+41 44 555 01 19"],
        ]
        return Self(body: BodyDescription(schema: "NewPatient", examples: [("walkIn", example)])) { request in
            let object = try request.object
            try object.requireMembers(["profile", "id", "registration", "client"])
            let (profile, id) = try NativeProfile.creation(of: .animal, object, now: request.now)
            var patient = NewPatient(profile, id: id)
            if let sent = try object.optionalObject("registration") { patient.registration = try sent.settings() }
            if let sent = try object.optionalObject("client") { patient.client = try sent.settings() }
            return patient
        } write: { patient, request in
            request.body = .present([
                "profile": NativeProfile.values(of: patient.profile), "id": patient.id.map { .string($0.text) },
                "registration": SettingsDocument(patient.registration).json,
                "client": patient.client.map { SettingsDocument($0).json },
            ])
        }
    }
}

extension EndpointAnswer where Output == WriteResult {
    fileprivate static let createdPatient = created(
        "Created. `Location` is the address of the record.",
        at: "/v1/records/",
        \.record
    )
}

extension Parameter {
    fileprivate static let former = flag(
        "former",
        "Whether to list also animals that are no patients any more and whose records the practice keeps."
    )
}
