package import FoundationEssentials
package import HealthModel

/// A specialist with the hours in each practice and the absences.
package struct SpecialistDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var profile: SpecialistProfile
    package var posts: [PostDocument]
    package var absences: [AbsenceDocument]
    package var position: UInt64
    /// The first day on which the specialist does not work any more, in any practice.
    package var endedFrom: Day?

    package static let definition = DocumentDefinition(
        SpecialistDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("profile", \.profile),
        DocumentMember("practices", \.posts),
        DocumentMember("absences", \.absences),
        DocumentMember("position", \.position),
        DocumentMember("endedFrom", \.endedFrom)
    )
}

extension SpecialistDocument {
    package init(_ specialist: SpecialistState) {
        id = specialist.id
        profile = specialist.profile
        posts = specialist.posts.map { PostDocument(practice: $0.key, $0.value) }
            .sorted { $0.practice.text < $1.practice.text }
        absences = specialist.absences.map { AbsenceDocument(id: $0.key, absence: $0.value) }
            .sorted { ($0.absence.span.start, $0.id.text) < ($1.absence.span.start, $1.id.text) }
        endedFrom = specialist.endedFrom
        position = specialist.updated.position
    }
}

/// The work of a specialist in one practice.
package struct PostDocument: DefinedDocument, Hashable {
    package var practice: UUID
    package var hours: [HoursDocument]
    /// The first day on which the specialist does not work there any more.
    package var leftFrom: Day?

    package static let definition = DocumentDefinition(
        PostDocument.init,
        DocumentMember("practice", \.practice),
        DocumentMember("hours", \.hours),
        DocumentMember("leftFrom", \.leftFrom)
    )
}

extension PostDocument {
    init(practice: UUID, _ post: SpecialistState.Post) {
        self.practice = practice
        leftFrom = post.leftFrom
        hours = post.hours.values.map { item in
            HoursDocument(item.value, preferences: post.preferences.value(on: item.from) ?? [], from: item.from)
        }
    }
}

/// The hours of a specialist, from a day on, and which services the specialist likes to do.
package struct HoursDocument: APIDocument, Hashable {
    package var hours: WeeklyHours
    package var preferences: [AvailabilityPreference]
    package var from: Day

    package init(_ hours: WeeklyHours, preferences: [AvailabilityPreference] = [], from: Day) {
        self.hours = hours
        self.preferences = preferences
        self.from = from
    }

    package static let schema = JSONSchema.object(
        ["from": JSONSchema.dayText],
        optional: [
            "hours": JSONSchema.array(of: JSONSchema.lineText(maximum: Limits.line))
                .merging(["description": "The hours of days of the week: `mon-fri 08:00-12:00`; none for no work."]),
            "preferences": [
                "type": "array", "maxItems": .integer(AvailabilityPreference.maximum),
                "items": AvailabilityPreference.schema,
                "description": "Orders free times that are equal otherwise, and binds nothing.",
            ],
        ]
    )

    package var json: JSONValue {
        .present([
            "from": .string(from.description), "hours": .lines(hours.lines),
            "preferences": preferences.isEmpty ? nil : .array(preferences.map(\.json)),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(of: HoursDocument.schema)
        from = try object.day("from")
        hours = try object.hours("hours")
        preferences =
            object.has("preferences")
            ? try object.objects("preferences").map { item throws(ModelError) in try AvailabilityPreference(item) } : []
    }
}

extension AvailabilityPreference {
    static let schema = JSONSchema.object(
        ["service": JSONSchema.identifier, "weight": ["type": "integer", "minimum": -2, "maximum": 2]],
        optional: ["weekday": JSONSchema.orNull(["enum": .array(Weekday.allCases.map { .string($0.name) })])]
    )

    var json: JSONValue {
        .present([
            "service": .string(service.text), "weekday": weekday.map { .string($0.name) }, "weight": .integer(weight),
        ])
    }

    init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(["service", "weekday", "weight"])
        let day = try object.text("weekday")
        let weekday = day.flatMap { Weekday(name: $0) }
        if day != nil, weekday == nil { throw ModelError(.invalid, field: "weekday", "must be a day such as mon") }
        guard let weight = try object.optionalInteger("weight") else {
            throw ModelError(.invalid, field: "weight", "is missing")
        }
        self.init(service: try object.id("service"), weekday: weekday, weight: weight)
    }
}

/// A time in which a specialist is not available.
package struct AbsenceDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var absence: Absence

    package init(id: UUID, absence: Absence) {
        self.id = id
        self.absence = absence
    }

    private static let members = DocumentDefinition(
        Absence.init,
        .span(\.span, schema: JSONSchema.sentTime),
        DocumentMember("why", \.why)
    )

    package static let definition = DocumentDefinition(
        AbsenceDocument.init,
        DocumentMember("id", \.id),
        .members(of: members, \.absence)
    )

    /// Describes a request, to which the journal gives an id.
    package static var requestSchema: JSONValue { members.schema }

    /// Returns the body of a request.
    package static func members(_ absence: Absence) -> JSONValue { members.write(absence) }

    /// Reads the body of a request.
    package static func absence(request object: NativeObject) throws(ModelError) -> Absence {
        try object.requireMembers(of: requestSchema)
        return try members.read(object)
    }
}

/// A patient of a practice.
package struct PatientDocument: DefinedDocument, Hashable {
    package var record: UUID
    package var name: String
    package var registeredAt: Instant
    package var species: String?
    /// The number under which the practice keeps the patient.
    package var number: String?
    /// The clients who bring it, the first one is asked first.
    package var clients: [UUID]
    /// What everybody who handles the animal must know.
    package var alerts: String?
    /// Nil for a patient; the end of the registration of a former one.
    package var endedAt: Instant?

    package static let definition = DocumentDefinition(
        PatientDocument.init,
        DocumentMember("record", \.record),
        DocumentMember("name", \.name),
        DocumentMember("registeredAt", \.registeredAt),
        DocumentMember("species", \.species),
        DocumentMember("number", \.number),
        DocumentMember("clients", \.clients, "The clients who bring it, the first one is asked first."),
        DocumentMember("alerts", \.alerts),
        DocumentMember("endedAt", \.endedAt)
    )
}

extension PatientDocument {
    package init(record: UUID, name: String, species: String, _ registration: RegistrationState) {
        self.record = record
        self.name = name
        self.species = species.isEmpty ? nil : species
        number = registration.number.isEmpty ? nil : registration.number
        let first = registration.profile.primary
        clients =
            registration.profile.clients.filter { $0 == first } + registration.profile.clients.filter { $0 != first }
        alerts = registration.profile.alerts.isEmpty ? nil : registration.profile.alerts
        registeredAt = registration.made.recordedAt
        endedAt = registration.ended?.recordedAt
    }
}
