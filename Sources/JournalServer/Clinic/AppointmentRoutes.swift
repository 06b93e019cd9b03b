import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for appointments: the calendar of a practice, free times, and the changes of an appointment.
struct AppointmentRoutes: Routes {
    let services: Services

    static let operations: [Operation] =
        calendarOperations + AppointmentWord.allCases.filter { $0 != .edit }.map(changeOperation)

    static let schemas: [JSONValue.Member] =
        [
            .init("PracticeCalendar", PracticeCalendarDocument.schema),
            .init("FreeSlots", FreeSlotsDocument.schema),
            .init("AppointmentRequest", AppointmentRequest.schema),
            .init("SeriesRequest", SeriesRequest.schema),
            .init("BookedSeries", BookedSeries.schema),
            .init("Appointment", AppointmentDocument.schema),
            .init("Appointments", OpenAPI.list("appointments", of: "Appointment")),
            .init("AppointmentVersion", AppointmentVersionDocument.schema),
            .init("AppointmentVersions", OpenAPI.list("versions", of: "AppointmentVersion")),
        ] + AppointmentWord.allCases.map { .init(schemaName($0), $0.schema) }

    private static func schemaName(_ word: AppointmentWord) -> String {
        "Appointment\(word.rawValue.prefix(1).uppercased() + word.rawValue.dropFirst())"
    }

