package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// The clients of practices, their waiting lists and their recalls.
package enum ClientEndpoints: OperationGroup {
    package static let list = Endpoint(
        .get,
        "/v1/practices/{practice}/clients",
        id: "listClients",
        "List the clients of a practice",
        tag: .clinic,
        takes: .practice,
        .query(.asOf, as: AsOf.self),
        returns: .list("clients", "Clients", "The clients, in the order of their last names.")
    ) { journal, caller, practice, asOf in
        try await journal.clients.list(of: practice, asOf: asOf, caller).map { ClientDocument($0) }
    }

    package static let add = Endpoint(
        .post,
        "/v1/practices/{practice}/clients",
        id: "addClient",
        "Add a client to a practice",
        tag: .clinic,
        takes: .practice,
        .settings(
            ClientProfile.self,
            "ClientProfile",
            example: (
                "client", ["firstName": "Clara", "lastName": "Keller", "email": "clara@example.org"] as JSONValue
            )
        ),
        returns: .created("The client was added."),
        problems: [.conflict]
    ) { journal, caller, practice, profile in
        try await journal.clients.addClient(profile, to: practice, caller)
    }

    package static let change = Endpoint(
        .put,
        "/v1/practices/{practice}/clients/{client}",
        id: "changeClient",
        "Replace the description of a client",
        tag: .clinic,
        takes: .practice,
        .client,
        .settings(ClientProfile.self, "ClientProfile", example: ("client", ["lastName": "Keller"] as JSONValue)),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, client, profile in
        try await journal.clients.changeClient(client, in: practice, profile, caller)
    }

    package static let end = Endpoint(
        .delete,
        "/v1/practices/{practice}/clients/{client}",
        id: "endClient",
        "Note that somebody is no client any more; no animal is touched by it",
        tag: .clinic,
        takes: .practice,
        .client,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, client in
        try await journal.clients.endClient(client, in: practice, caller)
    }

    package static let erase = Endpoint(
        .post,
        "/v1/practices/{practice}/clients/{client}/erase",
        id: "eraseClient",
        "Make the data of a client unreadable for good; no animal is touched by it",
        description: "The journal keeps the reason, which must therefore not describe the person.",
        tag: .clinic,
        reason: .query(.requiredReason),
        takes: .practice,
        .client,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, client in
        try await journal.clients.eraseClient(client, in: practice, caller)
    }

    // MARK: The waiting list

    package static let waiting = Endpoint(
        .get,
        "/v1/practices/{practice}/waiting",
        id: "showWaitingList",
        "List the patients who wait for a time, the most urgent one first",
        description: "With `start`, only those whom a time suits that became free. Nobody is booked by a machine.",
        tag: .clinic,
        takes: .practice,
        .freeTime,
        returns: .list("waiting", "WaitingList", "The patients; each is a read of its record.")
    ) { journal, caller, practice, question in
        try await journal.clients.waitingList(of: practice, suiting: question, caller).map(\.document)
    }

    package static let addWait = Endpoint(
        .post,
        "/v1/practices/{practice}/waiting",
        id: "addToWaitingList",
        "Put a patient on the waiting list",
        tag: .clinic,
        takes: .practice,
        .body(WaitRequest.self, "WaitRequest"),
        returns: .created("The patient waits."),
        problems: [.conflict, .erased]
    ) { journal, caller, practice, asked in
        try await journal.clients.addWait(asked.wish, of: asked.record, at: practice, caller)
    }

    package static let offer = Endpoint(
        .post,
        "/v1/practices/{practice}/waiting/{wait}/offer",
        id: "offerTime",
        "Reserve a time for a patient who waits; it is booked with `bookReservedAppointment`",
        tag: .clinic,
        takes: .id("wait"),
        .offer,
        returns: .created("The time is reserved."),
        problems: [.conflict, .slotTaken, .erased]
    ) { journal, caller, wait, offer in
        try await journal.clients.offerWait(wait, offer.asked, until: offer.until, caller)
    }

    package static let withdraw = Endpoint(
        .delete,
        "/v1/practices/{practice}/waiting/{wait}",
        id: "withdrawFromWaitingList",
        "Take a patient off the waiting list",
        tag: .clinic,
        takes: .practice,
        .id("wait"),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, wait in
        try await journal.clients.withdrawWait(wait, in: practice, caller)
    }

    // MARK: Recalls

    package static let recalls = Endpoint(
        .get,
        "/v1/practices/{practice}/recalls",
        id: "listRecalls",
        "List the patients who are to come again up to a day",
        tag: .clinic,
        takes: .practice,
        .required(.dueBy, as: Day.self),
        returns: .list("recalls", "Recalls", "The recalls, the earliest one first; each is a read of its record.")
    ) { journal, caller, practice, day in
        try await journal.patients.recalls(of: practice, dueBy: day, caller).map(\.document)
    }

    package static let setRecall = Endpoint(
        .put,
        "/v1/practices/{practice}/patients/{record}/recalls/{recall}",
        id: "setRecall",
        "Note when a patient is to come again; an open recall of the same group is replaced",
        tag: .clinic,
        takes: .practice,
        .record,
        .id("recall"),
        .recall,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, practice, record, id, recall in
        try await journal.patients.setRecall(id, recall, of: record, at: practice, caller)
    }

    package static let dropRecall = Endpoint(
        .delete,
        "/v1/practices/{practice}/patients/{record}/recalls/{recall}",
        id: "dropRecall",
        "Note that a patient need not come again",
        tag: .clinic,
        takes: .practice,
        .record,
        .id("recall"),
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, practice, record, id in
        try await journal.patients.dropRecall(id, of: record, at: practice, caller)
    }

    static let operations = [
        Operation(list), Operation(add), Operation(change), Operation(end), Operation(erase), Operation(waiting),
        Operation(addWait), Operation(offer), Operation(withdraw), Operation(recalls), Operation(setRecall),
        Operation(dropRecall),
    ]

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
}

