package import FoundationEssentials
package import HealthModel

/// Whether a finding about interactions needs attention.
package enum FindingState: String, CaseIterable, Sendable {
    case open
    /// It was settled, and then the dosing of a medication changed or a newer rule set rated it higher.
    case reopened
    case resolved
    /// A medication is no longer in use, or the finding was retracted.
    case gone
    /// It is the answer to a question.
    case answered

    package var isOpen: Bool { self == .open || self == .reopened }
}

/// A finding about interactions, or the answer to a question about them.
package struct FindingDocument: APIDocument, Hashable {
    /// The entry of the kind `interaction`.
    package var id: UUID
    package var state: FindingState
    package var severity: InteractionSeverity?
    package var query: String?
    package var medications: [String]
    package var supplements: [String]
    package var details: [Detail]
    package var recommendations: [String]
    package var background: String?
    package var source: String
    package var rule: String?
    package var ruleSet: String?
    package var foundAt: Instant
    package var resolution: String?
    package var resolvedAt: Instant?
    /// Why it was settled.
    package var reason: String?

    package struct Detail: Hashable, Sendable {
        package var first: String
        package var second: String?
        package var type: String?
        package var description: String?
        package var severity: InteractionSeverity?
    }

    /// Creates the document of an entry of the kind `interaction`.
    package init(
        id: UUID,
        _ content: EntryContent,
        state: FindingState,
        foundAt: Instant,
        resolvedAt: Instant? = nil,
        reason: String? = nil
    ) {
        let body = content.body
        self.id = id
        self.state = state
        severity = body.text(Interaction.severity).flatMap(InteractionSeverity.init)
        query = body.text(Interaction.queryText)
        medications = body.texts(Interaction.medications)
        supplements = body.texts(Interaction.supplements)
        details = body.groups(Interaction.details)
            .map { values in
                typealias Names = Interaction.Detail
                return Detail(
                    first: values.text(Names.medication1) ?? "",
                    second: values.text(Names.medication2),
                    type: values.text(Names.interactionType),
                    description: values.text(Names.description),
                    severity: values.text(Names.severity).flatMap(InteractionSeverity.init)
                )
            }
        recommendations = body.texts(Interaction.recommendations)
        background = body.text(Interaction.educationalInfo)
        source = body.text(Interaction.source) ?? ""
        rule = body.text(Interaction.rule)
        ruleSet = body.text(Interaction.ruleSet)
        self.foundAt = foundAt
        resolution = resolvedAt == nil ? nil : body.text(Interaction.resolution)
        self.resolvedAt = resolvedAt
        self.reason = reason
    }
}

extension FindingDocument {
    private static let severityWord = JSONSchema.word(of: InteractionSeverity.self)
    private static let words: JSONValue = JSONSchema.array(of: ["type": "string"])

    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "state": JSONSchema.word(of: FindingState.self), "medications": words,
            "supplements": words,
            "details": JSONSchema.array(
                of: JSONSchema.object(
                    ["medication1": ["type": "string"]],
                    optional: [
                        "medication2": ["type": "string"], "interactionType": ["type": "string"],
                        "description": ["type": "string"], "severity": severityWord,
                    ]
                )
            ), "recommendations": words, "source": ["type": "string"], "foundAt": JSONSchema.time,
        ],
        optional: [
            "severity": severityWord, "queryText": ["type": "string"], "educationalInfo": ["type": "string"],
            "rule": ["type": "string"], "ruleSet": ["type": "string"], "resolution": ["type": "string"],
            "resolvedAt": JSONSchema.time, "reason": ["type": "string"],
        ]
    )

    package var json: JSONValue {
        func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
        return .present([
            "id": .string(id.text), "state": .string(state.rawValue), "severity": severity.map { .string($0.rawValue) },
            "queryText": query.map { .string($0) }, "medications": texts(medications),
            "supplements": texts(supplements),
            "details": .array(
                details.map { detail in
                    .present([
                        "medication1": .string(detail.first), "medication2": detail.second.map { .string($0) },
                        "interactionType": detail.type.map { .string($0) },
                        "description": detail.description.map { .string($0) },
                        "severity": detail.severity.map { .string($0.rawValue) },
                    ])
                }
            ), "recommendations": texts(recommendations), "educationalInfo": background.map { .string($0) },
            "source": .string(source), "rule": rule.map { .string($0) }, "ruleSet": ruleSet.map { .string($0) },
            "foundAt": .time(foundAt), "resolution": resolution.map { .string($0) },
            "resolvedAt": resolvedAt.map { .time($0) }, "reason": reason.map { .string($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        state = try object.choice("state", FindingState.self)
        severity = try object.optionalChoice("severity", InteractionSeverity.self)
        query = try object.text("queryText")
        medications = try object.texts("medications")
        supplements = try object.texts("supplements")
        details = []
        for detail in try object.objects("details") {
            details.append(
                Detail(
                    first: try detail.required("medication1"),
                    second: try detail.text("medication2"),
                    type: try detail.text("interactionType"),
                    description: try detail.text("description"),
                    severity: try detail.optionalChoice("severity", InteractionSeverity.self)
                )
            )
        }
        recommendations = try object.texts("recommendations")
        background = try object.text("educationalInfo")
        source = try object.required("source")
        rule = try object.text("rule")
        ruleSet = try object.text("ruleSet")
        foundAt = try object.instant("foundAt")
        resolution = try object.text("resolution")
        resolvedAt = try object.optionalInstant("resolvedAt")
        reason = try object.text("reason")
    }
}
