package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// Appointments: the calendar of a practice, free times, and the changes of an appointment.
package enum AppointmentEndpoints: OperationGroup {
    package static let calendar = Endpoint(
        .get,
        "/v1/practices/{practice}/appointments",
        id: "showCalendar",
        "Show the appointments of a practice in some of its days; each is a read of its patient's record",
        tag: .clinic,
        takes: .practice,
        .days,
        .query(
            AppointmentFilter(),
            QueryMember(.specialistFilter, \.specialist),
            QueryMember(.roomFilter, \.place),
            QueryMember(.patientFilter, \.record),
            QueryMember(.statusFilter, \.statuses),
            QueryMember(.openQuestions, \.onlyOpenQuestions)
        ),
        .query(.asOf, as: AsOf.self),
        returns: .document("PracticeCalendar", "The appointments, in the order of their starts.")
    ) { journal, caller, practice, days, filter, asOf in
        try await journal.appointments.calendar(of: practice, days: days, matching: filter, asOf: asOf, caller).document
    }

    package static let book = Endpoint(
        .post,
        "/v1/practices/{practice}/appointments",
        id: "bookAppointment",
        "Book an appointment, or reserve its time",
        description: """
            No specialist, room or patient has two appointments at the same time. Of several requests for the same \
            time one succeeds; the others get the problem `slot-taken`, which names what is not free.
            """,
        tag: .clinic,
        takes: .booking,
        .onlyTry,
        returns: .booked,
        problems: [.conflict, .slotTaken, .erased]
    ) { journal, caller, booking, isTrial in
        try await journal.appointments.book(booking.asked, heldUntil: booking.heldUntil, dryRun: isTrial, caller)
    }

    package static let bookSeries = Endpoint(
        .post,
        "/v1/practices/{practice}/appointments/series",
        id: "bookSeries",
        "Book an appointment and its repetitions, at the same time of day",
        description: """
            Each is an appointment of its own. All of them are booked in one append, or none; with `skipTaken`, those \
            that can be booked.
            """,
        tag: .clinic,
        takes: .series,
        .onlyTry,
        returns: .bookedSeries,
        problems: [.conflict, .slotTaken, .erased]
    ) { journal, caller, series, isTrial in
        try await journal.appointments.bookSeries(
            series.asked,
            series.repetition,
            skipTaken: series.skipsTaken,
            dryRun: isTrial,
            caller
        )
    }

    package static let slots = Endpoint(
        .get,
        "/v1/practices/{practice}/slots",
        id: "listFreeSlots",
        "List the free times of a service, or of an emergency",
        description: """
            An emergency (`type`) can begin in all hours of the practice, also in those for emergencies alone. A time \
            belongs to the day on which it begins, also after midnight.
            """,
        tag: .clinic,
        takes: .slotRequest,
        returns: .document("FreeSlots", "The free times, the earliest one first, and why there are none.")
    ) { journal, caller, asked in
        try await journal.appointments.freeSlots(asked, caller).document
    }

    package static let ofRecord = Endpoint(
        .get,
        "/v1/records/{record}/appointments",
        id: "listAppointmentsOfRecord",
        "List the appointments of an animal",
        tag: .clinic,
        takes: .record,
        .query(.asOf, as: AsOf.self),
        returns: .list("appointments", "Appointments", "The appointments, in the order of their starts."),
        problems: [.erased]
    ) { journal, caller, record, asOf in
        try await journal.appointments.list(of: record, asOf: asOf, caller).map(\.document)
    }

    package static let show = Endpoint(
        .get,
        "/v1/appointments/{appointment}",
        id: "showAppointment",
        "Show an appointment",
        tag: .clinic,
        takes: .appointment,
        .query(.asOf, as: AsOf.self),
        returns: .versioned("Appointment", "The appointment.")
    ) { journal, caller, appointment, asOf in
        let answer = try await journal.appointments.appointment(appointment, asOf: asOf, caller)
        return Versioned(answer.document, version: answer.state.updated.position)
    }

    package static let history = Endpoint(
        .get,
        "/v1/appointments/{appointment}/history",
        id: "showAppointmentHistory",
        "Show each version of an appointment, and who made it",
        tag: .clinic,
        takes: .appointment,
        returns: .list("versions", "AppointmentVersions", "The versions, the first one first.")
    ) { journal, caller, appointment in
        try await journal.appointments.versions(ofAppointment: appointment, caller).map(\.document)
    }

    package static let edit = Endpoint(
        .patch,
        "/v1/appointments/{appointment}",
        id: "editAppointment",
        AppointmentVerb.edit.summary,
        tag: .clinic,
        takes: .appointment,
        .ifMatch,
        .change(.edit, example: "instructions"),
        returns: .written,
        problems: [.conflict, .stale]
    ) { journal, caller, appointment, version, change in
        try await journal.appointments.changeAppointment(appointment, expecting: version, caller) { _ in change }
    }

    /// The changes that have an address of their own: all but `edit`.
    package static func change(_ word: AppointmentVerb) -> Endpoint<WriteResult, UUID, UInt64?, AppointmentChange, Bool>
    {
        Endpoint(
            .post,
            "/v1/appointments/{appointment}/\(word.rawValue)",
            id: word == .book ? "bookReservedAppointment" : "\(word.rawValue)Appointment",
            word.summary,
            tag: .clinic,
            takes: .appointment,
            .ifMatch,
            .change(word, example: word.rawValue),
            .onlyTry,
            returns: .written,
            problems: [.conflict, .slotTaken, .stale]
        ) { journal, caller, appointment, version, change, isTrial in
            try await journal.appointments.changeAppointment(appointment, expecting: version, dryRun: isTrial, caller) {
                _ in
                change
            }
        }
    }

    static let operations: [Operation] =
        [
            Operation(calendar), Operation(book), Operation(bookSeries), Operation(slots), Operation(ofRecord),
            Operation(show), Operation(history), Operation(edit),
        ] + AppointmentVerb.allCases.filter { $0 != .edit }.map { Operation(change($0)) }

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
        ] + AppointmentVerb.allCases.map { .init(schemaName($0), $0.schema) }

    fileprivate static func schemaName(_ word: AppointmentVerb) -> String {
        "Appointment\(word.rawValue.prefix(1).uppercased() + word.rawValue.dropFirst())"
    }
}

