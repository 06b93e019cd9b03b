package import FoundationEssentials
package import HealthModel

/// The appointments of a practice in some of its days.
package struct PracticeCalendarDocument: DefinedDocument, Hashable {
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

    package static let definition = DocumentDefinition(
        PracticeCalendarDocument.init,
        DocumentMember("practice", \.practice),
        DocumentMember("zone", \.zone),
        DocumentMember("from", \.from),
        DocumentMember("until", \.until, "The last day."),
        DocumentMember("appointments", \.appointments),
        DocumentMember("busy", \.busy),
        DocumentMember("specialists", \.specialists),
        DocumentMember("services", \.services),
        DocumentMember("rooms", \.places),
        DocumentMember("position", \.position)
    )
}

extension PracticeCalendarDocument {
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
}

/// The id and the name of a part of a practice.
package struct NamedDocument: DefinedDocument, Hashable, Comparable {
    package var id: UUID
    package var name: String

    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package static func < (left: NamedDocument, right: NamedDocument) -> Bool {
        (left.name.lowercased(), left.id.text) < (right.name.lowercased(), right.id.text)
    }

    package static let definition = DocumentDefinition(
        NamedDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("name", \.name)
    )
}

/// A time in which a specialist cannot be booked.
package struct BusyDocument: DefinedDocument, Hashable {
    package var specialist: UUID
    package var span: TimeSpan
    package var isBlocked: Bool

    package init(specialist: UUID, span: TimeSpan, isBlocked: Bool) {
        self.specialist = specialist
        self.span = span
        self.isBlocked = isBlocked
    }

    package static let definition = DocumentDefinition(
        BusyDocument.init,
        DocumentMember("specialist", \.specialist),
        .span(\.span),
        DocumentMember(
            "blocked",
            \.isBlocked,
            "Whether it is blocked, such as for a meeting; otherwise nothing more is shown of it."
        )
    )
}

/// The free times of a service.
package struct FreeSlotsDocument: DefinedDocument, Hashable {
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

    package static let definition = DocumentDefinition(
        FreeSlotsDocument.init,
        DocumentMember("slots", \.slots),
        .known("why", \.why, "Why there is none: the last thing that left none."),
        DocumentMember("zone", \.zone),
        DocumentMember("minutes", \.minutes),
        .some("lengthened", \.lengthened, "Why the appointment is longer than the service usually is."),
        DocumentMember("position", \.position)
    )
}

/// A time that can be booked.
package struct FreeSlotDocument: DefinedDocument, Hashable {
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

    package static let definition = DocumentDefinition(
        FreeSlotDocument.init,
        DocumentMember("start", \.start),
        DocumentMember("wall", \.wall),
        DocumentMember("specialist", \.specialist),
        DocumentMember("specialistName", \.specialistName),
        DocumentMember("room", \.place),
        .mark(
            "onCall",
            \.isOnCall,
            "The specialist has other hours then and has to be called in; for emergencies alone."
        )
    )
}
