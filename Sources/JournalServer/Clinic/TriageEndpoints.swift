package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// Triage: the board of a practice, the rules that it adopted, and the changes of a triage.
package enum TriageEndpoints: OperationGroup {
    package static let board = Endpoint(
        .get,
        "/v1/practices/{practice}/triage",
        id: "showTriageBoard",
        "Show the patients who wait at a practice, the most urgent one first",
        description: TriageRules.notice,
        tag: .clinic,
        takes: .practice,
        .query(.asOf, as: AsOf.self),
        returns: .triages("The patients; each is a read of its record.")
    ) { journal, caller, practice, asOf in
        try await journal.triage.triageBoard(of: practice, asOf: asOf, caller).map(\.document)
    }

    package static let begin = Endpoint(
        .post,
        "/v1/practices/{practice}/triage",
        id: "beginTriage",
        "Put a patient on the board, also as \"Red now\"",
        description: "An animal that is no patient of the practice yet becomes one.",
        tag: .clinic,
        takes: .triageRequest,
        returns: .created("The patient is on the board.", at: "/v1/triage/", \.entry),
        problems: [.conflict, .erased]
    ) { journal, caller, asked in
        try await journal.triage.beginTriage(asked, caller)
    }

    package static let list = Endpoint(
        .get,
        "/v1/practices/{practice}/triage/arrivals",
        id: "listTriages",
        "List the triages of patients who arrived on some days",
        tag: .clinic,
        takes: .practice,
        .days,
        .query(.asOf, as: AsOf.self),
        returns: .triages("The triages, in the order of the arrivals; each is a read of its record.")
    ) { journal, caller, practice, days, asOf in
        try await journal.triage.triages(of: practice, days: days, asOf: asOf, caller).map(\.document)
    }

    package static let statistics = Endpoint(
        .get,
        "/v1/practices/{practice}/triage/statistics",
        id: "showTriageStatistics",
        "Show how soon patients were seen, by level",
        tag: .clinic,
        takes: .practice,
        .days,
        returns: .document("TriageStatistics", "Numbers without names.")
    ) { journal, caller, practice, days in
        try await journal.triage.triageStatistics(of: practice, days: days, caller).document
    }

    package static let rules = Endpoint(
        .get,
        "/v1/practices/{practice}/triage/rules",
        id: "showTriageRules",
        "Show the rule sets of triage: those that the practice adopted, and those of the program",
        tag: .clinic,
        takes: .practice,
        .query(.asOf, as: AsOf.self),
        returns: .document("TriageRules", "The rule sets.")
    ) { journal, caller, practice, asOf in
        TriageRulesDocument(try await journal.triage.triageRules(of: practice, asOf: asOf, caller))
    }

    package static let adopt = Endpoint(
        .post,
        "/v1/practices/{practice}/triage/rules",
        id: "adoptTriageRules",
        "Adopt a rule set, signed by a veterinarian of the practice",
        description: """
            A rule set of the program is named by `rules`; one of the practice is given as `text`, in the form in \
            which this API shows rule sets. No assessment that was made before is changed by it.
            """,
        tag: .clinic,
        takes: .practice,
        .body(
            TriageAdoption.self,
            "TriageAdoption",
            example: ("builtIn", ["rules": "hj-triage/1", "veterinarian": "Dr. Ada Roth"] as JSONValue)
        ),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, practice, adoption in
        try await journal.triage.adoptTriageRules(adoption.rules, by: adoption.veterinarian, in: practice, caller)
    }

    package static let ofRecord = Endpoint(
        .get,
        "/v1/records/{record}/triage",
        id: "listTriagesOfRecord",
        "List the triages of an animal",
        tag: .clinic,
        takes: .record,
        .query(.asOf, as: AsOf.self),
        returns: .triages("The triages, in the order of the arrivals."),
        problems: [.erased]
    ) { journal, caller, record, asOf in
        try await journal.triage.triages(of: record, asOf: asOf, caller).map(\.document)
    }

    package static let show = Endpoint(
        .get,
        "/v1/triage/{triage}",
        id: "showTriage",
        "Show a triage, as far as the reader may see it",
        tag: .clinic,
        takes: .triage,
        .query(.asOf, as: AsOf.self),
        returns: .versioned("Triage", "The triage.")
    ) { journal, caller, triage, asOf in
        let answer = try await journal.triage.find(triage, asOf: asOf, caller)
        return Versioned(answer.document, version: answer.state.updated.position)
    }

    package static let history = Endpoint(
        .get,
        "/v1/triage/{triage}/history",
        id: "showTriageHistory",
        "Show each version of a triage, and who made it",
        tag: .clinic,
        takes: .triage,
        returns: .list("versions", "TriageVersions", "The versions, the first one first.")
    ) { journal, caller, triage in
        try await journal.triage.versions(ofTriage: triage, caller).map(\.document)
    }

    package static let explain = Endpoint(
        .get,
        "/v1/triage/{triage}/explanation",
        id: "explainTriage",
        "Compute the assessment of a triage again, with its own rule set or with another one",
        tag: .clinic,
        takes: .triage,
        .query(.triageRules, as: String.self),
        .query(.asOf, as: AsOf.self),
        returns: .document("TriageExplanation", "What was stored, and what the computation gives now.")
    ) { journal, caller, triage, rules, asOf in
        try await journal.triage.explainTriage(triage, rules: rules, asOf: asOf, caller).document
    }

    package static func change(_ word: TriageVerb) -> Endpoint<WriteResult, UUID, UInt64?, TriageChange> {
        Endpoint(
            .post,
            "/v1/triage/{triage}/\(word.rawValue)",
            id: "\(word.rawValue)Triage",
            word.summary,
            tag: .clinic,
            takes: .triage,
            .ifMatch,
            .change(word),
            returns: .written,
            problems: [.conflict, .stale]
        ) { journal, caller, triage, version, change in
            try await journal.triage.changeTriage(triage, expecting: version, change, caller)
        }
    }

    static let operations =
        [
            Operation(board), Operation(begin), Operation(list), Operation(statistics), Operation(rules),
            Operation(adopt), Operation(ofRecord), Operation(show), Operation(history), Operation(explain),
        ] + TriageVerb.allCases.map { Operation(change($0)) }

    static let schemas: [JSONValue.Member] =
        [
            .init("TriageRequest", TriageRequest.schema),
            .init("Triage", TriageDocument.schema),
            .init("Triages", OpenAPI.list("triages", of: "Triage")),
            .init("TriageVersions", OpenAPI.list("versions", TriageVersionDocument.schema)),
            .init("TriageExplanation", TriageExplanationDocument.schema),
            .init("TriageRules", TriageRulesDocument.schema),
            .init("TriageStatistics", TriageStatisticsDocument.schema),
            .init("TriageAdoption", adoption),
        ] + TriageVerb.allCases.map { .init(schemaName($0), $0.schema) }

    /// Either a rule set of the program or the text of one of the practice, with the signature.
    private static let adoption =
        OpenAPI.object(
            ["veterinarian": JSONSchema.lineText(maximum: Limits.line).merging(["minLength": 1])],
            optional: [
                "rules": [
                    "enum": .array(TriageRules.builtIn.map { .string($0.label) } + [.null]),
                    "description": "A rule set of the program.",
                ],
                "text": ["type": ["string", "null"], "description": "The text of a rule set of the practice."],
            ]
        )
        .merging([
            "oneOf": [
                ["required": ["rules"], "properties": ["rules": ["type": "string"], "text": ["type": "null"]]],
                ["required": ["text"], "properties": ["text": ["type": "string"], "rules": ["type": "null"]]],
            ]
        ])

    fileprivate static func schemaName(_ word: TriageVerb) -> String {
        "Triage\(word.rawValue.prefix(1).uppercased() + word.rawValue.dropFirst())"
    }
}

