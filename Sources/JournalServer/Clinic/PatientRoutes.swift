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
        .init("Registrations", OpenAPI.list("registrations", RegistrationDocument.schema)),
        .init("WrittenEntries", OpenAPI.list("entries", of: "FoundEntry")),
        .init("Sources", OpenAPI.list("sources", PartSource.schema)),
        .init(
            "SourceQuery",
            OpenAPI.object([
                "ids": [
                    "type": "array", "items": JSONSchema.identifier, "maxItems": .integer(Journal.maximumSources),
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

    private static let former = Parameter.flag(
        "former",
        "Whether to list also animals that are no patients any more and whose records the practice keeps."
    )

    static let operations = [
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/patients",
            id: "listPatients",
            summary: "List the patients of a practice; each is a read of its record",
            tag: .clinic,
            parameters: [former, .asOf],
            answers: [.json("Patients", "The patients, in the order of their names.")],
            handler: patients
        ),
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/patients/{record}/entries",
            id: "listWrittenEntries",
            summary: "List the entries that the practice wrote in a record, also after its access ended",
            description: """
                A veterinarian or a manager of the practice reads them, and says in the header `Purpose` what for; an owner \
                of the record sees the read and its purpose. The entries are as they were known when the practice could \
                read them last.
                """,
            tag: .clinic,
            answers: [.json("WrittenEntries", "The entries, in the order in which they were added.")],
            handler: written
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/sources",
            id: "listSources",
            summary: "Say what imported documents contain of parts of a practice that it has no fields for",
            description: """
                A part is the practice itself, a specialist, a client, an appointment or a triage. Parts that do not exist or \
                that the account may not see as a whole are left out.
                """,
            tag: .clinic,
            parameters: [],
            body: BodyDescription(
                schema: "SourceQuery",
                examples: [("parts", ["ids": ["6f9619ff-8b86-4d01-b42d-00cf4fc96400"]])]
            ),
            answers: [.json("Sources", "What is kept of each part, and when the part was added and changed.")],
            handler: sources
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/patients/{record}",
            id: "registerPatient",
            summary: "Make an animal a patient of a practice, or replace what the practice keeps about it",
            description: """
                If the staff of a practice asks that does not keep the record, this is a request: the practice sees nothing \
                of the animal, and can book nothing for it, until an owner of the record accepts. What an owner of the \
                record asks for is accepted at once. `GET /v1/records/{record}/registrations` says which of them it is.
                """,
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
            summary: "End a registration, or refuse or withdraw the request for one",
            description: """
                Appointments that are booked stay in the practice's calendar, and do not take the animal's time at other \
                practices any more. The practice can only ask again.
                """,
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased],
            handler: endRegistration
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/patients/{record}/accept",
            id: "acceptRegistration",
            summary: "Accept the request of a practice to register an animal, as an owner of its record",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased],
            handler: acceptRegistration
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/registrations",
            id: "listRegistrations",
            summary: "List the practices at which an animal is or was registered, or that ask for it",
            description: "An owner of the record sees all of them, staff those at their practices.",
            tag: .clinic,
            answers: [.json("Registrations", "The registrations, the latest one first.")],
            problems: [.erased],
            handler: registrations
        ),
    ]

    private func patients(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.patients(
            of: context.practice(),
            includesFormer: query.flag(Self.former),
            asOf: query.asOf,
            context.requireCaller()
        )
        return Response(["patients": .array(found.map(\.document.json))])
    }

    private func written(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.requireCaller()
        let found = try await journal.entriesWritten(by: context.practice(), in: context.record(), caller)
        return Response(["entries": .array(found.map(\.found))])
    }

    private func sources(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let object = try await NativeObject(JSONReader.read(request.bytes(atMost: BodyLimits.jsonBytes)))
        try object.requireMembers(["ids"])
        guard object.has("ids") else { throw JournalError(.invalid, field: "ids", "is required") }
        let caller = try context.requireCaller()
        let found = try await journal.sources(of: object.ids("ids"), in: context.practice(), caller)
        return Response(["sources": .array(found.map(\.json))])
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

    private func acceptRegistration(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.acceptRegistration(of: context.record(), at: context.practice(), caller).response()
    }

    private func registrations(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> Response {
        let found = try await journal.registrations(of: context.record(), context.requireCaller())
        return Response(["registrations": .array(found.map(\.document.json))])
    }
}