    private static let calendarOperations = [
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/appointments",
            id: "showCalendar",
            summary: "Show the appointments of a practice in some of its days; each is a read of its patient's record",
            tag: .clinic,
            parameters: [
                .firstShownDay, .lastShownDay, .specialistFilter, .roomFilter, .patientFilter, .statusFilter,
                .openQuestions,
                .asOf,
            ],
            answers: [.json("PracticeCalendar", "The appointments, in the order of their starts.")],
            handler: calendar
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/appointments",
            id: "bookAppointment",
            summary: "Book an appointment, or reserve its time",
            description: """
                No specialist, room or patient has two appointments at the same time. Of several requests for the same \
                time one succeeds; the others get the problem `slot-taken`, which names what is not free.
                """,
            tag: .clinic,
            parameters: [.reason, .idempotencyKey, .onlyTry],
            body: BodyDescription(schema: "AppointmentRequest", examples: []),
            answers: [
                .json("Written", "The appointment is booked, or its time is reserved.", status: 201, headers: [.eTag]),
                .json("Written", "It is possible, and nothing was changed (`dryRun`)."),
            ],
            problems: [.conflict, .slotTaken, .erased],
            handler: book
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/appointments/series",
            id: "bookSeries",
            summary: "Book an appointment and its repetitions, at the same time of day",
            description: """
                Each is an appointment of its own. All of them are booked in one append, or none; with `skipTaken`, those \
                that can be booked.
                """,
            tag: .clinic,
            parameters: [.reason, .idempotencyKey, .onlyTry],
            body: BodyDescription(schema: "SeriesRequest", examples: []),
            answers: [
                .json("BookedSeries", "The appointments are booked.", status: 201),
                .json("BookedSeries", "They are possible, and nothing was changed (`dryRun`)."),
            ],
            problems: [.conflict, .slotTaken, .erased],
            handler: bookSeries
        ),
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/slots",
            id: "listFreeSlots",
            summary: "List the free times of a service, or of an emergency",
            description: """
                An emergency (`type`) can begin in all hours of the practice, also in those for emergencies alone. A time \
                belongs to the day on which it begins, also after midnight.
                """,
            tag: .clinic,
            parameters: [
                .slotService, .firstShownDay, .lastShownDay, .specialistFilter, .roomFilter, .patientFilter,
                .movingFilter, .slotMinutes, .slotType,
            ],
            answers: [.json("FreeSlots", "The free times, the earliest one first, and why there are none.")],
            handler: slots
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/appointments",
            id: "listAppointmentsOfRecord",
            summary: "List the appointments of an animal",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Appointments", "The appointments, in the order of their starts.")],
            problems: [.erased],
            handler: ofRecord
        ),
        Operation(
            method: .get,
            path: "/v1/appointments/{appointment}",
            id: "showAppointment",
            summary: "Show an appointment",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Appointment", "The appointment.", headers: [.eTag])],
            handler: show
        ),
        Operation(
            method: .get,
            path: "/v1/appointments/{appointment}/history",
            id: "showAppointmentHistory",
            summary: "Show each version of an appointment, and who made it",
            tag: .clinic,
            answers: [.json("AppointmentVersions", "The versions, the first one first.")],
            handler: history
        ),
        Operation(
            method: .patch,
            path: "/v1/appointments/{appointment}",
            id: "editAppointment",
            summary: AppointmentWord.edit.summary,
            tag: .clinic,
            parameters: [.reason, .ifMatch, .idempotencyKey],
            body: BodyDescription(
                schema: schemaName(.edit),
                examples: AppointmentWord.edit.example.map { [("instructions", $0)] } ?? []
            ),
            answers: [.written],
            problems: [.conflict, .stale],
            handler: { (routes: AppointmentRoutes) in { try await routes.change(.edit, $0, $1, $2) } }
        ),
    ]

    private static func changeOperation(_ word: AppointmentWord) -> Operation {
        Operation(
            method: .post,
            path: "/v1/appointments/{appointment}/\(word.rawValue)",
            id: word == .book ? "bookReservedAppointment" : "\(word.rawValue)Appointment",
            summary: word.summary,
            tag: .clinic,
            parameters: [.reason, .ifMatch, .idempotencyKey, .onlyTry],
            body: BodyDescription(schema: schemaName(word), examples: word.example.map { [(word.rawValue, $0)] } ?? []),
            answers: [.written],
            problems: [.conflict, .slotTaken, .stale],
            handler: { (routes: AppointmentRoutes) in { try await routes.change(word, $0, $1, $2) } }
        )
    }

    private func calendar(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        var filter = AppointmentFilter()
        filter.specialist = try query.id(.specialistFilter)
        filter.place = try query.id(.roomFilter)
        filter.record = try query.id(.patientFilter)
        filter.statuses = try query.value(.statusFilter) { text throws(ModelError) in try AppointmentStatus.list(text) }
        filter.onlyOpenQuestions = try query[.openQuestions] == nil ? false : query.flag(.openQuestions)
        let answer = try await journal.calendar(
            of: context.practice(),
            days: query.days(),
            matching: filter,
            asOf: query.asOf,
            context.requireCaller()
        )
        return Response(answer.document.json)
    }

    private func book(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let practice = try context.practice()
        let (object, caller) = try await request.object(context, query)
        let (asked, until) = try AppointmentRequest.read(object, in: practice)
        let isTrial = try query.flag(.onlyTry)
        let result = try await journal.book(asked, heldUntil: until, dryRun: isTrial, caller)
        if isTrial { return result.response() }
        return result.response(.created, location: result.entry.map { "/v1/appointments/\($0.text)" })
    }

    private func bookSeries(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let practice = try context.practice()
        let (object, caller) = try await request.object(context, query)
        try object.requireMembers(["appointment", "everyDays", "count", "skipTaken"])
        let appointment = try object.object("appointment")
        try appointment.requireMembers(SeriesRequest.appointmentMembers)
        let asked = try AppointmentRequest.read(appointment, in: practice)
        let isTrial = try query.flag(.onlyTry)
        let series = try await journal.bookSeries(
            asked.request,
            Repetition(days: object.optionalInteger("everyDays") ?? 0, count: object.optionalInteger("count") ?? 0),
            skipTaken: object.optionalFlag("skipTaken"),
            dryRun: isTrial,
            caller
        )
        return Response(series.json, status: isTrial ? .ok : .created)
    }

    private func slots(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let type = try query.value(.slotType) { text throws(ModelError) in
            guard let type = AppointmentType(rawValue: text) else { throw ModelError(.invalid, "is not a type") }
            return type
        }
        let service = try query.id(.slotService)
        guard service != nil || type == .emergency else {
            throw JournalError(.invalid, field: "service", "is required, except for an emergency")
        }
        var asked = FreeSlotRequest(practice: try context.practice(), service: service, days: try query.days())
        asked.specialist = try query.id(.specialistFilter)
        asked.place = try query.id(.roomFilter)
        asked.record = try query.id(.patientFilter)
        asked.moving = try query.id(.movingFilter)
        asked.minutes = try query.integer(.slotMinutes)
        asked.type = type
        return Response(try await journal.freeSlots(asked, context.requireCaller()).document.json)
    }

    private func ofRecord(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.appointments(of: context.record(), asOf: query.asOf, context.requireCaller())
        return Response(["appointments": .array(found.map(\.document.json))])
    }

    private func show(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let answer = try await journal.appointment(context.appointment(), asOf: query.asOf, context.requireCaller())
        return Response(answer.document.json).tagged(answer.state.updated.position)
    }

    private func history(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.versions(ofAppointment: context.appointment(), context.requireCaller())
        return Response(["versions": .array(found.map(\.document.json))])
    }

    private func change(
        _ word: AppointmentWord,
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> Response {
        let appointment = try context.appointment()
        let (object, caller) = try await request.object(context, query)
        let change = try word.change(object)
        let seen = try request.expectedVersion()
        // The route of PATCH has no trial.
        let isTrial = try word == .edit ? false : query.flag(.onlyTry)
        return
            try await journal.changeAppointment(appointment, expecting: seen, dryRun: isTrial, caller) { _ in change }
            .response()
    }
}