/// Rules of triage with the veterinarian who signs for them.
package struct TriageAdoption: RequestBodyDocument {
    package var rules: TriageRules
    package var veterinarian: String

    package init(_ rules: TriageRules, by veterinarian: String) {
        (self.rules, self.veterinarian) = (rules, veterinarian)
    }

    init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(["rules", "text", "veterinarian"])
        rules = try TriageRules.asked(label: object.text("rules"), text: object.text("text")?.withUnixLines)
        veterinarian = try object.required("veterinarian")
    }

    var json: JSONValue {
        let isBuiltIn = TriageRules.builtIn(label: rules.label) == rules
        return .present([
            "veterinarian": .string(veterinarian), "rules": isBuiltIn ? .string(rules.label) : nil,
            "text": isBuiltIn ? nil : .string(rules.text),
        ])
    }
}

extension RequestPart where Value == UUID {
    fileprivate static var triage: Self { id("triage") }
}

extension RequestPart where Value == TriageRequest {
    fileprivate static var triageRequest: Self {
        Self(names: ["practice"], body: BodyDescription(schema: "TriageRequest", examples: [])) {
            try TriageRequest.read($0.object, in: $0.id("practice"))
        } write: {
            $1.parameters["practice"] = $0.practice.text
            $1.body = $0.json
        }
    }
}

extension RequestPart where Value == TriageChange {
    fileprivate static func change(_ word: TriageVerb) -> Self {
        let description = BodyDescription(
            schema: TriageEndpoints.schemaName(word),
            examples: [(word.rawValue, word.example)]
        )
        return Self(body: description) {
            try word.change($0.object)
        } write: {
            precondition($0.request.word == word, "a change is sent to the address of its word")
            $1.body = $0.request.body
        }
    }
}

extension EndpointAnswer where Output == [TriageDocument] {
    fileprivate static func triages(_ description: String) -> Self { list("triages", "Triages", description) }
}

extension Parameter {
    fileprivate static let triageRules = Parameter(
        .query,
        "rules",
        component: "triageRules",
        "The rule set, such as `hj-triage/1`; by default that of the assessment.",
        schema: ["type": "string"]
    )
}