/// An appointment that a client asks for.
package struct Booking: Sendable {
    package var asked: AppointmentRequest
    /// The end of a reservation; nil to book the time.
    package var heldUntil: Instant?

    package init(_ asked: AppointmentRequest, heldUntil: Instant? = nil) {
        (self.asked, self.heldUntil) = (asked, heldUntil)
    }
}

/// An appointment that a client asks for, with its repetitions.
package struct BookingSeries: Sendable {
    package var asked: AppointmentRequest
    package var repetition: Repetition
    /// Whether those that can be booked are booked if others cannot.
    package var skipsTaken: Bool

    package init(_ asked: AppointmentRequest, _ repetition: Repetition, skipsTaken: Bool) {
        (self.asked, self.repetition, self.skipsTaken) = (asked, repetition, skipsTaken)
    }
}

extension RequestPart where Value == UUID {
    fileprivate static var appointment: Self { id("appointment") }
}

extension RequestPart where Value == Booking {
    /// The appointment in the body, at the practice in the path.
    fileprivate static var booking: Self {
        Self(names: ["practice"], body: BodyDescription(schema: "AppointmentRequest", examples: [])) {
            let (asked, end) = try AppointmentRequest.read($0.object, in: $0.id("practice"))
            return Booking(asked, heldUntil: end)
        } write: {
            $1.parameters["practice"] = $0.asked.practice.text
            $1.body = $0.asked.json(heldUntil: $0.heldUntil)
        }
    }
}

