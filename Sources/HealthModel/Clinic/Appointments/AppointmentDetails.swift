package import FoundationEssentials

/// The agreement about an appointment: when, for what, with whom and where.
package struct AppointmentDetails: Hashable, Sendable {
    package var practice: UUID
    package var service: UUID?
    package var type: AppointmentType
    /// In whole minutes.
    package var start: Instant
    /// The clock time that people agreed on, in `zone`.
    package var wall: WallMoment
    package var zone: String
    package var minutes: Int
    package var bufferBefore: Int
    package var bufferAfter: Int
    /// Nil for an emergency that is treated by the specialist on duty.
    package var specialist: UUID?
    /// Further specialists.
    package var others: [UUID]
    package var places: [UUID]
    package var reason: String
    /// What the staff of the practice reads.
    package var notes: String
    /// What the client reads.
    package var instructions: String
    /// The triage from which it was booked.
    package var assessment: UUID?
    /// The ranking of that triage, and who was taken.
    package var match: SpecialistMatch?

    package init(
        practice: UUID,
        service: UUID? = nil,
        type: AppointmentType,
        start: Instant,
        wall: WallMoment,
        zone: String,
        minutes: Int,
        bufferBefore: Int = 0,
        bufferAfter: Int = 0,
        specialist: UUID? = nil,
        others: [UUID] = [],
        places: [UUID] = [],
        reason: String = "",
        notes: String = "",
        instructions: String = "",
        assessment: UUID? = nil,
        match: SpecialistMatch? = nil
    ) {
        self.practice = practice
        self.service = service
        self.type = type
        self.start = start
        self.wall = wall
        self.zone = zone
        self.minutes = minutes
        self.bufferBefore = bufferBefore
        self.bufferAfter = bufferAfter
        self.specialist = specialist
        self.others = others
        self.places = places
        self.reason = reason
        self.notes = notes
        self.instructions = instructions
        self.assessment = assessment
        self.match = match
    }
}

extension AppointmentDetails {
    package var end: Instant { start.adding(minutes: minutes) }

    /// The time of the patient.
    package var span: TimeSpan? { TimeSpan(start: start, minutes: minutes) }

    /// The time of the specialists and the rooms: with the buffers.
    package var wideSpan: TimeSpan? { span?.widened(before: bufferBefore, after: bufferAfter) }

    package var specialists: [UUID] { (specialist.map { [$0] } ?? []) + others }

    /// The resources that the appointment takes up, each with its time, without the patient.
    package var resources: [ClinicResource] {
        specialists.map { .specialist($0) } + places.map { .place($0) }
    }

    /// Whether it starts at another time by the clock than agreed, because the rules of the time zone have changed.
    ///
    /// The instant guards the diaries, and people keep the clock time.
    package func hasMoved(_ clock: PersonClock) -> Bool { clock.wall(at: start) != wall }

    /// Whether two agreements take up the same time of the same resources.
    package func takesSameTime(as other: AppointmentDetails) -> Bool {
        start == other.start && minutes == other.minutes && wideSpan == other.wideSpan
            && Set(resources) == Set(other.resources)
    }

    package func validate() throws(ModelError) {
        guard (5...1_440).contains(minutes) else {
            throw ModelError(.invalid, field: "minutes", "must be between 5 and 1440 minutes")
        }
        guard bufferBefore >= 0, bufferAfter >= 0, bufferBefore + minutes + bufferAfter <= 1_440 else {
            throw ModelError(.invalid, field: "minutes", "an appointment and its buffers last at most 24 hours")
        }
        guard start.microseconds % Instant.microsecondsPerMinute == 0 else {
            throw ModelError(.invalid, field: "start", "must be a whole minute")
        }
        if specialist == nil, type != .emergency {
            throw ModelError(.invalid, field: "specialist", "is required, except for an emergency")
        }
        if others.count > 7 { throw ModelError(.invalid, field: "others", "has more than 7 specialists") }
        if places.count > 4 { throw ModelError(.invalid, field: "room", "has more than 4 rooms") }
        if Set(resources).count < resources.count {
            throw ModelError(.invalid, field: "specialist", "a specialist or a room is named twice")
        }
        try TextCheck.check(reason, field: "reason", maximum: Limits.line)
        try TextCheck.check(notes, field: "notes", maximum: Limits.paragraphs)
        try TextCheck.check(instructions, field: "instructions", maximum: Limits.paragraphs)
    }
}

