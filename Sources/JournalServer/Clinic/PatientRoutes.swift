import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the patients of practices.
struct PatientRoutes: Routes {
    let services: Services

    static let schemas: [JSONValue.Member] = [
        .init("Patients", OpenAPI.list("patients", PatientDocument.schema)),
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

    static let operations = [
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/patients",
            id: "listPatients",
            summary: "List the patients of a practice; each is a read of its record",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Patients", "The patients, in the order of their names.")],
            handler: patients
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/patients/{record}",
            id: "registerPatient",
            summary: "Make an animal a patient of a practice, or replace what the practice keeps about it",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "Registration", examples: [("number", ["number": "P-1042"])]),
            answers: [.written],
            problems: [.conflict, .erased],
            handler: register
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/patients",
            id: "createPatient",
            summary: "Create the record of an animal that becomes a patient, and its client",
            description: """
                The practice is the custodian of the record: its staff reads and changes it as their roles permit, until \
                it is transferred to the account of the owner.
                """,
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "NewPatient",
                examples: [
                    (
                        "walkIn",
                        [
                            "profile": ["name": "Rex", "species": "dog"],
                            "client": ["firstName": "Paul", "lastName": "Moser", "phone": "+41 44 555 01 19"],
                        ]
                    )
                ]
            ),
            answers: [
                .json(
                    "Written",
                    "Created. `Location` is the address of the record.",
                    status: 201,
                    headers: [.eTag, .location]
                )
            ],
            problems: [.conflict],
            handler: create
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/patients/{record}",
            id: "endRegistration",
            summary: "Note that an animal is no patient any more; appointments that are booked stay",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased],
            handler: endRegistration
        ),
    ]

    private func patients(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.patients(of: context.practice(), asOf: query.asOf, context.requireCaller())
        return Response(["patients": .array(found.map(\.document.json))])
    }

    private func register(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let profile: RegistrationProfile = try settings(object)
        return try await journal.registerPatient(context.record(), at: context.practice(), keeping: profile, caller)
            .response()
    }

    private func create(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        try object.requireMembers(["profile", "id", "registration", "client"])
        let (profile, id) = try NativeProfile.creation(of: .animal, object, now: journal.now)
        var patient = NewPatient(profile, id: id)
        if let sent = try object.optionalObject("registration") { patient.registration = try settings(sent) }
        if let sent = try object.optionalObject("client") { patient.client = try settings(sent) }
        let result = try await journal.createPatient(patient, at: context.practice(), caller)
        return result.response(.created, location: result.record.map { "/v1/records/\($0.text)" })
    }

    private func settings<Profile: ClinicProfile>(_ object: NativeObject) throws -> Profile {
        try object.requireMembers(SettingsDocument<Profile>.names)
        return try SettingsDocument<Profile>(object).settings
    }

    private func endRegistration(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.endRegistration(of: context.record(), at: context.practice(), caller).response()
    }
}
