package import FoundationEssentials
package import HealthModel

/// A dose that a person or a device reports.
package struct DoseRequest: Hashable, Sendable {
    /// The medication or the supplement.
    package var plan: UUID
    package var target: Target
    package var status: LoggedDose.Status
    /// When it was taken or skipped; nil for now.
    package var at: Instant?
    /// Nil for the planned amount.
    package var amount: ExactDecimal?
    package var reason: LoggedDose.Reason?
    package var reasonText: String?
    package var comment: String?
    package var repetition: DoseRepetition

    /// Which planned dose it is.
    package enum Target: Hashable, Sendable {
        case slot(Slot)
        /// The one that is planned for this time by the clock.
        case wall(WallMoment)
        /// The one that is open; none of a plan without times.
        case open
    }

    package init(
        plan: UUID,
        target: Target = .open,
        status: LoggedDose.Status,
        at: Instant? = nil,
        amount: ExactDecimal? = nil,
        reason: LoggedDose.Reason? = nil,
        reasonText: String? = nil,
        comment: String? = nil,
        repetition: DoseRepetition = .refuse
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
                The time by the clock for which the dose is planned, such as 2026-03-02T08:00. Without `slot` and \
                `wall`, the dose that is open is meant.
                """,
            ],
            "at": JSONSchema.time, "amount": JSONSchema.decimalText,
            "reason": JSONSchema.word(of: LoggedDose.Reason.self),
            "reasonText": JSONSchema.plainText(maximum: Limits.line),
            "comment": JSONSchema.plainText(maximum: Limits.paragraphs),
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
        case .open: break
        }
        return .present([
            "of": .string(plan.text), "status": .string(status.rawValue), "slot": slot, "wall": wall,
            "at": at.map { .time($0) }, "amount": amount.map { .string($0.description) },
            "reason": reason.map { .string($0.rawValue) }, "reasonText": reasonText.map { .string($0) },
            "comment": comment.map { .string($0) },
            "repetition": repetition == .refuse ? nil : .string(repetition.rawValue),
        ])
    }

    /// Reads the body of a request; the error names the member that is wrong.
    package init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(of: DoseRequest.schema)
        self.init(plan: try object.id("of"), status: try object.choice("status", LoggedDose.Status.self))
        let slot = try object.parsed("slot") { text throws(ModelError) in try Slot(parsing: text) }
        let wall = try object.parsed("wall") { text throws(ModelError) in try WallMoment(parsing: text) }
        switch (slot, wall) {
        case (nil, nil): target = .open
        case (let slot?, nil): target = .slot(slot)
        case (nil, let wall?): target = .wall(wall)
        case (.some, .some):
            throw ModelError(.invalid, field: "wall", "give the planned dose or its time by the clock, not both")
        }
        at = try object.optionalInstant("at")
        amount = try object.decimal("amount")
        reason = try object.optionalChoice("reason", LoggedDose.Reason.self)
        reasonText = try object.text("reasonText")
        comment = try object.text("comment")
        repetition = try object.optionalChoice("repetition", DoseRepetition.self) ?? .refuse
    }
}