extension AppointmentDetails: EventValue {
    private typealias Own = AppointmentDetails

    private static let practice = Field(1, "practice", "Practice", .id)
    private static let service = Field(2, "service", "Service", .id)
    private static let type = Field(3, "type", "Type", AppointmentType.fieldType)
    private static let start = Field(4, "start", "Start", .instant)
    private static let wall = Field(5, "wall", "Start, as agreed", .wallMoment)
    private static let zone = Field(6, "zone", "Time zone", .zone)
    private static let minutes = Field(7, "minutes", "Duration (min)", .integer(5...1_440))
    private static let before = Field(8, "bufferBefore", "Before it (min)", .integer(0...1_440))
    private static let after = Field(9, "bufferAfter", "After it (min)", .integer(0...1_440))
    private static let specialist = Field(10, "specialist", "Specialist", .id)
    private static let others = Field(11, "others", "Further specialists", .list(of: .id, maximum: 7))
    private static let places = Field(12, "places", "Rooms", .list(of: .id, maximum: 4))
    private static let reason = Field(13, "reason", "Reason", .text(maximum: Limits.line))
    /// What the staff writes for itself.
    package static let notes = Field(14, "notes", "Notes", .text(maximum: Limits.paragraphs))
    private static let instructions = Field(15, "instructions", "Instructions", .text(maximum: Limits.paragraphs))
    private static let assessment = Field(16, "assessment", "Triage", .id)
    private static let match = Field(17, "match", "Ranking", .group(SpecialistMatch.fields))

    package static let fields = [
        practice, service, type, start, wall, zone, minutes, before, after, specialist, others, places, reason, notes,
        instructions, assessment, match,
    ]

    package static var fieldType: FieldType { .group(fields) }

    package var fieldValue: FieldValue? {
        var values = FieldValues()
        values[Own.practice] = .id(practice)
        values[Own.service] = service.map { .id($0) }
        values[Own.type] = type.fieldValue
        values[Own.start] = .instant(start)
        values[Own.wall] = .text(wall.description)
        values[Own.zone] = .text(zone)
        values[Own.minutes] = minutes.fieldValue
        values[Own.before] = bufferBefore == 0 ? nil : bufferBefore.fieldValue
        values[Own.after] = bufferAfter == 0 ? nil : bufferAfter.fieldValue
        values[Own.specialist] = specialist.map { .id($0) }
        values[Own.others] = others.fieldValue
        values[Own.places] = places.fieldValue
        values[Own.reason] = .text(reason)
        values[Own.notes] = .text(notes)
        values[Own.instructions] = .text(instructions)
        values[Own.assessment] = assessment.map { .id($0) }
        values[Own.match] = match.map { .group($0.values) }
        return .group(values)
    }

    package init?(fieldValue: FieldValue?) {
        guard case .group(let values)? = fieldValue, let practice = UUID(fieldValue: values[Own.practice]),
            let type = AppointmentType(fieldValue: values[Own.type]),
            let start = Instant(fieldValue: values[Own.start]),
            let wall = values.text(Own.wall).flatMap({ try? WallMoment(parsing: $0) }),
            let minutes = Int(fieldValue: values[Own.minutes]),
            let others = [UUID](fieldValue: values[Own.others]), let places = [UUID](fieldValue: values[Own.places])
        else { return nil }
        self.init(
            practice: practice,
            service: UUID(fieldValue: values[Own.service]),
            type: type,
            start: start,
            wall: wall,
            zone: values.text(Own.zone) ?? "",
            minutes: minutes,
            bufferBefore: Int(fieldValue: values[Own.before]) ?? 0,
            bufferAfter: Int(fieldValue: values[Own.after]) ?? 0,
            specialist: UUID(fieldValue: values[Own.specialist]),
            others: others,
            places: places,
            reason: values.text(Own.reason) ?? "",
            notes: values.text(Own.notes) ?? "",
            instructions: values.text(Own.instructions) ?? "",
            assessment: UUID(fieldValue: values[Own.assessment]),
            match: values.group(Own.match).map { SpecialistMatch(values: $0) }
        )
    }
}
