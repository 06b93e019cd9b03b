package import FoundationEssentials
import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// Operations that check what is taken for interactions and show their findings, and the rules that are used.
package enum InteractionEndpoints: OperationGroup {
    package static let findings = Endpoint(
        .get,
        "/v1/records/{record}/findings",
        id: "listFindings",
        "List the findings about interactions, the open and most serious ones first",
        tag: .care,
        takes: .record,
        .query(.openFindings, as: Bool.self),
        .query(.asOf, as: AsOf.self),
        returns: .list("findings", "FindingList", "The findings, and the answers to questions."),
        problems: [.erased]
    ) { journal, caller, record, isOpen, moment in
        try await journal.interactionChecks.findings(of: record, isOpen: isOpen, asOf: moment, caller)
    }

    package static let repeatCheck = Endpoint(
        .get,
        "/v1/records/{record}/interactions/checks",
        id: "repeatCheck",
        "Check what is taken for interactions, now or with the rules and plans of a moment; nothing is added",
        tag: .care,
        takes: .record,
        .query(.asOf, as: AsOf.self),
        returns: .document("CheckResult", "What was found, and what could not be checked."),
        problems: [.erased]
    ) { journal, caller, record, moment in
        try await journal.interactionChecks.check(record, asOf: moment, addsFindings: false, caller)
    }

    package static let check = Endpoint(
        .post,
        "/v1/records/{record}/interactions/checks",
        id: "checkInteractions",
        "Check what is taken for interactions and add new findings, or ask whether something may be taken",
        tag: .care,
        takes: .record,
        .checkRequest,
        returns: .document("CheckResult", "What was found, and what could not be checked."),
        problems: [.conflict, .erased]
    ) { journal, caller, record, request in
        guard let text = request.text else { return try await journal.interactionChecks.check(record, caller) }
        return try await journal.interactionChecks.ask(record, text, caller).answer
    }

    package static let rules = Endpoint(
        .get,
        "/v1/interaction-rules",
        id: "listInteractionRules",
        "List the rule sets that were loaded",
        tag: .care,
        returns: .list("rules", "LoadedRulesList", "The rule sets, in the order in which they were loaded.")
    ) { journal, _ in
        try journal.interactionChecks.loadedRules()
    }

    static let operations: [Operation] = [
        Operation(findings), Operation(repeatCheck), Operation(check),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("FindingList", OpenAPI.list("findings", FindingDocument.schema)),
        .init("CheckResult", CheckDocument.schema),
        .init("CheckRequest", CheckRequest.schema),
    ]
}

/// What a check of interactions is asked.
package struct CheckRequest: RequestBodyDocument {
    /// What is to be taken; nil to check everything that is taken.
    package var text: String?

    package init(text: String? = nil) { self.text = text }

    static let schema = JSONSchema.object(
        [:],
        optional: ["queryText": JSONSchema.lineText(maximum: Limits.line)]
    )

    var json: JSONValue { .present(["queryText": text.map { .string($0) }]) }

    init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(["queryText"])
        let text = try object.text("queryText") ?? ""
        self.text = text.isEmpty ? nil : text
    }
}

extension RequestPart where Value == CheckRequest {
    fileprivate static var checkRequest: Self {
        let examples: [Example] = [("all", [:]), ("question", ["queryText": "May I take ibuprofen?"])]
        return Self(body: BodyDescription(schema: "CheckRequest", examples: examples)) {
            try CheckRequest($0.object)
        } write: {
            $1.body = $0.json
        }
    }
}

extension Parameter {
    fileprivate static let openFindings = Parameter.flag(
        "open",
        "Whether to list the open findings only, or only the others."
    )
}
