import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the specialists of a practice.
extension PracticeRoutes {
    static let specialistOperations = [
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/specialists",
            id: "listSpecialists",
            summary: "List the specialists who work or worked in a practice",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Specialists", "The specialists, in the order of their names.")],
            handler: specialists
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/specialists",
            id: "addSpecialist",
            summary: "Add a specialist to a practice",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "SpecialistProfile",
                examples: [
                    ("ada", ["name": "Ada Roth", "credentials": "Dr. med. vet.", "licenseNumber": "VD-12 345"])
                ]
            ),
            answers: [.json("Written", "The specialist was added.", status: 201, headers: [.eTag])],
            problems: [.conflict],
            handler: addSpecialist
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/specialists/{specialist}",
            id: "changeSpecialist",
            summary: "Replace the description of a specialist",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "SpecialistProfile", examples: [("ada", ["name": "Ada Roth-Berg"])]),
            answers: [.written],
            problems: [.conflict],
            handler: changeSpecialist
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/specialists/{specialist}/hours",
            id: "setHours",
            summary: "Set the hours of a specialist in a practice from a day on",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "Hours",
                examples: [("mornings", ["from": "2027-01-01", "hours": ["mon-thu 08:00-12:00"]])]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: setHours
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/specialists/{specialist}/absences/{absence}",
            id: "setAbsence",
            summary:
                "Note that a specialist is absent, under an id of the client's choice; no appointment is cancelled",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "Absence",
                examples: [
                    (
                        "ill",
                        ["from": "2027-03-02T07:00:00Z", "until": "2027-03-03T17:00:00Z", "why": "sick"]
                    )
                ]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: setAbsence
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/specialists/{specialist}/absences/{absence}",
            id: "removeAbsence",
            summary: "Remove an absence of a specialist",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: removeAbsence
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/specialists/{specialist}/join",
            id: "joinPractice",
            summary: "Let a specialist of another practice that the caller manages work in this one too",
            description: "The specialist has one diary in all practices, so that no two appointments overlap.",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: joinPractice
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/specialists/{specialist}/leave",
            id: "leavePractice",
            summary:
                "Note from which day on a specialist no longer works in this practice; no appointment is cancelled",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "LastDay", examples: [("end", ["from": "2027-07-01"])]),
            answers: [.written],
            problems: [.conflict],
            handler: leavePractice
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/specialists/{specialist}/end",
            id: "endSpecialist",
            summary: "Note from which day on a specialist no longer works in any practice; no appointment is cancelled",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "LastDay", examples: [("end", ["from": "2027-07-01"])]),
            answers: [.written],
            problems: [.conflict],
            handler: endSpecialist
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/specialists/{specialist}/end",
            id: "returnSpecialist",
            summary: "Note that a specialist works again",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: returnSpecialist
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/specialists/{specialist}/erase",
            id: "eraseSpecialist",
            summary: "Make the data of a specialist who no longer works unreadable for good; the appointments stay",
            description: "The journal keeps the reason, which must therefore not describe the person.",
            tag: .clinic,
            parameters: [.requiredReason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: eraseSpecialist
        ),
    ]

    private func eraseSpecialist(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response
    {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.eraseSpecialist(context.specialist(), in: context.practice(), caller).response()
    }

    private func specialists(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.specialists(of: context.practice(), asOf: query.asOf, context.requireCaller())
        return Response(["specialists": .array(found.map { SpecialistDocument($0).json })])
    }

    private func addSpecialist(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let practice = try context.practice()
        let (profile, caller): (SpecialistProfile, Caller) = try await read(request, context, query)
        return try await journal.addSpecialist(profile, to: practice, caller).response(.created)
    }

    private func changeSpecialist(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> Response {
        let (profile, caller): (SpecialistProfile, Caller) = try await read(request, context, query)
        return try await perform(.change(profile), context, caller)
    }

    private func setHours(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let document = try HoursDocument(object)
        let practice = try context.practice()
        return try await perform(
            .setHours(document.hours, document.preferences, practice: practice, from: document.from),
            context,
            caller
        )
    }

    private func setAbsence(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let absence = try AbsenceDocument.absence(request: object)
        return try await perform(.addAbsence(context.absence(), absence), context, caller)
    }

    private func removeAbsence(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await perform(.removeAbsence(context.absence()), context, caller)
    }

    private func endSpecialist(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["from"])
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        return try await perform(.end(from: try Day(parsing: document.text("from"))), context, caller)
    }

    private func joinPractice(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await perform(.join(practice: context.practice()), context, caller)
    }

    private func leavePractice(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["from"])
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        let day = try Day(parsing: document.text("from"))
        return try await perform(.leave(practice: context.practice(), from: day), context, caller)
    }

    private func returnSpecialist(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> Response {
        try await perform(.takeBack, context, context.writer(request, reason: query[.reason]))
    }

    private func perform(
        _ command: SpecialistCommand,
        _ context: ServerContext,
        _ caller: Caller
    ) async throws -> Response {
        try await journal.changeSpecialist(context.specialist(), in: context.practice(), caller) { _ in command }
            .response()
    }
}