/// What a patient waits for.
package struct WaitRequest: RequestBodyDocument {
    package var record: UUID
    package var wish: WaitProfile

    package init(_ wish: WaitProfile, of record: UUID) {
        (self.record, self.wish) = (record, wish)
    }

    init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(["record", "wish"])
        wish = try SettingsDocument<WaitProfile>(object.object("wish")).settings
        record = try object.id("record")
    }

    var json: JSONValue { ["record": .string(record.text), "wish": SettingsDocument(wish).json] }
}

/// A time that is offered to a patient who waits.
package struct WaitOffer: Sendable {
    package var asked: AppointmentRequest
    package var until: Instant

    package init(_ asked: AppointmentRequest, until: Instant) {
        (self.asked, self.until) = (asked, until)
    }
}

extension RequestPart where Value == UUID {
    fileprivate static var client: Self { id("client") }
}

extension RequestPart where Value == WaitOffer {
    /// The time in the body, at the practice in the path.
    fileprivate static var offer: Self {
        Self(names: ["practice"], body: BodyDescription(schema: "WaitOffer", examples: [])) { request in
            let object = try request.object
            try object.requireMembers(["record", "start", "until", "service", "specialist"])
            var asked = AppointmentRequest(
                practice: try request.id("practice"),
                record: try object.id("record"),
                start: try .init(parsing: object.required("start"))
            )
            asked.service = try object.optionalID("service")
            asked.specialist = try object.optionalID("specialist")
            return WaitOffer(asked, until: try object.instant("until"))
        } write: { offer, request in
            request.parameters["practice"] = offer.asked.practice.text
            request.body = .present([
                "record": .string(offer.asked.record.text), "start": .string(offer.asked.start.text),
                "until": .time(offer.until), "service": offer.asked.service.map { .string($0.text) },
                "specialist": offer.asked.specialist.map { .string($0.text) },
            ])
        }
    }
}

extension RequestPart where Value == WaitQuestion? {
    /// A time that became free.
    fileprivate static var freeTime: Self {
        Self(parameters: [.freeStart, .freeMinutes, .freeSpecialist]) { request in
            let minutes = try request.query.integer(.freeMinutes)
            let specialist: UUID? = try request.query.value(.freeSpecialist)
            let start = try request.query[.freeStart].map { try AppointmentRequest.Start(parsing: $0) }
            return start.map { WaitQuestion(start: $0, minutes: minutes ?? 15, specialist: specialist) }
        } write: { question, request in
            guard let question else { return }
            request.query += [("start", question.start.text), ("minutes", String(question.minutes))]
            if let specialist = question.specialist { request.query.append(("specialist", specialist.text)) }
        }
    }
}

extension RequestPart where Value == RegistrationState.Recall {
    fileprivate static var recall: Self {
        Self(body: BodyDescription(schema: "Recall", examples: [])) {
            try RecallDocument.recall(request: $0.object)
        } write: {
            $1.body = RecallDocument.members($0)
        }
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
