import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for practices: their description, hours, services, rooms, members and specialists.
struct PracticeRoutes: Routes {
    let services: Services

    static let operations: [Operation] =
        practiceOperations + partOperations + specialistOperations

    static let schemas: [JSONValue.Member] = [
        .init("Practice", PracticeDocument.schema),
        .init("Practices", OpenAPI.list("practices", of: "Practice")),
        .init("PracticeProfile", SettingsDocument<PracticeProfile>.schema),
        .init("Timetable", TimetableDocument.schema),
        .init("ServiceProfile", SettingsDocument<ServiceProfile>.schema),
        .init("PlaceProfile", SettingsDocument<PlaceProfile>.schema),
        .init("BlockedTime", BlockedTime.requestSchema),
        .init("BlockedTimes", OpenAPI.list("blocked", BlockedTime.schema)),
        .init("Membership", MemberDocument.requestSchema),
        .init("Specialist", SpecialistDocument.schema),
        .init("Specialists", OpenAPI.list("specialists", of: "Specialist")),
        .init("SpecialistProfile", SettingsDocument<SpecialistProfile>.schema),
        .init("Hours", HoursDocument.schema),
        .init("Absence", AbsenceDocument.requestSchema),
        .init("LastDay", OpenAPI.object(["from": JSONSchema.dayText])),
    ]

    /// Reads the fields of a profile from the body of a request, and the caller.
    private func read<Profile: ClinicProfile>(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> (profile: Profile, caller: Caller) {
        let document = try await request.json(SettingsDocument<Profile>.names)
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        return (try SettingsDocument(NativeObject(document.value(without: ""))).settings, caller)
    }
}

// MARK: The practice

extension PracticeRoutes {
    private static let practiceOperations = [
        Operation(
            method: .get,
            path: "/v1/practices",
            id: "listPractices",
            summary: "List the practices of the journal",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Practices", "The practices, in the order in which they were created.")],
            problems: [.refused, .notFound],
            handler: list
        ),
        Operation(
            method: .post,
            path: "/v1/practices",
            id: "createPractice",
            summary: "Create a practice, of which the caller becomes a manager",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "PracticeProfile",
                examples: [("practice", ["name": "Two Rooms", "zone": "Europe/Zurich", "phone": "+41 26 555 07 08"])]
            ),
            answers: [.json("Written", "The practice was created.", status: 201, headers: [.eTag, .location])],
            problems: [.refused, .conflict],
            handler: create
        ),
        Operation(
            method: .get,
            path: "/v1/practices/{practice}",
            id: "showPractice",
            summary: "Show a practice with its hours, services, rooms and, for members, its members",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Practice", "The practice.", headers: [.eTag])],
            handler: show
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}",
            id: "changePractice",
            summary: "Replace the description of a practice",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "PracticeProfile",
                examples: [("practice", ["name": "Two Rooms", "zone": "Europe/Zurich", "notice": 12])]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: change
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/close",
            id: "closePractice",
            summary: "Close a practice: it can still be read, but no longer be changed",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: close
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/timetable",
            id: "setTimetable",
            summary: "Set the opening hours of a practice from a day on",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "Timetable",
                examples: [
                    (
                        "hours",
                        [
                            "from": "2027-01-01", "usual": ["mon-fri 08:00-12:00,13:00-17:00", "sat 09:00-12:00"],
                            "emergency": ["mon-fri 17:00-20:00"], "holidays": ["2027-12-25 closed Christmas"],
                        ]
                    )
                ]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: setTimetable
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/members/{account}",
            id: "setMember",
            summary: "Make an account a member of a practice, or change its roles",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "Membership", examples: [("nurse", ["roles": ["nurse", "receptionist"]])]),
            answers: [.written],
            problems: [.conflict],
            handler: setMember
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/members/{account}",
            id: "removeMember",
            summary: "End the membership of an account; the last manager cannot be removed",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: removeMember
        ),
    ]

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let practices = try await journal.practices(asOf: query.asOf, context.requireCaller())
        return Response(["practices": .array(practices.map(\.document.json))])
    }

    private func create(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (profile, caller): (PracticeProfile, Caller) = try await read(request, context, query)
        let result = try await journal.createPractice(profile, caller)
        return result.response(.created, location: result.id.map { "/v1/practices/\($0.text)" })
    }

    private func show(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let answer = try await journal.practice(context.practice(), asOf: query.asOf, context.requireCaller())
        return Response(answer.document.json).tagged(answer.practice.updated.position)
    }

    private func change(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let practice = try context.practice()
        let (profile, caller): (PracticeProfile, Caller) = try await read(request, context, query)
        return try await journal.changePractice(practice, caller) { _ in .change(profile) }.response()
    }

    private func close(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.changePractice(context.practice(), caller) { _ in .close }.response()
    }

    private func setTimetable(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let practice = try context.practice()
        let (object, caller) = try await request.object(context, query)
        let document = try TimetableDocument(object)
        return
            try await journal.changePractice(practice, caller) { _ in
                .setTimetable(document.timetable, from: document.from)
            }
            .response()
    }

    private func setMember(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (practice, account) = (try context.practice(), try context.account())
        let (object, caller) = try await request.object(context, query)
        let membership = try MemberDocument.membership(request: object)
        return try await journal.changeMembers(of: practice, .grant(account: account, membership), caller).response()
    }

    private func removeMember(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        let account = try context.account()
        return try await journal.changeMembers(of: context.practice(), .revoke(account: account), caller).response()
    }
}

