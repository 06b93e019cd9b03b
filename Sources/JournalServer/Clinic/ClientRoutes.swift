import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the clients of practices, their waiting lists and their recalls.
struct ClientRoutes: Routes {
    let services: Services

    static let operations: [Operation] = clientOperations + waitOperations + recallOperations

    static let schemas: [JSONValue.Member] = [
        .init("ClientProfile", ClientDocument.profileSchema),
        .init("Clients", OpenAPI.list("clients", ClientDocument.schema)),
        .init("WaitRequest", waitSchema),
        .init("WaitingList", OpenAPI.list("waiting", WaitDocument.schema)),
        .init("WaitOffer", offerSchema),
        .init("Recall", RecallDocument.requestSchema),
        .init("Recalls", OpenAPI.list("recalls", RecallDocument.schema)),
    ]

    private static let waitSchema = OpenAPI.object([
        "record": JSONSchema.identifier, "wish": SettingsDocument<WaitProfile>.schema,
    ])

    private static let offerSchema = OpenAPI.object(
        ["record": JSONSchema.identifier, "start": AppointmentRequest.Start.schema, "until": JSONSchema.sentTime],
        optional: [
            "service": JSONSchema.orNull(JSONSchema.identifier),
            "specialist": JSONSchema.orNull(JSONSchema.identifier),
        ]
    )

    // MARK: Clients