extension RequestPart where Value == BookingSeries {
    /// The appointment in the body and how it is repeated, at the practice in the path.
    fileprivate static var series: Self {
        Self(names: ["practice"], body: BodyDescription(schema: "SeriesRequest", examples: [])) { request in
            let object = try request.object
            try object.requireMembers(["appointment", "everyDays", "count", "skipTaken"])
            let appointment = try object.object("appointment")
            try appointment.requireMembers(SeriesRequest.appointmentMembers)
            return BookingSeries(
                try AppointmentRequest.read(appointment, in: request.id("practice")).request,
                try Repetition(
                    days: object.optionalInteger("everyDays") ?? 0,
                    count: object.optionalInteger("count") ?? 0
                ),
                skipsTaken: try object.optionalFlag("skipTaken")
            )
        } write: {
            $1.parameters["practice"] = $0.asked.practice.text
            $1.body = SeriesRequest.json($0.asked, $0.repetition, skipTaken: $0.skipsTaken)
        }
    }
}

extension RequestPart where Value == AppointmentChange {
    fileprivate static func change(_ word: AppointmentVerb, example: String) -> Self {
        let description = BodyDescription(
            schema: AppointmentEndpoints.schemaName(word),
            examples: word.example.map { [(example, $0)] } ?? []
        )
        return Self(body: description) {
            try word.change($0.object)
        } write: {
            let (asked, body) = $0.request
            precondition(asked == word, "a change is sent to the address of its word")
            $1.body = body
        }
    }
}

extension RequestPart where Value == FreeSlotRequest {
    /// The times that are wanted, at the practice in the path.
    fileprivate static var slotRequest: Self {
        let members: [QueryMember<FreeSlotRequest>] = [
            QueryMember(.specialistFilter, \.specialist), QueryMember(.roomFilter, \.place),
            QueryMember(.patientFilter, \.record), QueryMember(.movingFilter, \.moving),
            QueryMember(.slotMinutes, \.minutes), QueryMember(.slotType, \.type),
        ]
        let days = RequestPart<ClosedRange<Day>>.days
        let parameters = [.slotService] + days.parameters + members.map(\.parameter)
        return Self(names: ["practice"], parameters: parameters) { request in
            var asked = FreeSlotRequest(
                practice: try request.id("practice"),
                service: try request.query.value(.slotService),
                days: try days.read(request)
            )
            for member in members { try member.read(&asked, request.query) }
            guard asked.service != nil || asked.type == .emergency else {
                throw JournalError(.invalid, field: "service", "is required, except for an emergency")
            }
            return asked
        } write: { asked, request in
            request.parameters["practice"] = asked.practice.text
            if let service = asked.service { request.query.append((Parameter.slotService.name, service.text)) }
            days.write(asked.days, &request)
            for member in members { member.write(asked, &request) }
        }
    }
}

extension EndpointAnswer where Output == WriteResult {
    /// The result of a booking, which names no appointment if it was only tried.
    fileprivate static let booked = Self([
        .json("Written", "The appointment is booked, or its time is reserved.", status: 201, headers: [.eTag]),
        .json("Written", "It is possible, and nothing was changed (`dryRun`)."),
    ]) { result in
        guard let appointment = result.entry else { return result.response() }
        return result.response(.created, location: "/v1/appointments/\(appointment.text)")
    }
}

extension EndpointAnswer where Output == BookedSeries {
    /// The appointments of a series, which have no ids if they were only tried.
    fileprivate static let bookedSeries = Self(descriptions: [
        .json("BookedSeries", "The appointments are booked.", status: 201),
        .json("BookedSeries", "They are possible, and nothing was changed (`dryRun`)."),
    ]) { series in
        Response(series.json, status: series.booked.contains { $0.entry != nil } ? .created : .ok)
    } read: { object, _ throws(ModelError) in
        try BookedSeries(object)
    }
}

extension AppointmentType: ParameterValue {}

extension Set<AppointmentStatus>: ParameterValue {
    package var parameterText: String { map(\.rawValue).sorted().joined(separator: ",") }

    /// Reads statuses that are separated by commas.
    package init(parameter text: String) throws(ModelError) {
        self.init()
        for word in text.split(separator: ",") {
            guard let status = AppointmentStatus(rawValue: String(word)) else {
                let words = AppointmentStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw ModelError(.invalid, "must be some of \(words), separated by commas")
            }
            insert(status)
        }
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
            "pattern": .string("^(?:\(statuses))(?:,(?:\(statuses)))*$"),
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
