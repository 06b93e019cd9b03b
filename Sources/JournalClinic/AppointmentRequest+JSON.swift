package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// A request for an appointment as the API receives it.
extension AppointmentRequest {
    /// Describes the body of a request; the practice is in the address.
    package static let schema = JSONSchema.object(
        ["record": JSONSchema.identifier, "start": Start.schema],
        optional: [
            "service": JSONSchema.orNull(JSONSchema.identifier),
            "minutes": ["type": ["integer", "null"], "minimum": 5, "maximum": 1_440],
            "type": JSONSchema.orNull(JSONSchema.word(of: AppointmentType.self)),
            "specialist": JSONSchema.orNull(JSONSchema.identifier),
            "others": ["type": ["array", "null"], "items": JSONSchema.identifier, "maxItems": 7],
            "rooms": [
                "type": ["array", "null"], "items": JSONSchema.identifier, "maxItems": 4,
                "description": "By default, a free room of the service, if it needs one.",
            ],
            "reason": JSONSchema.orNull(JSONSchema.plainText(maximum: Limits.line)),
            "notes": JSONSchema.orNull(JSONSchema.plainText(maximum: Limits.paragraphs)),
            "instructions": JSONSchema.orNull(JSONSchema.plainText(maximum: Limits.paragraphs)),
            "assessment": JSONSchema.orNull(JSONSchema.identifier)
                .merging(["description": "The triage of the animal from which it is booked."]),
            "holdUntil": JSONSchema.orNull(JSONSchema.sentTime)
                .merging(["description": "Only reserve the time until then."]),
            "displacing":
                JSONSchema.orNull(
                    JSONSchema.object(
                        ["appointment": JSONSchema.identifier],
                        optional: ["start": JSONSchema.orNull(Start.schema)]
                    )
                )
                .merging([
                    "description": """
                    The appointment whose time this one takes, in the same append: it is moved to `start`, or else it is \
                    cancelled and its patient is put on the waiting list. Needs a reason.
                    """
                ]),
        ]
    )

    /// The body of a request.
    package func json(heldUntil: Instant?) -> JSONValue {
        .present([
            "record": .string(record.text), "start": .string(start.text), "service": service.map { .string($0.text) },
            "minutes": minutes.map { .integer($0) }, "type": type.map { .string($0.rawValue) },
            "specialist": specialist.map { .string($0.text) },
            "others": others.isEmpty ? nil : .array(others.map { .string($0.text) }),
            "rooms": places.map { .array($0.map { .string($0.text) }) },
            "reason": reason.isEmpty ? nil : .string(reason), "notes": notes.isEmpty ? nil : .string(notes),
            "instructions": instructions.isEmpty ? nil : .string(instructions),
            "assessment": assessment.map { .string($0.text) }, "holdUntil": heldUntil.map { .time($0) },
            "displacing": displacing.map {
                .present(["appointment": .string($0.appointment.text), "start": $0.start.map { .string($0.text) }])
            },
        ])
    }

    /// Reads the body of a request, and the end of the reservation if it only asks for one.
    package static func read(
        _ object: NativeObject,
        in practice: UUID
    ) throws(ModelError) -> (request: AppointmentRequest, heldUntil: Instant?) {
        try object.requireMembers(schema["properties"]?.members.map(\.name) ?? [])
        var request = AppointmentRequest(
            practice: practice,
            record: try object.id("record"),
            start: try Start(parsing: object.required("start"))
        )
        request.service = try object.optionalID("service")
        request.minutes = try object.optionalInteger("minutes")
        request.type = try object.text("type") == nil ? nil : object.choice("type", AppointmentType.self)
        request.specialist = try object.optionalID("specialist")
        request.others = try object.ids("others")
        request.places = object.has("rooms") ? try object.ids("rooms") : nil
        request.reason = try object.text("reason")?.withUnixLines ?? ""
        request.notes = try object.text("notes")?.withUnixLines ?? ""
        request.instructions = try object.text("instructions")?.withUnixLines ?? ""
        request.assessment = try object.optionalID("assessment")
        if let displaced = try object.optionalObject("displacing") {
            try displaced.requireMembers(["appointment", "start"])
            request.displacing = Displacement(
                try displaced.id("appointment"),
                to: try displaced.text("start").map { text throws(ModelError) in try Start(parsing: text) }
            )
        }
        return (request, try object.optionalInstant("holdUntil"))
    }
}

extension AppointmentRequest.Start {
    package static let schema: JSONValue = [
        "type": "string", "pattern": .string("^(?:\(JSONSchema.sentTimePattern)|\(JSONSchema.clockTimePattern))$"),
        "description": "A time by the practice's clock such as 2027-03-28T09:00, or an RFC 3339 time.",
    ]

    package var text: String {
        switch self {
        case .instant(let instant): instant.description
        case .wall(let wall): wall.description
        }
    }
}

/// The changes of an appointment in requests.
extension AppointmentVerb {
    package var summary: String {
        switch self {
        case .book: "Book the time that is reserved"
        case .confirm: "Note that the client will come"
        case .move: "Move an appointment"
        case .reassign: "Give an appointment to another specialist or another room"
        case .displace: "Move an appointment to make room for another one"
        case .arrive: "Note that the patient has arrived"
        case .begin: "Begin the treatment"
        case .complete: "Complete an appointment, which frees the rest of its time"
        case .cancel: "Cancel an appointment, which frees its time"
        case .missed: "Note that the patient did not come, which frees the rest of the time"
        case .reinstate: "Book an appointment again that was cancelled or missed"
        case .retract: "Remove an appointment that was entered in error"
        case .note: "Add a remark for those who treat the patient"
        case .edit: "Change the texts of an appointment"
        }
    }

