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
package struct FindingDocument: DefinedDocument, Hashable {
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

    package struct Detail: DefinedDocument, Hashable {
        package var first: String
        package var second: String?
        package var type: String?
        package var description: String?
        package var severity: InteractionSeverity?

        package static let definition = DocumentDefinition(
            Detail.init,
            DocumentMember("medication1", \.first),
            DocumentMember("medication2", \.second),
            DocumentMember("interactionType", \.type),
            DocumentMember("description", \.description),
            DocumentMember("severity", \.severity)
        )
    }

    package static let definition = DocumentDefinition(
        FindingDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("state", \.state),
        DocumentMember("severity", \.severity),
        DocumentMember("queryText", \.query),
        DocumentMember("medications", \.medications),
        DocumentMember("supplements", \.supplements),
        DocumentMember("details", \.details),
        DocumentMember("recommendations", \.recommendations),
        DocumentMember("educationalInfo", \.background),
        DocumentMember("source", \.source),
        DocumentMember("rule", \.rule),
        DocumentMember("ruleSet", \.ruleSet),
        DocumentMember("foundAt", \.foundAt),
        DocumentMember("resolution", \.resolution),
        DocumentMember("resolvedAt", \.resolvedAt),
        DocumentMember("reason", \.reason)
    )
}

extension FindingDocument {
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
}
