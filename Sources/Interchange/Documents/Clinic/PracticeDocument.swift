package import FoundationEssentials
package import HealthModel

/// A practice: its description, hours, services and rooms, and what the reader is in it.
package struct PracticeDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var profile: PracticeProfile
    package var timetables: [TimetableDocument]
    package var services: [PartDocument<ServiceProfile>]
    package var places: [PartDocument<PlaceProfile>]
    /// The roles of the reader today.
    package var roles: [ClinicRole]
    /// The members, for members.
    package var members: [MemberDocument]
    package var createdAt: Instant
    /// The last change of the practice itself.
    package var position: UInt64
    package var closedAt: Instant?

    package static let definition = DocumentDefinition(
        PracticeDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("profile", \.profile),
        DocumentMember("timetables", \.timetables),
        DocumentMember("services", \.services),
        DocumentMember("places", \.places),
        DocumentMember("roles", \.roles),
        DocumentMember("members", \.members),
        DocumentMember("createdAt", \.createdAt),
        DocumentMember("position", \.position),
        DocumentMember("closedAt", \.closedAt)
    )
}

extension PracticeDocument {
    package init(_ practice: PracticeState, roles: Set<ClinicRole>, members: [UUID: Membership]) {
        id = practice.id
        profile = practice.profile
        timetables = practice.timetables.values.map { TimetableDocument($0.value, from: $0.from) }
        services = practice.services
            .map { PartDocument(id: $0.key, profile: $0.value.profile, endedAt: $0.value.ended?.recordedAt) }
            .sorted { ($0.profile.name.lowercased(), $0.id.text) < ($1.profile.name.lowercased(), $1.id.text) }
        places = practice.places
            .map { PartDocument(id: $0.key, profile: $0.value.profile, endedAt: $0.value.ended?.recordedAt) }
            .sorted { ($0.profile.name.lowercased(), $0.id.text) < ($1.profile.name.lowercased(), $1.id.text) }
        self.roles = roles.sorted()
        self.members = members.map { MemberDocument(account: $0.key, membership: $0.value) }
            .sorted { $0.account.text < $1.account.text }
        createdAt = practice.created.recordedAt
        closedAt = practice.closed?.recordedAt
        position = practice.updated.position
    }
}

