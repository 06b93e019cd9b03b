package import FoundationEssentials
package import HealthModel

/// A specialist with the hours in each practice and the absences.
package struct SpecialistDocument: APIDocument, Hashable {
    package var id: UUID
    package var profile: SpecialistProfile
    package var posts: [PostDocument]
    package var absences: [AbsenceDocument]
    /// The first day on which the specialist does not work any more, in any practice.
    package var endedFrom: Day?
    package var position: UInt64

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

    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "profile": SettingsDocument<SpecialistProfile>.schema,
            "practices": JSONSchema.array(of: PostDocument.schema),
            "absences": JSONSchema.array(of: AbsenceDocument.schema), "position": JSONSchema.position,
        ],
        optional: ["endedFrom": JSONSchema.dayText]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "profile": SettingsDocument(profile).json,
            "practices": .array(posts.map(\.json)), "absences": .array(absences.map(\.json)),
            "position": .integer(position), "endedFrom": endedFrom.map { .string($0.description) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        profile = try SettingsDocument(object.object("profile")).settings
        posts = try object.documents("practices")
        absences = try object.documents("absences")
        endedFrom = try object.optionalDay("endedFrom")
        position = try object.number("position")
    }
}

/// The work of a specialist in one practice.
package struct PostDocument: APIDocument, Hashable {
    package var practice: UUID
    /// The first day on which the specialist does not work there any more.
    package var leftFrom: Day?
    package var hours: [HoursDocument]

    init(practice: UUID, _ post: SpecialistState.Post) {
        self.practice = practice
        leftFrom = post.leftFrom
        hours = post.hours.values.map { item in
            HoursDocument(item.value, preferences: post.preferences.value(on: item.from) ?? [], from: item.from)
        }
    }

    package static let schema = JSONSchema.object(
        ["practice": JSONSchema.identifier, "hours": JSONSchema.array(of: HoursDocument.schema)],
        optional: ["leftFrom": JSONSchema.dayText]
    )

    package var json: JSONValue {
        .present([
            "practice": .string(practice.text), "hours": .array(hours.map(\.json)),
            "leftFrom": leftFrom.map { .string($0.description) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        practice = try object.id("practice")
        hours = try object.documents("hours")
        leftFrom = try object.optionalDay("leftFrom")
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
package struct AbsenceDocument: APIDocument, Hashable {
    package var id: UUID
    package var absence: Absence

    package init(id: UUID, absence: Absence) {
        self.id = id
        self.absence = absence
    }

    private static let said: JSONValue = [
        "from": JSONSchema.sentTime, "until": JSONSchema.sentTime, "why": JSONSchema.word(of: Absence.Reason.self),
    ]

    /// Describes a request, to which the journal gives an id.
    package static let requestSchema = JSONSchema.object(said)
    package static let schema = JSONSchema.object(.object([.init("id", JSONSchema.identifier)] + said.members))

    package var json: JSONValue {
        .object([.init("id", .string(id.text))] + AbsenceDocument.members(absence).members)
    }

    /// Returns the body of a request.
    package static func members(_ absence: Absence) -> JSONValue {
        ["from": .time(absence.span.start), "until": .time(absence.span.end), "why": .string(absence.why.rawValue)]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        absence = try AbsenceDocument.absence(object)
    }

    /// Reads the body of a request.
    package static func absence(request object: NativeObject) throws(ModelError) -> Absence {
        try object.requireMembers(of: requestSchema)
        return try absence(object)
    }

    private static func absence(_ object: NativeObject) throws(ModelError) -> Absence {
        guard let span = TimeSpan(try object.instant("from"), try object.instant("until")) else {
            throw ModelError(.invalid, field: "until", "must be after the start")
        }
        return Absence(span: span, why: try object.choice("why", Absence.Reason.self))
    }
}

/// A patient of a practice.
package struct PatientDocument: APIDocument, Hashable {
    package var record: UUID
    package var name: String
    package var species: String?
    /// The number under which the practice keeps the patient.
    package var number: String?
    /// The clients who bring it, the first one is asked first.
    package var clients: [UUID]
    /// What everybody who handles the animal must know.
    package var alerts: String?
    package var registeredAt: Instant
    /// Nil for a patient; the end of the registration of a former one.
    package var endedAt: Instant?

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

    package static let schema = JSONSchema.object(
        [
            "record": JSONSchema.identifier, "name": ["type": "string"], "registeredAt": JSONSchema.time,
            "clients": JSONSchema.array(of: JSONSchema.identifier)
                .merging(["description": "The clients who bring it, the first one is asked first."]),
        ],
        optional: [
            "species": ["type": "string"], "number": ["type": "string"], "alerts": ["type": "string"],
            "endedAt": JSONSchema.time,
        ]
    )

    package var json: JSONValue {
        .present([
            "record": .string(record.text), "name": .string(name), "registeredAt": .time(registeredAt),
            "species": species.map { .string($0) }, "number": number.map { .string($0) },
            "clients": .array(clients.map { .string($0.text) }), "alerts": alerts.map { .string($0) },
            "endedAt": endedAt.map { .time($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        record = try object.id("record")
        name = try object.required("name")
        species = try object.text("species")
        number = try object.text("number")
        clients = try object.ids("clients")
        alerts = try object.text("alerts")
        registeredAt = try object.instant("registeredAt")
        endedAt = try object.optionalInstant("endedAt")
    }
}
