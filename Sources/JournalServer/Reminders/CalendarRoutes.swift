import Crypto
import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for calendars of planned doses and of specialists: the feeds at secret addresses, and their management.
struct CalendarRoutes: Routes {
    let services: Services

    static let operations: [Operation] =
        recordOperations
        + management(
            below: "/v1/practices/{practice}/specialists/{specialist}",
            id: "Specialist",
            summary: "the appointments of a specialist",
            tag: .clinic
        )

    private static let recordOperations =
        [
            Operation(
                method: .get,
                path: "/calendar/{feed}",
                id: "fetchCalendar",
                summary: "Fetch a calendar by its secret address, as calendar programs do",
                description: """
                    The address works like a token of the account that linked the calendar: each fetch is decided and \
                    recorded as a read of that account. All addresses that do not work have the same answer. The calendar \
                    of a record has the doses of the last week and of up to 60 days ahead, without those of pauses, and \
                    for an owner of the record the patient's appointments of the last 30 and the next 180 days. The \
                    calendar of a specialist has the appointments and absences of these days. A fetch of what the client \
                    has already shows nothing, and is not recorded.
                    """,
                tag: .care,
                parameters: [.calendarComponents, .ifNoneMatch],
                answers: [.calendar, .notModified],
                problems: [.invalid, .notFound, .busy, .catchingUp, .outdated, .failed],
                isPublic: true,
                handler: fetch
            ),
            Operation(
                method: .get,
                path: "/v1/records/{record}/calendar",
                id: "writeCalendar",
                summary: "Return the planned doses of a record as a calendar, and to an owner also the appointments",
                description: "A calendar of tasks (`as=vtodo`) has no appointments.",
                tag: .care,
                parameters: [.reminderDetail, .calendarTimes, .calendarComponents],
                answers: [.calendar],
                problems: [.erased],
                handler: write
            ),
        ]
        + management(below: "/v1/records/{record}", id: "", summary: "the planned doses of a record", tag: .care)

    /// The operations that link, list and unlink the calendars of a record or a specialist.
    private static func management(below path: String, id: String, summary: String, tag: OperationTag) -> [Operation] {
        [
            Operation(
                method: .get,
                path: "\(path)/calendars",
                id: "list\(id)Calendars",
                summary: "List the calendars of \(summary) that have a secret address",
                description:
                    "All of them for the owners of a record and the managers of a practice, otherwise one's own.",
                tag: tag,
                answers: [.json("Calendars", "The calendars, without their secrets, which are not stored.")],
                problems: [.erased],
                handler: list
            ),
            Operation(
                method: .post,
                path: "\(path)/calendars",
                id: "link\(id)Calendar",
                summary: "Give \(summary) a secret address; it is shown only once",
                tag: tag,
                parameters: [.reason, .idempotencyKey],
                body: BodyDescription(
                    schema: "NewCalendar",
                    examples: [("usual", [:]), ("names", ["detail": "names", "times": "floating"])]
                ),
                answers: [.json("MadeCalendar", "The address.", status: 201)],
                problems: [.conflict, .erased],
                handler: link
            ),
            Operation(
                method: .delete,
                path: "\(path)/calendars/{calendar}",
                id: "unlink\(id)Calendar",
                summary: "Unlink a calendar of \(summary), so that its address no longer works",
                tag: tag,
                parameters: [.reason, .idempotencyKey],
                answers: [.written],
                problems: [.conflict, .erased],
                handler: unlink
            ),
        ]
    }

    static let schemas: [JSONValue.Member] = [
        .init("Calendar", CalendarDocument.schema),
        .init("Calendars", OpenAPI.list("calendars", of: "Calendar")),
        .init(
            "NewCalendar",
            OpenAPI.object(
                [:],
                optional: [
                    "detail": JSONSchema.word(of: ReminderDetail.self),
                    "times": JSONSchema.word(of: CalendarLink.Times.self),
                    "current": OpenAPI.current,
                ]
            )
        ),
        .init(
            "MadeCalendar",
            OpenAPI.object([
                "id": JSONSchema.identifier,
                "path": [
                    "type": "string", "description": "The path of the address at this service; it is not stored.",
                ],
                "position": JSONSchema.position,
            ])
        ),
    ]