/// A service or a room of a practice.
package struct PartDocument<Profile: ClinicProfile>: APIDocument, Hashable {
    package var id: UUID
    package var profile: Profile
    package var endedAt: Instant?

    package init(id: UUID, profile: Profile, endedAt: Instant? = nil) {
        self.id = id
        self.profile = profile
        self.endedAt = endedAt
    }

    package static var schema: JSONValue {
        JSONSchema.object(
            ["id": JSONSchema.identifier, "profile": SettingsDocument<Profile>.schema],
            optional: ["endedAt": JSONSchema.time]
        )
    }

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "profile": SettingsDocument(profile).json,
            "endedAt": endedAt.map { .time($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        profile = try SettingsDocument(object.object("profile")).settings
        endedAt = try object.optionalInstant("endedAt")
    }
}

/// When a practice is open, from a day on.
package struct TimetableDocument: APIDocument, Hashable {
    package var timetable: Timetable
    package var from: Day

    package init(_ timetable: Timetable, from: Day) {
        self.timetable = timetable
        self.from = from
    }

    private static let hours = JSONSchema.array(of: JSONSchema.lineText(maximum: Limits.line))

    package static let schema = JSONSchema.object(
        ["from": JSONSchema.dayText],
        optional: [
            "usual": hours.merging(["description": "The hours of days of the week: `mon-fri 08:00-12:00,13:00-17:00`."]
            ),
            "emergency": hours.merging(["description": "Hours in which the practice takes emergencies as well."]),
            "holidays": hours.merging([
                "description":
                    "Days with other hours: `2027-12-25 closed Christmas`, `yearly 2027-08-01 10:00-12:00 Fair`."
            ]),
        ]
    )

    package var json: JSONValue {
        .present([
            "from": .string(from.description), "usual": .lines(timetable.usual.lines),
            "emergency": .lines(timetable.emergency.lines),
            "holidays": .lines(timetable.holidays.map(\.description)),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(of: TimetableDocument.schema)
        from = try object.day("from")
        timetable = Timetable(
            usual: try object.hours("usual"),
            emergency: try object.hours("emergency"),
            holidays: try object.parsedLines("holidays") { line throws(ModelError) in try Holiday(parsing: line) }
        )
    }
}

/// What an account does in a practice.
package struct MemberDocument: APIDocument, Hashable {
    package var account: UUID
    package var membership: Membership

    package init(account: UUID, membership: Membership) {
        self.account = account
        self.membership = membership
    }

    /// Describes what a request says of a member, whose account is in the address.
    package static let requestSchema = JSONSchema.object(
        ["roles": JSONSchema.array(of: JSONSchema.word(of: ClinicRole.self)).merging(["minItems": 1])],
        optional: [
            "specialist": JSONSchema.orNull(JSONSchema.identifier), "from": JSONSchema.date, "until": JSONSchema.date,
        ]
    )

    package static let schema = JSONSchema.object(
        [
            "account": JSONSchema.identifier,
            "roles": JSONSchema.array(of: JSONSchema.word(of: ClinicRole.self)),
        ],
        optional: ["specialist": JSONSchema.identifier, "from": JSONSchema.dayText, "until": JSONSchema.dayText]
    )

    package var json: JSONValue {
        .object([.init("account", .string(account.text))] + MemberDocument.members(membership).members)
    }

    /// Returns the body of a request.
    package static func members(_ membership: Membership) -> JSONValue {
        .present([
            "roles": .array(membership.roles.sorted().map { .string($0.name) }),
            "specialist": membership.specialist.map { .string($0.text) },
            "from": membership.from.map { .string($0.description) },
            "until": membership.until.map { .string($0.description) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        account = try object.id("account")
        membership = try MemberDocument.membership(object)
    }

    /// Reads the body of a request.
    package static func membership(request object: NativeObject) throws(ModelError) -> Membership {
        try object.requireMembers(of: requestSchema)
        return try membership(object)
    }

    private static func membership(_ object: NativeObject) throws(ModelError) -> Membership {
        Membership(
            roles: Set(
                try object.parsedLines("roles") { name throws(ModelError) in
                    guard let role = ClinicRole(rawValue: name) else {
                        let names = ClinicRole.allCases.map(\.name).joined(separator: ", ")
                        throw ModelError(.invalid, "the roles are \(names)")
                    }
                    return role
                }
            ),
            specialist: try object.optionalID("specialist"),
            from: try object.optionalDay("from"),
            until: try object.optionalDay("until")
        )
    }
}

extension JSONValue {
    /// A list of texts; nil if it is empty.
    static func lines(_ lines: [String]) -> JSONValue? { lines.isEmpty ? nil : .array(lines.map { .string($0) }) }
}

extension NativeObject {
    /// A day; throws if it is missing.
    func day(_ name: String) throws(ModelError) -> Day {
        do { return try Day(parsing: required(name)) } catch { throw error.at(path.appending(name)) }
    }

    /// The hours of a week; none if the member is missing.
    func hours(_ name: String) throws(ModelError) -> WeeklyHours {
        do { return try WeeklyHours(parsing: lines(name)) } catch { throw error.at(path.appending(name)) }
    }

    /// Parses each text of a list; empty if the member is missing or null.
    func parsedLines<Value>(
        _ name: String,
        _ parse: (String) throws(ModelError) -> Value
    ) throws(ModelError) -> [Value] {
        var values: [Value] = []
        for line in try lines(name) {
            do { values.append(try parse(line)) } catch { throw error.at(path.appending(name)) }
        }
        return values
    }

    private func lines(_ name: String) throws(ModelError) -> [String] {
        switch members.first(where: { $0.name == name })?.value {
        case nil, .null: return []
        case .array(let items)?:
            return try items.map { item throws(ModelError) in
                guard case .string(let text) = item else {
                    throw ModelError(.invalid, field: path.appending(name).field, "must contain texts")
                }
                return text
            }
        case .some(let other):
            throw ModelError(.invalid, field: path.appending(name).field, "must be a list, not \(other.typeName)")
        }
    }
}
