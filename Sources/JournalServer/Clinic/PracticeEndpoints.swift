package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// Practices: their description, hours, services, rooms, members and specialists.
package enum PracticeEndpoints: OperationGroup {
    package static let list = Endpoint(
        .get,
        "/v1/practices",
        id: "listPractices",
        "List the practices of the journal",
        tag: .clinic,
        takes: .query(.asOf, as: AsOf.self),
        returns: .list("practices", "Practices", "The practices, in the order in which they were created."),
        problems: [.refused, .notFound]
    ) { journal, caller, asOf in
        try await journal.practices.list(asOf: asOf, caller).map(\.document)
    }

    package static let create = Endpoint(
        .post,
        "/v1/practices",
        id: "createPractice",
        "Create a practice, of which the caller becomes a manager",
        tag: .clinic,
        takes: .settings(
            PracticeProfile.self,
            "PracticeProfile",
            example: (
                "practice", ["name": "Two Rooms", "zone": "Europe/Zurich", "phone": "+41 26 555 07 08"] as JSONValue
            )
        ),
        returns: .created("The practice was created.", at: "/v1/practices/", \.id),
        problems: [.refused, .conflict]
    ) { journal, caller, profile in
        try await journal.practices.createPractice(profile, caller)
    }

    package static let show = Endpoint(
        .get,
        "/v1/practices/{practice}",
        id: "showPractice",
        "Show a practice with its hours, services, rooms and, for members, its members",
        tag: .clinic,
        takes: .practice,
        .query(.asOf, as: AsOf.self),
        returns: .versioned("Practice", "The practice.")
    ) { journal, caller, practice, asOf in
        let answer = try await journal.practices.practice(practice, asOf: asOf, caller)
        return Versioned(answer.document, version: answer.practice.updated.position)
    }

    package static let operating = Endpoint(
        .get,
        "/v1/practices/{practice}/operating",
        id: "showOperating",
        "Say whether a practice is open at a moment, and whether it can treat what needs a specialty",
        tag: .clinic,
        takes: .practice,
        .query(.operatingAt, as: Instant.self),
        .specialty,
        returns: .document("Operating", "Open, open for emergencies alone, or closed until the next opening.")
    ) { journal, caller, practice, moment, specialty in
        try await journal.practices.operating(of: practice, at: moment, specialty: specialty, caller)
    }

    package static let change = Endpoint(
        .put,
        "/v1/practices/{practice}",
        id: "changePractice",
        "Replace the description of a practice",
        description: """
            A change of the zone needs a reason. `moved` lists the appointments ahead that are then at another time by \
            the clock than agreed; with `dryRun`, before it is changed.
            """,
        tag: .clinic,
        takes: .practice,
        .settings(
            PracticeProfile.self,
            "PracticeProfile",
            example: ("practice", ["name": "Two Rooms", "zone": "Europe/Zurich", "notice": 12] as JSONValue)
        ),
        .onlyTry,
        returns: .written("PracticeWritten", "The position of the change, and what it moves."),
        problems: [.conflict]
    ) { journal, caller, practice, profile, isTrial in
        try await journal.practices.changePractice(practice, dryRun: isTrial, caller) { _ in .change(profile) }
    }

    package static let close = Endpoint(
        .post,
        "/v1/practices/{practice}/close",
        id: "closePractice",
        "Close a practice: it can still be read, but no longer be changed",
        tag: .clinic,
        takes: .practice,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice in
        try await journal.practices.changePractice(practice, caller) { _ in .close }
    }

    package static let setTimetable = Endpoint(
        .put,
        "/v1/practices/{practice}/timetable",
        id: "setTimetable",
        "Set the opening hours of a practice from a day on",
        tag: .clinic,
        takes: .practice,
        .body(TimetableDocument.self, "Timetable", example: ("hours", hoursExample)),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, hours in
        try await journal.practices.changePractice(practice, caller) { _ in
            .setTimetable(hours.timetable, from: hours.from)
        }
    }

    package static let setMember = Endpoint(
        .put,
        "/v1/practices/{practice}/members/{account}",
        id: "setMember",
        "Make an account a member of a practice, or change its roles",
        tag: .clinic,
        takes: .practice,
        .account,
        .membership,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, account, membership in
        try await journal.practices.changeMembers(of: practice, .grant(account: account, membership), caller)
    }

    package static let removeMember = Endpoint(
        .delete,
        "/v1/practices/{practice}/members/{account}",
        id: "removeMember",
        "End the membership of an account; the last manager cannot be removed",
        tag: .clinic,
        takes: .practice,
        .account,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, account in
        try await journal.practices.changeMembers(of: practice, .revoke(account: account), caller)
    }

    static let operations: [Operation] =
        [
            Operation(list), Operation(create), Operation(show), Operation(operating), Operation(change),
            Operation(close), Operation(setTimetable), Operation(setMember), Operation(removeMember),
        ] + partOperations + SpecialistEndpoints.operations

    static let schemas: [JSONValue.Member] =
        [
            .init("Practice", OpenAPI.referring(PracticeDocument.schema, at: "profile", to: "PracticeProfile")),
            .init("Practices", OpenAPI.list("practices", of: "Practice")),
            .init("PracticeProfile", SettingsDocument<PracticeProfile>.schema),
            .init("Operating", OperatingDocument.schema),
            .init(
                "PracticeWritten",
                OpenAPI.written(
                    "The position of the change, and the appointments whose clock time it moves.",
                    and: ["moved": JSONSchema.array(of: MovedAppointment.schema)]
                )
            ),
            .init("Timetable", TimetableDocument.schema),
            .init("ServiceProfile", SettingsDocument<ServiceProfile>.schema),
            .init("PlaceProfile", SettingsDocument<PlaceProfile>.schema),
            .init("BlockedTime", BlockedTime.requestSchema),
            .init("BlockedTimes", OpenAPI.list("blocked", BlockedTime.schema)),
            .init("Membership", MemberDocument.requestSchema),
        ] + SpecialistEndpoints.schemas

    private static let hoursExample: JSONValue = [
        "from": "2027-01-01", "usual": ["mon-fri 08:00-12:00,13:00-17:00", "sat 09:00-12:00"],
        "emergency": ["mon-fri 17:00-20:00"], "holidays": ["2027-12-25 closed Christmas"],
    ]
}