extension Query {
    fileprivate func id(_ parameter: Parameter) throws -> UUID? {
        try value(parameter) { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be a UUID") }
            return id
        }
    }
}

extension AppointmentStatus {
    /// Parses statuses that are separated by commas.
    fileprivate static func list(_ text: String) throws(ModelError) -> Set<AppointmentStatus> {
        var statuses: Set<AppointmentStatus> = []
        for word in text.split(separator: ",") {
            guard let status = AppointmentStatus(rawValue: String(word)) else {
                let words = allCases.map(\.rawValue).joined(separator: ", ")
                throw ModelError(.invalid, "must be some of \(words), separated by commas")
            }
            statuses.insert(status)
        }
        return statuses
    }
}

extension Parameter {
    static let onlyTry = flag(
        "dryRun",
        component: "onlyTry",
        "Whether only to say if it is possible, and to change nothing."
    )
    fileprivate static let specialistFilter = id("specialist", component: "calendarSpecialist", "Only this specialist.")
    fileprivate static let roomFilter = id("room", component: "calendarRoom", "Only this room.")
    fileprivate static let patientFilter = id(
        "record",
        component: "calendarPatient",
        "Only this animal, by its record."
    )
    fileprivate static let movingFilter = id(
        "moving",
        component: "movingAppointment",
        "The appointment that is to be moved, whose own time does not count."
    )
    fileprivate static let slotService = id(
        "service",
        component: "slotService",
        "The service for which a time is wanted; may be left out for an emergency with `minutes`."
    )
    fileprivate static let slotType = Parameter(
        .query,
        "type",
        component: "slotType",
        "The type of the appointment; by default that of the service.",
        schema: ["type": "string", "enum": .array(AppointmentType.allCases.map { .string($0.rawValue) })]
    )
    fileprivate static let slotMinutes = Parameter.integer(
        .query,
        "minutes",
        component: "slotMinutes",
        in: 5...1_440,
        "The duration; by default that of the service."
    )
    fileprivate static let openQuestions = flag(
        "open",
        component: "openQuestions",
        "Only appointments that cannot take place as agreed, or of which nobody has said what became of them."
    )
    private static let statuses = AppointmentStatus.allCases.map(\.rawValue).joined(separator: "|")
    fileprivate static let statusFilter = Parameter(
        .query,
        "status",
        component: "appointmentStatus",
        "Only these statuses, separated by commas.",
        schema: [
            "type": "string",
            "pattern": .string(
                "^(?:\(statuses))(?:,(?:\(statuses)))*$"
            ),
        ]
    )

    private static func id(
        _ name: String,
        component: String,
        isRequired: Bool = false,
        _ description: String
    ) -> Parameter {
        Parameter(
            .query,
            name,
            component: component,
            isRequired: isRequired,
            description,
            schema: JSONSchema.identifier
        )
    }
}