    private static let text = JSONSchema.plainText(maximum: Limits.paragraphs)

    /// Describes the body of a request.
    package var schema: JSONValue {
        switch self {
        case .book, .missed, .reinstate, .retract: JSONSchema.object([:])
        case .arrive, .begin, .complete:
            JSONSchema.object(
                [:],
                optional: [
                    "ahead": [
                        "type": "boolean",
                        "description": "That it is meant, although the appointment is on a later day.",
                    ]
                ]
            )
        case .confirm: JSONSchema.object(["way": JSONSchema.word(of: ConfirmationWay.self)])
        case .move:
            JSONSchema.object(
                ["start": AppointmentRequest.Start.schema],
                optional: ["minutes": ["type": ["integer", "null"], "minimum": 5, "maximum": 1_440]]
            )
        case .reassign:
            JSONSchema.object(
                [:],
                optional: [
                    "specialist": JSONSchema.orNull(JSONSchema.identifier),
                    "rooms": ["type": ["array", "null"], "items": JSONSchema.identifier, "maxItems": 4],
                ]
            )
        case .displace:
            JSONSchema.object([
                "start": AppointmentRequest.Start.schema,
                "by": JSONSchema.identifier.merging(["description": "The appointment that needs the time."]),
            ])
        case .cancel:
            JSONSchema.object(
                [:],
                optional: [
                    "code": JSONSchema.orNull(JSONSchema.lineText(maximum: Limits.line))
                        .merging(["description": "Why, in a word of the practice."]),
                    "by": JSONSchema.orNull(JSONSchema.word(of: AppointmentParty.self))
                        .merging(["description": "Who called it off; by default the side of the caller."]),
                ]
            )
        case .note: JSONSchema.object(["text": AppointmentVerb.text.merging(["minLength": 1])])
        case .edit:
            JSONSchema.object(
                [:],
                optional: [
                    "reason": JSONSchema.orNull(JSONSchema.plainText(maximum: Limits.line)),
                    "notes": JSONSchema.orNull(AppointmentVerb.text),
                    "instructions": JSONSchema.orNull(AppointmentVerb.text),
                ]
            )
        }
    }

    /// A typical body, without ids of the journal.
    package var example: JSONValue? {
        switch self {
        case .confirm: ["way": "phone"]
        case .move: ["start": "2199-03-01T09:00"]
        case .cancel: ["code": "ill"]
        case .note: ["text": "Bites."]
        case .edit: ["instructions": "Nothing to eat after midnight."]
        case .reassign, .displace: nil
        case .arrive, .begin, .complete: ["ahead": true]
        case .book, .missed, .reinstate, .retract: [:]
        }
    }

    /// Reads the body of a request.
    package func change(_ object: NativeObject) throws(ModelError) -> AppointmentChange {
        try object.requireMembers(schema["properties"]?.members.map(\.name) ?? [])
        let isAhead = try object.optionalFlag("ahead")
        func change(_ change: AppointmentChange) -> AppointmentChange { isAhead ? .ahead(change) : change }
        return switch self {
        case .book: .book
        case .confirm: .confirm(try object.choice("way", ConfirmationWay.self))
        case .move:
            .move(to: try .init(parsing: object.required("start")), minutes: try object.optionalInteger("minutes"))
        case .reassign:
            .reassign(
                specialist: try object.optionalID("specialist"),
                places: object.has("rooms") ? try object.ids("rooms") : nil
            )
        case .displace: .displace(to: try .init(parsing: object.required("start")), by: try object.id("by"))
        case .arrive: change(.arrive)
        case .begin: change(.begin)
        case .complete: change(.complete)
        case .cancel:
            .cancel(
                code: try object.text("code") ?? "",
                by: object.has("by") ? try object.choice("by", AppointmentParty.self) : nil
            )
        case .missed: .miss
        case .reinstate: .reinstate
        case .retract: .retract
        case .note: .addNote(try object.required("text").withUnixLines)
        case .edit:
            .edit(
                reason: try object.text("reason")?.withUnixLines,
                notes: try object.text("notes")?.withUnixLines,
                instructions: try object.text("instructions")?.withUnixLines
            )
        }
    }
}

extension AppointmentChange {
    /// The change as a request: its word and its body.
    package var request: (word: AppointmentVerb, body: JSONValue) { (verb, body) }

    private var body: JSONValue {
        switch self {
        case .confirm(let way): ["way": .string(way.rawValue)]
        case .move(let start, let minutes):
            .present(["start": .string(start.text), "minutes": minutes.map { .integer($0) }])
        case .reassign(let specialist, let places):
            .present([
                "specialist": specialist.map { .string($0.text) },
                "rooms": places.map { .array($0.map { .string($0.text) }) },
            ])
        case .displace(let start, let other): ["start": .string(start.text), "by": .string(other.text)]
        case .cancel(let code, let by): .present(["code": .string(code), "by": by.map { .string($0.rawValue) }])
        case .addNote(let text): ["text": .string(text)]
        case .edit(let reason, let notes, let instructions):
            .present([
                "reason": reason.map { .string($0) }, "notes": notes.map { .string($0) },
                "instructions": instructions.map { .string($0) },
            ])
        case .ahead(let change): change.body.merging(["ahead": true])
        case .book, .arrive, .begin, .complete, .miss, .reinstate, .retract: [:]
        }
    }
}