    private func fetch(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let components = try query.calendarComponents
        do {
            let name = context.parameters.get("feed") ?? ""
            guard name.hasSuffix(".ics") else { throw JournalError.noCalendar }
            let calendar = try await journal.reminders.calendar(
                atSecret: String(name.dropLast(4)),
                components: components
            ) {
                request.holds($0.entityTag)
            }
            guard let calendar else { return Response(status: .notModified) }
            var response = Response(calendar)
            response.headers[.eTag] = calendar.entityTag
            return response
        } catch let error as JournalError where error.code == .notFound {
            // Guesses are limited like those of passwords; an address that works is not.
            let network = context.client.map { $0.signInNetwork.description }
            if case .limited(let wait, _, _) = services.calendarFailures.admit(nil, from: network) {
                throw JournalError(.busy, "too many addresses without a calendar; try again later", retryAfter: wait)
            }
            throw error
        }
    }

    private func write(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let options = CalendarOptions(
            showsNames: try query.word(.reminderDetail, ReminderDetail.self)?.showsNames ?? false,
            times: try query.word(.calendarTimes, CalendarLink.Times.self) ?? .utc,
            components: try query.calendarComponents
        )
        return Response(try await journal.reminders.calendar(of: context.record(), options, context.requireCaller()))
    }

    /// Returns what the calendars of the address show.
    private func source(_ context: ServerContext) throws -> CalendarSource {
        try context.parameters.get("practice") == nil
            ? .doses(of: context.record()) : .appointments(of: context.specialist(), at: context.practice())
    }

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let calendars = try await journal.reminders.calendars(of: source(context), context.requireCaller())
        return Response(["calendars": .array(calendars.map { journal.document(of: $0).json })])
    }

    private func link(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["detail", "times", "current"])
        let made = try await journal.reminders.linkCalendar(
            to: source(context),
            showsNames: document.word("detail", ReminderDetail.self)?.showsNames ?? false,
            times: document.word("times", CalendarLink.Times.self) ?? .utc,
            current: document.secret("current"),
            context.writer(request, body: document.bytes(without: "current"), reason: query[.reason])
        )
        return Response(
            ["id": .string(made.id.text), "path": .string(made.path), "position": .integer(made.position)],
            status: .created
        )
    }

    private func unlink(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.reminders.unlinkCalendar(context.calendar(), of: source(context), caller).response()
    }
}

extension AnswerDescription {
    fileprivate static let calendar = AnswerDescription(
        description: "The calendar (RFC 5545).",
        content: [(AnswerType.calendar.essence, "Text")]
    )
}

extension Parameter {
    static let calendarComponents = Parameter(
        .query,
        "as",
        component: "calendarComponents",
        "Whether doses are events (`vevent`) or tasks (`vtodo`).",
        schema: ["enum": ["vevent", "vtodo"], "default": "vevent"]
    )

    static let reminderDetail = Parameter(
        .query,
        "detail",
        "Whether names are shown: of medications, and in a calendar also of practices, services, rooms and patients.",
        schema: JSONSchema.word(of: ReminderDetail.self).merging(["default": "neutral"])
    )

    static let calendarTimes = Parameter(
        .query,
        "times",
        "Whether times are in UTC, or floating: by the person's clock, without a zone.",
        schema: JSONSchema.word(of: CalendarLink.Times.self).merging(["default": "utc"])
    )
}

extension Query {
    fileprivate var calendarComponents: ICalendarComponent.Kind {
        get throws {
            try value(.calendarComponents) { text throws(ModelError) in
                guard let kind = ICalendarComponent.Kind(rawValue: text.uppercased()) else {
                    throw ModelError(.invalid, "must be vevent or vtodo")
                }
                return kind
            } ?? .event
        }
    }

    fileprivate func word<Word: RawRepresentable<String> & CaseIterable>(
        _ parameter: Parameter,
        _ type: Word.Type
    ) throws -> Word? {
        try value(parameter) { text throws(ModelError) in
            guard let word = Word(rawValue: text) else {
                throw ModelError(.invalid, "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return word
        }
    }
}

extension RequestDocument {
    /// One of the words of an enumeration; nil if the member is missing or empty.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Word.Type) throws -> Word? {
        let text = try text(name)
        guard !text.isEmpty else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw JournalError(.invalid, field: name, "must be one of \(words)")
        }
        return word
    }
}

extension ICalendar {
    /// The entity tag, by which a client knows that nothing has changed.
    fileprivate var entityTag: String {
        let digest = SHA256.hash(data: Data(text.utf8)).prefix(16)
        return "\"\(digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())\""
    }
}

extension Response {
    fileprivate init(_ calendar: ICalendar) { self.init(Array(calendar.text.utf8), type: .calendar) }
}