extension TimetableDocument: RequestBodyDocument {}

extension RequestPart where Value == UUID {
    static var account: Self { id("account") }
}

extension RequestPart where Value == Membership {
    fileprivate static var membership: Self {
        let example: JSONValue = ["roles": ["nurse", "receptionist"]]
        return Self(body: BodyDescription(schema: "Membership", examples: [("nurse", example)])) {
            try MemberDocument.membership(request: $0.object)
        } write: {
            $1.body = MemberDocument.members($0)
        }
    }
}

extension RequestPart where Value == String? {
    /// A specialty, by its name.
    fileprivate static var specialty: Self {
        Self(parameters: [.operatingSpecialty]) {
            try $0.query.text(.operatingSpecialty).flatMap { $0.isEmpty ? nil : $0 }
        } write: {
            if let name = $0 { $1.query.append((Parameter.operatingSpecialty.name, name)) }
        }
    }
}

extension Parameter {
    fileprivate static let operatingAt = Parameter(
        .query,
        "at",
        component: "operatingAt",
        "The moment; by default now.",
        schema: JSONSchema.sentTime
    )
    fileprivate static let operatingSpecialty = Parameter(
        .query,
        "specialty",
        component: "operatingSpecialty",
        "A specialty by name, whatever its case: whether the practice lists it, and somebody who works there has it.",
        schema: JSONSchema.lineText(maximum: Limits.line)
    )
}
