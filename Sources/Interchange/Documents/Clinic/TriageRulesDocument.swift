package import FoundationEssentials
package import HealthModel

/// The rule sets of triage: those that the practice adopted, and those of the program.
package struct TriageRulesDocument: DefinedDocument, Hashable {
    /// The last one is in force.
    package var adopted: [Adoption]
    package var builtIn: [RuleSet]

    package struct RuleSet: DefinedDocument, Hashable {
        package var rules: String
        package var text: String

        package static let definition = DocumentDefinition(
            RuleSet.init,
            DocumentMember("rules", \.rules),
            DocumentMember("text", \.text)
        )
    }

    package struct Adoption: DefinedDocument, Hashable {
        package var rules: String
        package var digest: String
        package var veterinarian: String
        package var adoptedAt: Instant
        package var adoptedBy: UUID
        /// Absent for a rule set of the program.
        package var text: String?

        package static let definition = DocumentDefinition(
            Adoption.init,
            DocumentMember("rules", \.rules),
            DocumentMember("digest", \.digest),
            DocumentMember("veterinarian", \.veterinarian),
            DocumentMember("adoptedAt", \.adoptedAt),
            DocumentMember("adoptedBy", \.adoptedBy),
            DocumentMember("text", \.text)
        )
    }

    package static let definition = DocumentDefinition(
        TriageRulesDocument.init,
        DocumentMember("adopted", \.adopted, "In the order of their adoption: the last one is in force."),
        DocumentMember("builtIn", \.builtIn),
        derived: [DerivedMember("notice", after: "builtIn") { _ in TriageRules.notice }]
    )
}

extension TriageRulesDocument {
    package init(_ rules: AdoptedRules) {
        adopted = rules.adopted.map { Adoption($0) }
        builtIn = TriageRules.builtIn.map { RuleSet($0) }
    }
}

/// How soon patients were seen, by level.
package struct TriageStatisticsDocument: DefinedDocument, Hashable {
    package var from: Day
    package var until: Day
    package var levels: [Level]
    package var judged: Int
    package var underTriaged: Int
    package var overTriaged: Int

    package struct Level: DefinedDocument, Hashable {
        package var level: UrgencyLevel
        package var patients: Int
        package var taken: Int
        package var inTime: Int
        package var left: Int
        package var longestWait: Int?

        package init(
            level: UrgencyLevel,
            patients: Int,
            taken: Int,
            inTime: Int,
            left: Int,
            longestWait: Int?
        ) {
            self.level = level
            self.patients = patients
            self.taken = taken
            self.inTime = inTime
            self.left = left
            self.longestWait = longestWait
        }

        package static let definition = DocumentDefinition(
            Level.init,
            DocumentMember("level", \.level, schema: ["type": "integer", "minimum": 1, "maximum": 5]),
            DocumentMember("patients", \.patients),
            DocumentMember("taken", \.taken),
            DocumentMember("inTime", \.inTime, "Those who were taken within the time of their level."),
            DocumentMember("left", \.left),
            DocumentMember("longestWait", \.longestWait, "In minutes."),
            derived: [DerivedMember("levelName", after: "level") { $0.level.name }]
        )
    }

    package static let definition = DocumentDefinition(
        TriageStatisticsDocument.init,
        DocumentMember("from", \.from),
        DocumentMember("until", \.until),
        DocumentMember("levels", \.levels),
        DocumentMember("judged", \.judged, "Patients of whom a veterinarian said the right level afterwards."),
        DocumentMember("underTriaged", \.underTriaged, "Judged patients whose level was not urgent enough."),
        DocumentMember("overTriaged", \.overTriaged, "Judged patients whose level was too urgent.")
    )
}

extension TriageStatisticsDocument {
    package init(
        _ days: ClosedRange<Day>,
        levels: [Level],
        judged: Int,
        underTriaged: Int,
        overTriaged: Int
    ) {
        from = days.lowerBound
        until = days.upperBound
        self.levels = levels
        self.judged = judged
        self.underTriaged = underTriaged
        self.overTriaged = overTriaged
    }
}

extension TriageRulesDocument.Adoption {
    init(_ adoption: AdoptedRules.Adoption) {
        rules = adoption.rules
        digest = adoption.digest
        veterinarian = adoption.veterinarian
        adoptedAt = adoption.stamp.recordedAt
        adoptedBy = adoption.stamp.actor
        text = adoption.text.isEmpty ? nil : adoption.text
    }
}

extension TriageRulesDocument.RuleSet {
    init(_ rules: TriageRules) {
        self.rules = rules.label
        text = rules.text
    }
}
