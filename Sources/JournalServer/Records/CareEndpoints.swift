package import FoundationEssentials
import HTTPTypes
package import HealthJournal
import HealthModel
import Hummingbird
package import Interchange

/// Operations on the due doses by the plans of a record, the taken doses, and the stock.
///
/// Plans, doses and supplies are entries: the operations of their kinds list, correct and retract them.
package enum CareEndpoints: OperationGroup {
    package static let due = Endpoint(
        .get,
        "/v1/records/{record}/due",
        id: "listDueDoses",
        "List the planned doses of a period with their states, and the doses outside the plans",
        tag: .care,
        takes: .record,
        .query(
            CareQuestion(),
            .init(.firstDay, \.from),
            .init(.endDay, \.to),
            .init(.plan, \.plan),
            .init(.asOf, \.asOf),
            .init(.now, \.now)
        ),
        returns: .document("PlannedDoses", "The doses, in the order in which they are due."),
        problems: [.erased]
    ) { journal, caller, record, question in
        try await journal.care.due(of: record, question, caller).document
    }

    /// The day is `from` of the question.
    package static let today = Endpoint(
        .get,
        "/v1/records/{record}/today",
        id: "showToday",
        "List the doses of a day, those of the evening before that are still open, and the vaccinations that are due",
        tag: .care,
        takes: .record,
        .query(CareQuestion(), .init(.day, \.from), .init(.asOf, \.asOf), .init(.now, \.now)),
        returns: .document("PlannedDoses", "The doses, and when another dose is possible."),
        problems: [.erased]
    ) { journal, caller, record, question in
        try await journal.care.today(of: record, question, caller).document
    }

    package static let adherence = Endpoint(
        .get,
        "/v1/records/{record}/adherence",
        id: "showAdherence",
        "Count how many of the planned doses were taken",
        description: """
            `percentage` is the number of doses that were taken, divided by the number of those that were taken, \
            partly taken, skipped or missed, and rounded down. All other doses are only counted: those that were \
            skipped because it was advised, those of a pause or due before their plan was recorded, and those that \
            are open or ahead.
            """,
        tag: .care,
        takes: .record,
        .query(
            AdherenceQuestion(CareQuestion()),
            .init(.firstDay, \.period.from),
            .init(.endDay, \.period.to),
            .init(.plan, \.period.plan),
            .init(.grouping, \.grouping),
            .init(.asOf, \.period.asOf),
            .init(.now, \.period.now)
        ),
        returns: .document("Adherence", "The counts in all and by group."),
        problems: [.erased]
    ) { journal, caller, record, question in
        try await journal.care.due(of: record, question.period, caller).adherence(by: question.grouping ?? .day)
    }

    package static let stock = Endpoint(
        .get,
        "/v1/records/{record}/stock",
        id: "showStock",
        "Show what is in stock, and when it runs out",
        tag: .care,
        takes: .record,
        .query(CareQuestion(), .init(.plan, \.plan), .init(.asOf, \.asOf), .init(.now, \.now)),
        returns: .list("stock", "StockList", "The stock of each plan whose stock is counted."),
        problems: [.erased]
    ) { journal, caller, record, question in
        try await journal.care.stock(of: record, question, caller).map(\.document)
    }

    package static let logDose = Endpoint(
        .post,
        "/v1/records/{record}/doses",
        id: "logDose",
        "Log a dose that was taken or skipped",
        tag: .care,
        takes: .record,
        .body(DoseRequest.self, "DoseRequest", example: ("taken", exampleDose)),
        returns: .loggedDose,
        problems: [.conflict, .erased]
    ) { journal, caller, record, dose in
        try await journal.care.logDose(dose, in: record, caller)
    }

    private static let exampleDose: JSONValue = [
        "of": .string(OpenAPI.exampleMedication), "status": "taken", "amount": "1", "at": "2026-03-02T07:05:00Z",
    ]

    package static let undoDose = Endpoint(
        .post,
        "/v1/records/{record}/doses/{entry}/undo",
        id: "undoDose",
        "Retract a dose that was logged by mistake",
        tag: .care,
        takes: .record,
        .entry,
        .ifMatch,
        returns: .written,
        problems: [.conflict, .erased, .stale]
    ) { journal, caller, record, entry, version in
        try await journal.care.retractDose(entry, expecting: ExpectedEntry(record: record, position: version), caller)
    }

    package static let snoozeDose = Endpoint(
        .post,
        "/v1/records/{record}/doses/snoozes",
        id: "snoozeDose",
        "Postpone the reminders of a planned dose, which stays due at its time",
        tag: .care,
        takes: .record,
        .body(SnoozeRequest.self, "SnoozeRequest"),
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, record, snooze in
        try await journal.care.snoozeDose(snooze.target, of: snooze.plan, until: snooze.until, in: record, caller)
    }

    static let operations = [
        Operation(due), Operation(today), Operation(adherence), Operation(stock), Operation(logDose),
        Operation(undoDose), Operation(snoozeDose),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("StockList", OpenAPI.list("stock", of: "Stock")),
        .init(
            "LoggedDose",
            OpenAPI.written(
                "The entry of the dose, and what is unusual about it.",
                and: ["warnings": JSONSchema.array(of: JSONSchema.word(of: DoseWarning.self))]
            )
        ),
    ]
}

/// A question about how many of the planned doses of a period were taken.
package struct AdherenceQuestion: Sendable {
    package var period: CareQuestion
    /// How the doses are grouped; by day if it is nil.
    package var grouping: AdherenceGrouping?

    package init(_ period: CareQuestion, by grouping: AdherenceGrouping? = nil) {
        (self.period, self.grouping) = (period, grouping)
    }
}

extension AdherenceGrouping: ParameterValue {}
extension DoseRequest: RequestBodyDocument {}
extension SnoozeRequest: RequestBodyDocument {}

extension EndpointAnswer where Output == DoseResult {
    fileprivate static var loggedDose: Self {
        Self(
            descriptions: [
                .json(
                    "LoggedDose",
                    "The dose is durable. `Location` is the address of its entry.",
                    status: 201,
                    headers: [.eTag, .location],
                    links: OpenAPI.entryLinks("Dose")
                )
            ]
        ) { result in
            result.write.response(
                .created,
                location: result.write.addressOfEntry(Dose.kind),
                adding: [.init("warnings", .array(result.warnings.map { .string($0.rawValue) }))]
            )
        } read: { object, version throws(ModelError) in
            DoseResult(
                write: try WriteResult(object, version: version),
                warnings: try object.texts("warnings").compactMap(DoseWarning.init)
            )
        }
    }
}

extension WriteResult {
    /// The address of the entry that was written, whose kind is `kind`; nil if there is none.
    fileprivate func addressOfEntry(_ kind: Kind) -> String? {
        guard let record, let entry else { return nil }
        return "/v1/records/\(record.text)/entries/\(kind.name)/\(entry.text)"
    }
}
