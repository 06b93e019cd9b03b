package import FoundationEssentials
package import HealthModel

/// The answer of a check of interactions.
package struct CheckDocument: APIDocument, Hashable {
    package var record: UUID
    /// The log position at which the record was checked.
    package var position: UInt64
    package var checkedAt: Instant
    package var result: CheckResult.Outcome
    /// The names and versions of the rule sets; empty if none is loaded.
    package var ruleSets: [String]
    package var findings: [FindingDocument]
    /// The names of medications and supplements in use, and of allergies, that could not be matched.
    package var notChecked: [String]
    /// The names of medication without planned times that is not known to be taken.
    package var notInUse: [String]
    /// The entries that were added: new findings, or the answer to a question.
    package var added: [UUID]
    package var query: String?
    /// The substances that were understood in a question.
    package var understood: [String]

    package init(
        record: UUID,
        position: UInt64,
        checkedAt: Instant,
        _ result: CheckResult,
        added: [UUID],
        query: String? = nil,
        understood: [String] = []
    ) {
        self.record = record
        self.position = position
        self.checkedAt = checkedAt
        self.result = result.outcome
        ruleSets = result.ruleSets
        findings = result.findings.map { finding in
            FindingDocument(id: finding.id, finding.content(at: checkedAt), state: .open, foundAt: checkedAt)
        }
        notChecked = result.notChecked
        notInUse = result.notInUse
        self.added = added
        self.query = query
        self.understood = understood
    }

    /// What no answer may leave out: what the rules are worth or, without rules, that there are none.
    package static func disclaimer(hasRules: Bool) -> String {
        hasRules
            ? disclaimer
            : """
            No rules are loaded, so that almost nothing can be found. That nothing was found does not mean that \
            nothing can happen. Ask a doctor or pharmacist.
            """
    }

    /// What rules are worth.
    package static let disclaimer = """
        That a name is known to the rules does not mean that all its combinations are covered by the rules. No \
        pharmacist has reviewed these rules, and they are few; a pharmacist knows thousands. That nothing was found \
        does not mean that nothing can happen. Ask a doctor or pharmacist.
        """
}

extension CheckDocument {
    private static let words: JSONValue = JSONSchema.array(of: ["type": "string"])

    package static let schema = JSONSchema.object(
        [
            "record": JSONSchema.identifier, "position": ["type": "integer", "minimum": 0],
            "checkedAt": JSONSchema.time,
            "result": JSONSchema.word(of: CheckResult.Outcome.self)
                .merging([
                    "description": """
                    `not checked` if no rules are loaded, nothing that is in use could be matched with them, or all \
                    rules are for people and the subject is an animal.
                    """
                ]),
            "ruleSets": words, "findings": JSONSchema.array(of: FindingDocument.schema), "notChecked": words,
            "notInUse": words, "added": JSONSchema.array(of: JSONSchema.identifier), "understood": words,
            "disclaimer": ["type": "string"],
        ],
        optional: ["queryText": ["type": "string"]]
    )

    package var json: JSONValue {
        func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
        return .present([
            "record": .string(record.text), "position": .integer(position), "checkedAt": .time(checkedAt),
            "result": .string(result.rawValue), "ruleSets": texts(ruleSets),
            "queryText": query.map { .string($0) }, "understood": texts(understood),
            "findings": .array(findings.map(\.json)), "notChecked": texts(notChecked), "notInUse": texts(notInUse),
            "added": texts(added.map(\.text)),
            "disclaimer": .string(CheckDocument.disclaimer(hasRules: !ruleSets.isEmpty)),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        record = try object.id("record")
        position = try object.number("position")
        checkedAt = try object.instant("checkedAt")
        result = try object.choice("result", CheckResult.Outcome.self)
        ruleSets = try object.texts("ruleSets")
        findings = try object.documents("findings")
        notChecked = try object.texts("notChecked")
        notInUse = try object.texts("notInUse")
        added = try object.texts("added").compactMap(UUID.init(uuidString:))
        query = try object.text("queryText")
        understood = try object.texts("understood")
    }
}

/// A rule set that was loaded.
package struct LoadedRulesDocument: DefinedDocument, Hashable {
    package var name: String
    package var version: String
    package var licence: String
    package var digest: String
    package var count: Int
    package var position: UInt64
    package var loadedAt: Instant
    /// Whether checks use it: no newer one of its name was loaded.
    package var isCurrent: Bool

    package static let definition = DocumentDefinition(
        LoadedRulesDocument.init,
        DocumentMember("name", \.name),
        DocumentMember("version", \.version),
        DocumentMember("licence", \.licence),
        DocumentMember("digest", \.digest),
        DocumentMember("count", \.count, schema: ["type": "integer", "minimum": 0]),
        DocumentMember("position", \.position),
        DocumentMember("loadedAt", \.loadedAt),
        DocumentMember("current", \.isCurrent)
    )
}

extension LoadedRulesDocument {
    package init(_ rules: RulesLoaded, _ stamp: Stamp, isCurrent: Bool) {
        (name, version, licence) = (rules.name, rules.version, rules.licence)
        (digest, count) = (rules.digest, rules.count)
        (position, loadedAt) = (stamp.position, stamp.recordedAt)
        self.isCurrent = isCurrent
    }
}
