package import FoundationEssentials
package import HealthModel

/// The appointments of a practice in some of its days.
package struct PracticeCalendarDocument: APIDocument, Hashable {
    package var practice: UUID
    package var zone: String
    package var from: Day
    package var until: Day
    package var appointments: [AppointmentDocument]
    package var busy: [BusyDocument]
    /// The specialists of the practice, by their ids.
    package var specialists: [NamedDocument]
    package var services: [NamedDocument]
    package var places: [NamedDocument]
    package var position: UInt64

    package init(
        _ practice: PracticeState,
        _ days: ClosedRange<Day>,
        appointments: [AppointmentDocument],
        busy: [BusyDocument],
        specialists: [SpecialistState],
        position: UInt64
    ) {
        self.practice = practice.id
        zone = practice.profile.zone
        from = days.lowerBound
        until = days.upperBound
        self.appointments = appointments
        self.busy = busy
        self.specialists = specialists.map { NamedDocument(id: $0.id, name: $0.profile.name) }
        services = practice.services.map { NamedDocument(id: $0.key, name: $0.value.profile.name) }.sorted()
        places = practice.places.map { NamedDocument(id: $0.key, name: $0.value.profile.name) }.sorted()
        self.position = position
    }

    package static let schema = JSONSchema.object([
        "practice": JSONSchema.identifier, "zone": ["type": "string"], "from": JSONSchema.dayText,
        "until": JSONSchema.dayText.merging(["description": "The last day."]),
        "appointments": JSONSchema.array(of: AppointmentDocument.schema),
        "busy": JSONSchema.array(of: BusyDocument.schema), "specialists": JSONSchema.array(of: NamedDocument.schema),
        "services": JSONSchema.array(of: NamedDocument.schema), "rooms": JSONSchema.array(of: NamedDocument.schema),
        "position": JSONSchema.position,
    ])

    package var json: JSONValue {
        .present([
            "practice": .string(practice.text), "zone": .string(zone), "from": .string(from.description),
            "until": .string(until.description), "appointments": .array(appointments.map(\.json)),
            "busy": .array(busy.map(\.json)), "specialists": .array(specialists.map(\.json)),
            "services": .array(services.map(\.json)), "rooms": .array(places.map(\.json)),
            "position": .integer(position),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        practice = try object.id("practice")
        zone = try object.required("zone")
        from = try object.day("from")
        until = try object.day("until")
        appointments = try object.documents("appointments")
        busy = try object.documents("busy")
        specialists = try object.documents("specialists")
        services = try object.documents("services")
        places = try object.documents("rooms")
        position = try object.number("position")
    }
}

/// The id and the name of a part of a practice.
package struct NamedDocument: APIDocument, Hashable, Comparable {
    package var id: UUID
    package var name: String

    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package static func < (left: NamedDocument, right: NamedDocument) -> Bool {
        (left.name.lowercased(), left.id.text) < (right.name.lowercased(), right.id.text)
    }

    package static let schema = JSONSchema.object(["id": JSONSchema.identifier, "name": ["type": "string"]])

    package var json: JSONValue { ["id": .string(id.text), "name": .string(name)] }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        name = try object.required("name")
    }
}

/// A time in which a specialist cannot be booked.
package struct BusyDocument: APIDocument, Hashable {
    package var specialist: UUID
    package var span: TimeSpan
    package var isBlocked: Bool

    package init(specialist: UUID, span: TimeSpan, isBlocked: Bool) {
        self.specialist = specialist
        self.span = span
        self.isBlocked = isBlocked
    }

    package static let schema = JSONSchema.object([
        "specialist": JSONSchema.identifier, "from": JSONSchema.time, "until": JSONSchema.time,
        "blocked": [
            "type": "boolean",
            "description": "Whether it is blocked, such as for a meeting; otherwise nothing more is shown of it.",
        ],
    ])

    package var json: JSONValue {
        [
            "specialist": .string(specialist.text), "from": .time(span.start), "until": .time(span.end),
            "blocked": .bool(isBlocked),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        specialist = try object.id("specialist")
        guard let span = TimeSpan(try object.instant("from"), try object.instant("until")) else {
            throw ModelError(.invalid, field: "until", "must be after the start")
        }
        self.span = span
        isBlocked = try object.flag("blocked")
    }
}

/// The free times of a service.
package struct FreeSlotsDocument: APIDocument, Hashable {
    package var slots: [FreeSlotDocument]
    /// Why there is none.
    package var why: NoSlotReason?
    package var zone: String
    package var minutes: Int
    /// Why it is longer than the service usually is.
    package var lengthened: [ServiceDuration.Reason]
    /// The position for which the answer holds.
    package var position: UInt64

    package init(
        slots: [FreeSlotDocument],
        why: NoSlotReason?,
        zone: String,
        minutes: Int,
        lengthened: [ServiceDuration.Reason] = [],
        position: UInt64
    ) {
        self.slots = slots
        self.why = why
        self.zone = zone
        self.minutes = minutes
        self.lengthened = lengthened
        self.position = position
    }

    package static let schema = JSONSchema.object(
        [
            "slots": JSONSchema.array(of: FreeSlotDocument.schema), "zone": ["type": "string"],
            "minutes": ["type": "integer"], "position": JSONSchema.position,
        ],
        optional: [
            "why": JSONSchema.word(of: NoSlotReason.self)
                .merging(["description": "Why there is none: the last thing that left none."]),
            "lengthened": [
                "type": "array", "items": JSONSchema.word(of: ServiceDuration.Reason.self),
                "description": "Why the appointment is longer than the service usually is.",
            ],
        ]
    )

    package var json: JSONValue {
        .present([
            "slots": .array(slots.map(\.json)), "why": why.map { .string($0.rawValue) }, "zone": .string(zone),
            "minutes": .integer(minutes), "lengthened": .lines(lengthened.map(\.rawValue)),
            "position": .integer(position),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        slots = try object.documents("slots")
        why = try object.text("why").flatMap { NoSlotReason(rawValue: $0) }
        zone = try object.required("zone")
        minutes = try object.optionalInteger("minutes") ?? 0
        let reasons = object.members.contains { $0.name == "lengthened" } ? try object.texts("lengthened") : []
        lengthened = reasons.compactMap { ServiceDuration.Reason(rawValue: $0) }
        position = try object.number("position")
    }
}

/// A time that can be booked.
package struct FreeSlotDocument: APIDocument, Hashable {
    package var start: Instant
    /// The start by the practice's clock.
    package var wall: WallMoment
    package var specialist: UUID
    package var specialistName: String
    package var place: UUID?
    /// Whether the specialist has other hours then, and has to be called in; for emergencies alone.
    package var isOnCall: Bool

    package init(
        start: Instant,
        wall: WallMoment,
        specialist: UUID,
        specialistName: String,
        place: UUID?,
        isOnCall: Bool = false
    ) {
        self.start = start
        self.wall = wall
        self.specialist = specialist
        self.specialistName = specialistName
        self.place = place
        self.isOnCall = isOnCall
    }

    package static let schema = JSONSchema.object(
        [
            "start": JSONSchema.time, "wall": ["type": "string"], "specialist": JSONSchema.identifier,
            "specialistName": ["type": "string"],
        ],
        optional: [
            "room": JSONSchema.identifier,
            "onCall": [
                "type": "boolean",
                "description": "The specialist has other hours then and has to be called in; for emergencies alone.",
            ],
        ]
    )

    package var json: JSONValue {
        .present([
            "start": .time(start), "wall": .string(wall.description), "specialist": .string(specialist.text),
            "specialistName": .string(specialistName), "room": place.map { .string($0.text) },
            "onCall": isOnCall ? .bool(true) : nil,
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        start = try object.instant("start")
        wall = try object.wall("wall")
        specialist = try object.id("specialist")
        specialistName = try object.text("specialistName") ?? ""
        place = try object.optionalID("room")
        isOnCall = try object.optionalFlag("onCall")
    }
}