// MARK: Services and rooms

extension PracticeRoutes {
    private static let partOperations = [
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/services/{service}",
            id: "setService",
            summary: "Add a service under an id of the client's choice, or replace its description",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "ServiceProfile",
                examples: [("checkUp", ["name": "Check-up", "type": "routine", "minutes": 30, "online": true])]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: setService
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/services/{service}",
            id: "endService",
            summary: "No longer offer a service; its appointments stay",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: endService
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/rooms/{room}",
            id: "setRoom",
            summary: "Add a room or a device under an id of the client's choice, or replace its description",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "PlaceProfile", examples: [("room", ["name": "Surgery", "capacity": 1])]),
            answers: [.written],
            problems: [.conflict],
            handler: setRoom
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/rooms/{room}",
            id: "endRoom",
            summary: "No longer use a room or a device; its appointments stay",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: endRoom
        ),
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/rooms/{room}/blocked",
            id: "listBlockedTimes",
            summary: "List the times of the next months in which a room cannot be used",
            tag: .clinic,
            answers: [.json("BlockedTimes", "The times that are not over, the earliest one first.")],
            handler: blockedTimes
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}/rooms/{room}/blocked/{block}",
            id: "blockRoom",
            summary: "Block a time of a room, such as for a repair, under an id of the client's choice",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "BlockedTime",
                examples: [("repair", ["from": "2027-03-02T07:00:00Z", "until": "2027-03-02T16:00:00Z"])]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: blockRoom
        ),
        Operation(
            method: .delete,
            path: "/v1/practices/{practice}/rooms/{room}/blocked/{block}",
            id: "unblockRoom",
            summary: "Make a blocked time of a room free again",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: unblockRoom
        ),
    ]

    private func blockedTimes(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.blockedTimes(
            of: context.room(),
            in: context.practice(),
            context.requireCaller()
        )
        return Response(["blocked": .array(found.map(\.json))])
    }

    private func blockRoom(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let block = BlockedTime(id: try context.block(), span: try BlockedTime.span(request: object))
        return try await journal.blockRoom(block, context.room(), in: context.practice(), caller).response()
    }

    private func unblockRoom(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.unblockRoom(context.block(), context.room(), in: context.practice(), caller)
            .response()
    }

    private func setService(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (practice, service) = (try context.practice(), try context.service())
        let (profile, caller): (ServiceProfile, Caller) = try await read(request, context, query)
        return try await journal.changePractice(practice, caller) { _ in .setService(service, profile) }.response()
    }

    private func endService(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        let service = try context.service()
        return try await journal.changePractice(context.practice(), caller) { _ in .endService(service) }.response()
    }

    private func setRoom(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (practice, room) = (try context.practice(), try context.room())
        let (profile, caller): (PlaceProfile, Caller) = try await read(request, context, query)
        return try await journal.changePractice(practice, caller) { _ in .setPlace(room, profile) }.response()
    }

    private func endRoom(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        let room = try context.room()
        return try await journal.changePractice(context.practice(), caller) { _ in .endPlace(room) }.response()
    }
}

// MARK: Specialists

extension PracticeRoutes {
    private static let specialistOperations = [
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
            method: .put,
            path: "/v1/practices/{practice}/specialists/{specialist}/end",
            id: "endSpecialist",
            summary: "Note from which day on a specialist no longer works; no appointment is cancelled",
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
    ]

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
            .setHours(document.hours, practice: practice, from: document.from),
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