    private static let clientOperations = [
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/clients",
            id: "listClients",
            summary: "List the clients of a practice",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Clients", "The clients, in the order of their last names.")],
            handler: clients
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/clients",
            id: "addClient",
            summary: "Add a client to a practice",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "ClientProfile",
                examples: [
                    ("client", ["firstName": "Clara", "lastName": "Keller", "email": "clara@example.org"])
                ]
            ),
            answers: [.json("Written", "The client was added.", status: 201, headers: [.eTag])],
            problems: [.conflict],
            handler: addClient
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/clients/{client}",
            id: "changeClient",
            summary: "Replace the description of a client",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "ClientProfile", examples: [("client", ["lastName": "Keller"])]),
            answers: [.written],
            problems: [.conflict],
            handler: changeClient
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/clients/{client}",
            id: "endClient",
            summary: "Note that somebody is no client any more; no animal is touched by it",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: endClient
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/clients/{client}/erase",
            id: "eraseClient",
            summary: "Make the data of a client unreadable for good; no animal is touched by it",
            description: "The journal keeps the reason, which must therefore not describe the person.",
            tag: .clinic,
            parameters: [.requiredReason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: eraseClient
        ),
    ]

    private func clients(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.clients(of: context.practice(), asOf: query.asOf, context.requireCaller())
        return Response(["clients": .array(found.map { ClientDocument($0).json })])
    }

    private func addClient(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let profile = try profile(object)
        return try await journal.addClient(profile, to: context.practice(), caller).response(.created)
    }

    private func changeClient(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let profile = try profile(object)
        return try await journal.changeClient(context.practiceClient(), in: context.practice(), profile, caller)
            .response()
    }

    private func endClient(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.endClient(context.practiceClient(), in: context.practice(), caller).response()
    }

    private func eraseClient(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.eraseClient(context.practiceClient(), in: context.practice(), caller).response()
    }

    private func profile(_ object: NativeObject) throws -> ClientProfile {
        try object.requireMembers(SettingsDocument<ClientProfile>.names)
        return try SettingsDocument<ClientProfile>(object).settings
    }

    // MARK: The waiting list

    private static let waitOperations = [
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/waiting",
            id: "showWaitingList",
            summary: "List the patients who wait for a time, the most urgent one first",
            description: "With `start`, only those whom a time suits that became free. Nobody is booked by a machine.",
            tag: .clinic,
            parameters: [.freeStart, .freeMinutes, .freeSpecialist],
            answers: [.json("WaitingList", "The patients; each is a read of its record.")],
            handler: waiting
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/waiting",
            id: "addToWaitingList",
            summary: "Put a patient on the waiting list",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "WaitRequest", examples: []),
            answers: [.json("Written", "The patient waits.", status: 201, headers: [.eTag])],
            problems: [.conflict, .erased],
            handler: addWait
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/waiting/{wait}/offer",
            id: "offerTime",
            summary: "Reserve a time for a patient who waits; it is booked with `bookReservedAppointment`",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "WaitOffer", examples: []),
            answers: [.json("Written", "The time is reserved.", status: 201, headers: [.eTag])],
            problems: [.conflict, .slotTaken, .erased],
            handler: offer
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/waiting/{wait}",
            id: "withdrawFromWaitingList",
            summary: "Take a patient off the waiting list",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: withdraw
        ),
    ]

    private func waiting(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let minutes = try query.integer(.freeMinutes)
        let specialist = try query.value(.freeSpecialist) { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be a UUID") }
            return id
        }
        let start = try query[.freeStart].map { try AppointmentRequest.Start(parsing: $0) }
        let found = try await journal.waitingList(
            of: context.practice(),
            suiting: start.map { WaitQuestion(start: $0, minutes: minutes ?? 15, specialist: specialist) },
            context.requireCaller()
        )
        return Response(["waiting": .array(found.map(\.document.json))])
    }

    private func addWait(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        try object.requireMembers(["record", "wish"])
        let wish = try SettingsDocument<WaitProfile>(object.object("wish")).settings
        return
            try await journal.addWait(wish, of: object.id("record"), at: context.practice(), caller)
            .response(.created)
    }

    private func offer(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        try object.requireMembers(["record", "start", "until", "service", "specialist"])
        var asked = AppointmentRequest(
            practice: try context.practice(),
            record: try object.id("record"),
            start: try .init(parsing: object.required("start"))
        )
        asked.service = try object.optionalID("service")
        asked.specialist = try object.optionalID("specialist")
        let until = try object.instant("until")
        return try await journal.offerWait(context.wait(), asked, until: until, caller).response(.created)
    }

    private func withdraw(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.withdrawWait(context.wait(), in: context.practice(), caller).response()
    }

    // MARK: Recalls

    private static let recallOperations = [
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/recalls",
            id: "listRecalls",
            summary: "List the patients who are to come again up to a day",
            tag: .clinic,
            parameters: [.dueBy],
            answers: [.json("Recalls", "The recalls, the earliest one first; each is a read of its record.")],
            handler: recalls
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/patients/{record}/recalls/{recall}",
            id: "setRecall",
            summary: "Note when a patient is to come again; an open recall of the same group is replaced",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "Recall", examples: []),
            answers: [.written],
            problems: [.conflict, .erased],
            handler: setRecall
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/patients/{record}/recalls/{recall}",
            id: "dropRecall",
            summary: "Note that a patient need not come again",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased],
            handler: dropRecall
        ),
    ]

    private func recalls(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let day = try query.value(.dueBy) { text throws(ModelError) in try Day(parsing: text) }
        guard let day else { throw JournalError(.invalid, field: "due", "is required") }
        let found = try await journal.recalls(of: context.practice(), dueBy: day, context.requireCaller())
        return Response(["recalls": .array(found.map(\.document.json))])
    }

    private func setRecall(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let recall = try RecallDocument.recall(request: object)
        return
            try await journal.setRecall(
                context.recall(),
                recall,
                of: context.record(),
                at: context.practice(),
                caller
            )
            .response()
    }

    private func dropRecall(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return
            try await journal.dropRecall(context.recall(), of: context.record(), at: context.practice(), caller)
            .response()
    }
}

extension Parameter {
    fileprivate static let freeStart = Parameter(
        .query,
        "start",
        component: "freeStart",
        "A time that became free.",
        schema: AppointmentRequest.Start.schema
    )
    fileprivate static let freeMinutes = Parameter.integer(
        .query,
        "minutes",
        component: "freeMinutes",
        in: 5...1_440,
        "How long it is, with `start`; by default 15 minutes."
    )
    fileprivate static let freeSpecialist = Parameter(
        .query,
        "specialist",
        component: "freeSpecialist",
        "Whose time it is, with `start`.",
        schema: JSONSchema.identifier
    )
    fileprivate static let dueBy = Parameter(
        .query,
        "due",
        component: "dueBy",
        isRequired: true,
        "The last day.",
        schema: JSONSchema.dayText
    )
}
