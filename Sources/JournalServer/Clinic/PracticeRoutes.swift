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
        .init("Practice", OpenAPI.referring(PracticeDocument.schema, at: "profile", to: "PracticeProfile")),
        .init("Practices", OpenAPI.list("practices", of: "Practice")),
        .init("PracticeProfile", SettingsDocument<PracticeProfile>.schema),
        .init("Operating", OperatingDocument.schema),
        .init(
            "PracticeWritten",
            OpenAPI.written(
                "The position of the change, and the appointments whose clock time it moves.",
                and: ["moved": JSONSchema.array(of: MovedAppointment.schema)]
            )
        ),
        .init("Timetable", TimetableDocument.schema),
        .init("ServiceProfile", SettingsDocument<ServiceProfile>.schema),
        .init("PlaceProfile", SettingsDocument<PlaceProfile>.schema),
        .init("BlockedTime", BlockedTime.requestSchema),
        .init("BlockedTimes", OpenAPI.list("blocked", BlockedTime.schema)),
        .init("Membership", MemberDocument.requestSchema),
        .init("Specialist", OpenAPI.referring(SpecialistDocument.schema, at: "profile", to: "SpecialistProfile")),
        .init("Specialists", OpenAPI.list("specialists", of: "Specialist")),
        .init("SpecialistProfile", SettingsDocument<SpecialistProfile>.schema),
        .init("Hours", HoursDocument.schema),
        .init("Absence", AbsenceDocument.requestSchema),
        .init("LastDay", OpenAPI.object(["from": JSONSchema.dayText])),
    ]

    /// Reads the fields of a profile from the body of a request, and the caller.
    func read<Profile: ClinicProfile>(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> (profile: Profile, caller: Caller) {
        let document = try await request.json(SettingsDocument<Profile>.names)
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        return (try SettingsDocument(NativeObject(document.value(without: ""))).settings, caller)
    }
}

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
            method: .get,
            path: "/v1/practices/{practice}/operating",
            id: "showOperating",
            summary: "Say whether a practice is open at a moment, and whether it can treat what needs a specialty",
            tag: .clinic,
            parameters: [.operatingAt, .operatingSpecialty],
            answers: [.json("Operating", "Open, open for emergencies alone, or closed until the next opening.")],
            handler: operating
        ),
        Operation(
            method: .put,
            path: "/v1/practices/{practice}",
            id: "changePractice",
            summary: "Replace the description of a practice",
            description: """
                A change of the zone needs a reason. `moved` lists the appointments ahead that are then at another time by \
                the clock than agreed; with `dryRun`, before it is changed.
                """,
            tag: .clinic,
            parameters: [.reason, .idempotencyKey, .onlyTry],
            body: BodyDescription(
                schema: "PracticeProfile",
                examples: [("practice", ["name": "Two Rooms", "zone": "Europe/Zurich", "notice": 12])]
            ),
            answers: [.json("PracticeWritten", "The position of the change, and what it moves.", headers: [.eTag])],
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

    private func operating(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let moment = try query.value(.operatingAt) { text throws(ModelError) in try Instant(parsing: text) }
        let specialty = try query.text(.operatingSpecialty)
        let found = try await journal.operating(
            of: context.practice(),
            at: moment,
            specialty: specialty.flatMap { $0.isEmpty ? nil : $0 },
            context.requireCaller()
        )
        return Response(found.json)
    }

    private func change(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let practice = try context.practice()
        let (profile, caller): (PracticeProfile, Caller) = try await read(request, context, query)
        let isTrial = try query.flag(.onlyTry)
        return try await journal.changePractice(practice, dryRun: isTrial, caller) { _ in .change(profile) }.response()
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

extension Parameter {
    fileprivate static let operatingAt = Parameter(
        .query,
        "at",
        component: "operatingAt",
        "The moment; by default now.",
        schema: JSONSchema.sentTime
    )
    fileprivate static let operatingSpecialty = Parameter(
        .query,
        "specialty",
        component: "operatingSpecialty",
        "A specialty by name, whatever its case: whether the practice lists it, and somebody who works there has it.",
        schema: JSONSchema.lineText(maximum: Limits.line)
    )
}
