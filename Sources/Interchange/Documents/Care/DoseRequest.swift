package import FoundationEssentials
package import HealthModel

/// A dose that a person or a device reports.
package struct DoseRequest: Hashable, Sendable {
    /// The medication or the supplement.
    package var plan: UUID
    package var target: Target
    package var status: LoggedDose.Status
    /// When it was taken or skipped; nil for now.
    package var at: Moment?
    /// Nil for the planned amount.
    package var amount: ExactDecimal?
    package var reason: LoggedDose.Reason?
    package var reasonText: String?
    package var comment: String?
    package var voiceEntryUsed = false
    package var repetition: DoseRepetition
    /// Whether it is logged although it is more than the plan allows or has, because a person confirmed it when asked.
    package var isConfirmed: Bool
    /// The day of the page on which it was ticked, if it was.
    ///
    /// A planned dose of a past day that is ticked without a time was taken or skipped when it was due.
    package var shownOn: Day?

    /// Which planned dose it is.
    package enum Target: Hashable, Sendable {
        case slot(Slot)
        /// The one that is planned for this time by the clock.
        case wall(WallMoment)
        /// The one that is open; none of a plan without times.
        case open
        /// None: it is taken because it is needed, also if the plan has times.
        case asNeeded
    }

    /// When a dose was taken: at an instant, or at a time of the person's clock.
    package enum Moment: Hashable, Sendable {
        case instant(Instant)
        case wall(WallMoment)
        /// When the planned dose was due.
        case planned

        /// Parses the word `planned`, an RFC 3339 time or, without an offset, a time by the clock such as `2026-03-02T08:05`.
        package init(parsing text: String) throws(ModelError) {
            if let wall = try? WallMoment(parsing: text), wall.time != nil {
                self = .wall(wall)
            } else if text == "planned" {
                self = .planned
            } else {
                self = .instant(try Instant(parsing: text))
            }
        }

        package var text: String {
            switch self {
            case .instant(let instant): instant.description
            case .wall(let wall): wall.description
            case .planned: "planned"
            }
        }
    }

    package init(
        plan: UUID,
        target: Target = .open,
        status: LoggedDose.Status,
        at: Moment? = nil,
        amount: ExactDecimal? = nil,
        reason: LoggedDose.Reason? = nil,
        reasonText: String? = nil,
        comment: String? = nil,
        repetition: DoseRepetition = .refuse,
        isConfirmed: Bool = false
    ) {
        self.plan = plan
        self.target = target
        self.status = status
        self.at = at
        self.amount = amount
        self.reason = reason
        self.reasonText = reasonText
        self.comment = comment
        self.repetition = repetition
        self.isConfirmed = isConfirmed
    }
}

extension DoseRequest: APIDocument {
    package static let schema = JSONSchema.object(
        [
            "of": JSONSchema.identifier, "status": JSONSchema.word(of: LoggedDose.Status.self),
        ],
        optional: [
            "slot": [
                "type": "string", "maxLength": .integer(Limits.slot),
                "description": "The name of the planned dose, as `due` returns it.",
            ],
            "wall": [
                "type": "string", "pattern": .string("^\(JSONSchema.wallMomentPattern)$"),
                "description": """
                The time by the clock for which the dose is planned, such as 2026-03-02T08:00. Without `slot`, \
                `wall` and `asNeeded`, the dose that is open is meant.
                """,
            ],
            "asNeeded": [
                "type": "boolean",
                "description": "Whether it is no planned dose, but taken because it is needed.",
            ],
            "at": [
                "type": "string",
                "pattern": .string("^(?:\(JSONSchema.timePattern)|\(JSONSchema.wallTimePattern)|planned)$"),
                "description": """
                When it was taken or skipped: an RFC 3339 time, a time by the person's clock such as \
                2026-03-02T08:05, or `planned` for the time at which the planned dose was due. By default, now.
                """,
            ], "amount": JSONSchema.amountText,
            "reason": JSONSchema.word(of: LoggedDose.Reason.self),
            "reasonText": JSONSchema.plainText(maximum: Limits.line),
            "comment": JSONSchema.plainText(maximum: Limits.paragraphs),
            "voiceEntryUsed": ["type": "boolean", "description": "Whether it was dictated."],
            "confirmed": [
                "type": "boolean",
                "description": """
                Whether it is logged although it is more, or closer to another dose, than the plan allows or has, is \
                planned for later, was logged a few minutes ago without a planned time, or is long before the plan. \
                Without it, such a dose is answered with a conflict whose field is `confirmed`, which names the reason \
                and, for a limit, when a dose is possible again.
                """,
            ],
            "repetition": JSONSchema.word(of: DoseRepetition.self)
                .merging([
                    "default": "refuse",
                    "description": """
                    What is done if the planned dose is logged already: `refuse`, unless both reports agree; `again`, \
                    which adds a second dose; `instead`, which corrects the first report.
                    """,
                ]),
        ]
    )

    package var json: JSONValue {
        var slot: JSONValue?
        var wall: JSONValue?
        switch target {
        case .slot(let name): slot = .string(name.description)
        case .wall(let moment): wall = .string(moment.description)
        case .open, .asNeeded: break
        }
        return .present([
            "of": .string(plan.text), "asNeeded": target == .asNeeded ? .bool(true) : nil,
            "status": .string(status.rawValue), "slot": slot, "wall": wall,
            "at": at.map { .string($0.text) }, "amount": amount.map { .string($0.description) },
            "reason": reason.map { .string($0.rawValue) }, "reasonText": reasonText.map { .string($0) },
            "comment": comment.map { .string($0) }, "voiceEntryUsed": voiceEntryUsed ? .bool(true) : nil,
            "confirmed": isConfirmed ? .bool(true) : nil,
            "repetition": repetition == .refuse ? nil : .string(repetition.rawValue),
        ])
    }

    /// Reads the body of a request; the error names the member that is wrong.
    package init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(of: DoseRequest.schema)
        self.init(plan: try object.id("of"), status: try object.choice("status", LoggedDose.Status.self))
        target = try Target(object)
        at = try object.parsed("at") { text throws(ModelError) in try Moment(parsing: text) }
        amount = try object.amount("amount")
        reason = try object.optionalChoice("reason", LoggedDose.Reason.self)
        reasonText = try object.text("reasonText")?.withUnixLines
        comment = try object.text("comment")?.withUnixLines
        voiceEntryUsed = try object.optionalFlag("voiceEntryUsed")
        repetition = try object.optionalChoice("repetition", DoseRepetition.self) ?? .refuse
        isConfirmed = try object.optionalFlag("confirmed")
    }
}

extension DoseRequest.Target {
    /// Reads the members `slot`, `wall` and `asNeeded` of a request.
    init(_ object: NativeObject) throws(ModelError) {
        let slot = try object.parsed("slot") { text throws(ModelError) in try Slot(parsing: text) }
        let wall = try object.parsed("wall") { text throws(ModelError) in try WallMoment(parsing: text) }
        switch (slot, wall, try object.optionalFlag("asNeeded")) {
        case (nil, nil, true): self = .asNeeded
        case (.some, _, true), (_, .some, true):
            throw ModelError(.invalid, field: "asNeeded", "a dose is either planned or taken when needed")
        case (nil, nil, false): self = .open
        case (let slot?, nil, false): self = .slot(slot)
        case (nil, let wall?, false): self = .wall(wall)
        case (.some, .some, false):
            throw ModelError(.invalid, field: "wall", "give the planned dose or its time by the clock, not both")
        }
    }
}
