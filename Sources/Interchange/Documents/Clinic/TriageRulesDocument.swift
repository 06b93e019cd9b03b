package import FoundationEssentials
package import HealthModel

/// The rule sets of triage: those that the practice adopted, and those of the program.
package struct TriageRulesDocument: APIDocument, Hashable {
    /// The last one is in force.
    package var adopted: [Adoption]
    package var builtIn: [RuleSet]

    package struct RuleSet: APIDocument, Hashable {
        package var rules: String
        package var text: String

        package static let schema = JSONSchema.object(["rules": ["type": "string"], "text": ["type": "string"]])
        package var json: JSONValue { ["rules": .string(rules), "text": .string(text)] }

        init(_ rules: TriageRules) {
            self.rules = rules.label
            text = rules.text
        }

        package init(_ object: NativeObject) throws(ModelError) {
            rules = try object.required("rules")
            text = try object.required("text")
        }
    }

    package struct Adoption: APIDocument, Hashable {
        package var rules: String
        package var digest: String
        package var veterinarian: String
        package var adoptedAt: Instant
        package var adoptedBy: UUID
        /// Absent for a rule set of the program.
        package var text: String?

        package static let schema = JSONSchema.object(
            [
                "rules": ["type": "string"], "digest": ["type": "string"], "veterinarian": ["type": "string"],
                "adoptedAt": JSONSchema.time, "adoptedBy": JSONSchema.identifier,
            ],
            optional: ["text": ["type": "string"]]
        )

        package var json: JSONValue {
            .present([
                "rules": .string(rules), "digest": .string(digest), "veterinarian": .string(veterinarian),
                "adoptedAt": .time(adoptedAt), "adoptedBy": .string(adoptedBy.text), "text": text.map { .string($0) },
            ])
        }

        init(_ adoption: AdoptedRules.Adoption) {
            rules = adoption.rules
            digest = adoption.digest
            veterinarian = adoption.veterinarian
            adoptedAt = adoption.stamp.recordedAt
            adoptedBy = adoption.stamp.actor
            text = adoption.text.isEmpty ? nil : adoption.text
        }

        package init(_ object: NativeObject) throws(ModelError) {
            rules = try object.required("rules")
            digest = try object.required("digest")
            veterinarian = try object.required("veterinarian")
            adoptedAt = try object.instant("adoptedAt")
            adoptedBy = try object.id("adoptedBy")
            text = try object.text("text")
        }
    }

    package init(_ rules: AdoptedRules) {
        adopted = rules.adopted.map { Adoption($0) }
        builtIn = TriageRules.builtIn.map { RuleSet($0) }
    }

    package static let schema = JSONSchema.object([
        "adopted": JSONSchema.array(of: Adoption.schema)
            .merging(["description": "In the order of their adoption: the last one is in force."]),
        "builtIn": JSONSchema.array(of: RuleSet.schema), "notice": ["type": "string"],
    ])

    package var json: JSONValue {
        [
            "adopted": .array(adopted.map(\.json)), "builtIn": .array(builtIn.map(\.json)),
            "notice": .string(TriageRules.notice),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        adopted = try object.documents("adopted")
        builtIn = try object.documents("builtIn")
    }
}

/// How soon patients were seen, by level.
package struct TriageStatisticsDocument: APIDocument, Hashable {
    package var from: Day
    package var until: Day
    package var levels: [Level]
    package var judged: Int
    package var underTriaged: Int
    package var overTriaged: Int

    package struct Level: APIDocument, Hashable {
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

        package static let schema = JSONSchema.object(
            [
                "level": ["type": "integer", "minimum": 1, "maximum": 5], "levelName": ["type": "string"],
                "patients": ["type": "integer"], "taken": ["type": "integer"],
                "inTime": ["type": "integer", "description": "Those who were taken within the time of their level."],
                "left": ["type": "integer"],
            ],
            optional: ["longestWait": ["type": "integer", "description": "In minutes."]]
        )

        package var json: JSONValue {
            .present([
                "level": .integer(level.rawValue), "levelName": .string(level.name), "patients": .integer(patients),
                "taken": .integer(taken), "inTime": .integer(inTime), "left": .integer(left),
                "longestWait": longestWait.map { .integer($0) },
            ])
        }

        package init(_ object: NativeObject) throws(ModelError) {
            level = try object.level("level") ?? .yellow
            patients = try object.optionalInteger("patients") ?? 0
            taken = try object.optionalInteger("taken") ?? 0
            inTime = try object.optionalInteger("inTime") ?? 0
            left = try object.optionalInteger("left") ?? 0
            longestWait = try object.optionalInteger("longestWait")
        }
    }

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

    package static let schema = JSONSchema.object([
        "from": JSONSchema.dayText, "until": JSONSchema.dayText, "levels": JSONSchema.array(of: Level.schema),
        "judged": [
            "type": "integer", "description": "Patients of whom a veterinarian said the right level afterwards.",
        ],
        "underTriaged": ["type": "integer", "description": "Judged patients whose level was not urgent enough."],
        "overTriaged": ["type": "integer", "description": "Judged patients whose level was too urgent."],
    ])

    package var json: JSONValue {
        [
            "from": .string(from.description), "until": .string(until.description),
            "levels": .array(levels.map(\.json)), "judged": .integer(judged), "underTriaged": .integer(underTriaged),
            "overTriaged": .integer(overTriaged),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        from = try object.day("from")
        until = try object.day("until")
        levels = try object.documents("levels")
        judged = try object.optionalInteger("judged") ?? 0
        underTriaged = try object.optionalInteger("underTriaged") ?? 0
        overTriaged = try object.optionalInteger("overTriaged") ?? 0
    }
}
