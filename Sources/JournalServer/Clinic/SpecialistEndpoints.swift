package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// The specialists of a practice.
package enum SpecialistEndpoints {
    package static let list = Endpoint(
        .get,
        "/v1/practices/{practice}/specialists",
        id: "listSpecialists",
        "List the specialists who work or worked in a practice",
        tag: .clinic,
        takes: .practice,
        .query(.asOf, as: AsOf.self),
        returns: .list("specialists", "Specialists", "The specialists, in the order of their names.")
    ) { journal, caller, practice, asOf in
        try await journal.practices.specialists(of: practice, asOf: asOf, caller).map { SpecialistDocument($0) }
    }

    package static let add = Endpoint(
        .post,
        "/v1/practices/{practice}/specialists",
        id: "addSpecialist",
        "Add a specialist to a practice",
        tag: .clinic,
        takes: .practice,
        .settings(
            SpecialistProfile.self,
            "SpecialistProfile",
            example: (
                "ada",
                ["name": "Ada Roth", "credentials": "Dr. med. vet.", "licenseNumber": "VD-12 345"] as JSONValue
            )
        ),
        returns: .created("The specialist was added."),
        problems: [.conflict]
    ) { journal, caller, practice, profile in
        try await journal.practices.addSpecialist(profile, to: practice, caller)
    }

    package static let change = changing(
        .put,
        "",
        id: "changeSpecialist",
        "Replace the description of a specialist",
        .settings(SpecialistProfile.self, "SpecialistProfile", example: ("ada", ["name": "Ada Roth-Berg"] as JSONValue))
    ) { profile, _ in
        .change(profile)
    }

    package static let setHours = changing(
        .put,
        "/hours",
        id: "setHours",
        "Set the hours of a specialist in a practice from a day on",
        .body(
            HoursDocument.self,
            "Hours",
            example: ("mornings", ["from": "2027-01-01", "hours": ["mon-thu 08:00-12:00"]] as JSONValue)
        )
    ) { hours, practice in
        .setHours(hours.hours, hours.preferences, practice: practice, from: hours.from)
    }

    package static let setAbsence = changing(
        .put,
        "/absences/{absence}",
        id: "setAbsence",
        "Note that a specialist is absent, under an id of the client's choice; no appointment is cancelled",
        .absence
    ) { absence, _ in
        .addAbsence(absence.id, absence.absence)
    }

    package static let removeAbsence = changing(
        .delete,
        "/absences/{absence}",
        id: "removeAbsence",
        "Remove an absence of a specialist",
        .id("absence")
    ) { absence, _ in
        .removeAbsence(absence)
    }

    package static let join = changing(
        .post,
        "/join",
        id: "joinPractice",
        "Let a specialist of another practice that the caller manages work in this one too",
        description: "The specialist has one diary in all practices, so that no two appointments overlap."
    ) { practice in
        .join(practice: practice)
    }

    package static let leave = changing(
        .post,
        "/leave",
        id: "leavePractice",
        "Note from which day on a specialist no longer works in this practice; no appointment is cancelled",
        .member("from", "LastDay", example: ("end", ["from": "2027-07-01"] as JSONValue))
    ) { day, practice in
        .leave(practice: practice, from: day)
    }

    package static let end = changing(
        .put,
        "/end",
        id: "endSpecialist",
        "Note from which day on a specialist no longer works in any practice; no appointment is cancelled",
        .member("from", "LastDay", example: ("end", ["from": "2027-07-01"] as JSONValue))
    ) { day, _ in
        .end(from: day)
    }

    package static let takeBack = changing(
        .delete,
        "/end",
        id: "returnSpecialist",
        "Note that a specialist works again"
    ) { _ in
        .takeBack
    }

    package static let erase = Endpoint(
        .post,
        "/v1/practices/{practice}/specialists/{specialist}/erase",
        id: "eraseSpecialist",
        "Make the data of a specialist who no longer works unreadable for good; the appointments stay",
        description: "The journal keeps the reason, which must therefore not describe the person.",
        tag: .clinic,
        reason: .query(.requiredReason),
        takes: .practice,
        .id("specialist"),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, specialist in
        try await journal.practices.eraseSpecialist(specialist, in: practice, caller)
    }

    /// A change of a specialist, as a value of a request and the practice say.
    private static func changing<Value: Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        id: String,
        _ summary: String,
        _ value: RequestPart<Value>,
        _ command: @escaping @Sendable (Value, _ practice: UUID) -> SpecialistCommand
    ) -> Endpoint<WriteResult, UUID, UUID, Value> {
        Endpoint(
            method,
            "/v1/practices/{practice}/specialists/{specialist}" + path,
            id: id,
            summary,
            tag: .clinic,
            takes: .practice,
            .id("specialist"),
            value,
            returns: .written,
            problems: [.conflict]
        ) { journal, caller, practice, specialist, value in
            try await journal.practices.changeSpecialist(specialist, in: practice, caller) { _ in
                command(value, practice)
            }
        }
    }

    /// A change of a specialist, as the practice says.
    private static func changing(
        _ method: HTTPRequest.Method,
        _ path: String,
        id: String,
        _ summary: String,
        description: String? = nil,
        _ command: @escaping @Sendable (_ practice: UUID) -> SpecialistCommand
    ) -> Endpoint<WriteResult, UUID, UUID> {
        Endpoint(
            method,
            "/v1/practices/{practice}/specialists/{specialist}" + path,
            id: id,
            summary,
            description: description,
            tag: .clinic,
            takes: .practice,
            .id("specialist"),
            returns: .written,
            problems: [.conflict]
        ) { journal, caller, practice, specialist in
            try await journal.practices.changeSpecialist(specialist, in: practice, caller) { _ in command(practice) }
        }
    }

    static let operations = [
        Operation(list), Operation(add), Operation(change), Operation(setHours), Operation(setAbsence),
        Operation(removeAbsence), Operation(join), Operation(leave), Operation(end), Operation(takeBack),
        Operation(erase),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("Specialist", OpenAPI.referring(SpecialistDocument.schema, at: "profile", to: "SpecialistProfile")),
        .init("Specialists", OpenAPI.list("specialists", of: "Specialist")),
        .init("SpecialistProfile", SettingsDocument<SpecialistProfile>.schema),
        .init("Hours", HoursDocument.schema),
        .init("Absence", AbsenceDocument.requestSchema),
        .init("LastDay", OpenAPI.object(["from": JSONSchema.dayText])),
    ]
}

extension HoursDocument: RequestBodyDocument {}

/// An absence under an id that the client chose.
package struct NamedAbsence: Sendable {
    package var id: UUID
    package var absence: Absence

    package init(_ id: UUID, _ absence: Absence) {
        (self.id, self.absence) = (id, absence)
    }
}

extension RequestPart where Value == NamedAbsence {
    /// An absence under the id in the path.
    fileprivate static var absence: Self {
        let example: JSONValue = [
            "from": "2027-03-02T07:00:00Z", "until": "2027-03-03T17:00:00Z", "why": "sick",
        ]
        return Self(names: ["absence"], body: BodyDescription(schema: "Absence", examples: [("ill", example)])) {
            NamedAbsence(try $0.id("absence"), try AbsenceDocument.absence(request: $0.object))
        } write: {
            $1.parameters["absence"] = $0.id.text
            $1.body = AbsenceDocument.members($0.absence)
        }
    }
}
