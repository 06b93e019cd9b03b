package import FoundationEssentials
package import HealthModel

/// A planned dose with its state.
package struct PlannedDoseDocument: APIDocument, Hashable {
    package var slot: Slot
    package var plan: UUID
    package var name: String
    /// The time by the clock of the rule.
    package var wall: WallMoment
    package var due: Instant
    /// When it is due by the person's clock, with the offset from UTC.
    package var local: String
    package var state: SlotState
    package var amount: ExactDecimal?
    package var amountText: String?
    /// Whether its amount cannot be counted, although it should be: stock and limits leave it out.
    package var uncounted: Bool
    package var unit: String?
    /// How much of its substances one unit contains.
    package var strength: PlanStrength?
    package var label: String?
    package var withMeal: Bool
    package var instructions: String?
    /// Whether the clock jumped over the time.
    package var gap: Bool
    /// The distance to the closest other dose, in minutes, if they are too close.
    package var closeTo: Int?
    package var sincePrevious: Int?
    /// The entry of the dose that was logged for it.
    package var dose: UUID?
    /// When that was taken or skipped, by the person's clock.
    package var at: String?
    package var takenAmount: ExactDecimal?
    /// The reasons why it is unusual: it is more, or closer to another dose, than the plan allows or has.
    package var warnings: [DoseWarning]
    /// Until when its reminders are postponed.
    package var snoozedUntil: Instant?

    /// Describes a dose; `countsStock` says whether its amount is needed to count the stock.
    package init(
        _ status: SlotStatus,
        of plan: UUID,
        named name: String,
        unit: String?,
        strength: PlanStrength? = nil,
        countsStock: Bool = false,
        warnings: [DoseWarning] = [],
        _ clock: PersonClock
    ) {
        let due = status.due
        slot = due.slot
        self.plan = plan
        self.name = name
        wall = due.wall
        self.due = due.due
        local = clock.text(due.due)
        state = status.state
        amount = due.intake.amount
        amountText = due.intake.amountText
        uncounted = due.intake.amount == nil && (countsStock || due.intake.amountText != nil)
        self.unit = unit
        self.strength = strength
        label = due.intake.label
        withMeal = due.intake.withMeal
        instructions = due.intake.instructions
        gap = due.isInGap
        closeTo = due.closeTo
        sincePrevious = due.sincePrevious
        dose = status.dose?.id
        at = status.dose.map { clock.text($0.at) }
        takenAmount = status.dose?.amount
        self.warnings = warnings
        snoozedUntil = status.snoozedUntil
    }
}

extension PlannedDoseDocument {
    package static let schema = JSONSchema.object(
        [
            "slot": ["type": "string"], "plan": JSONSchema.identifier, "name": ["type": "string"],
            "wall": ["type": "string", "description": "The time by the clock of the rule, such as 2026-05-04T08:00."],
            "due": JSONSchema.time,
            "local": [
                "type": "string", "format": "date-time",
                "description": "When it is due by the person's clock, with the offset from UTC.",
            ],
            "state": JSONSchema.word(of: SlotState.self), "withMeal": ["type": "boolean"],
            "gap": ["type": "boolean", "description": "Whether the clock jumped over the time."],
        ],
        optional: [
            "amount": JSONSchema.amountText, "amountText": ["type": "string"], "unit": ["type": "string"],
            "strength": PlanStrength.schema,
            "uncounted": [
                "type": "boolean",
                "description": "Whether its amount cannot be counted: stock and limits leave it out.",
            ],
            "label": ["type": "string"], "instructions": ["type": "string"],
            "closeTo": [
                "type": "integer",
                "description": "The distance to the closest other dose, in minutes, if they are too close.",
            ], "sincePrevious": ["type": "integer", "description": "Minutes since the dose before it."],
            "dose": JSONSchema.identifier, "at": JSONSchema.time, "takenAmount": JSONSchema.amountText,
            "warnings": JSONSchema.array(of: JSONSchema.word(of: DoseWarning.self)),
            "snoozedUntil": JSONSchema.time,
        ]
    )

    package var json: JSONValue {
        .present([
            "slot": .string(slot.description), "plan": .string(plan.text), "name": .string(name),
            "wall": .string(wall.description), "due": .time(due), "local": .string(local),
            "state": .string(state.rawValue), "amount": amount.map { .string($0.description) },
            "amountText": amountText.map { .string($0) }, "unit": unit.map { .string($0) },
            "strength": strength.map { .string($0.text()) }, "uncounted": uncounted ? .bool(true) : nil,
            "label": label.map { .string($0) }, "withMeal": .bool(withMeal),
            "instructions": instructions.map { .string($0) }, "gap": .bool(gap),
            "closeTo": closeTo.map { .integer($0) }, "sincePrevious": sincePrevious.map { .integer($0) },
            "dose": dose.map { .string($0.text) }, "at": at.map { .string($0) },
            "takenAmount": takenAmount.map { .string($0.description) },
            "warnings": warnings.isEmpty ? nil : .array(warnings.map { .string($0.rawValue) }),
            "snoozedUntil": snoozedUntil.map { .time($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        slot = try Slot(parsing: object.required("slot"))
        plan = try object.id("plan")
        name = try object.required("name")
        wall = try WallMoment(parsing: object.required("wall"))
        due = try object.instant("due")
        local = try object.required("local")
        state = try object.choice("state", SlotState.self)
        amount = try object.amount("amount")
        amountText = try object.text("amountText")
        unit = try object.text("unit")
        strength = try object.parsed("strength") { text throws(ModelError) in try PlanStrength(parsing: text) }
        uncounted = try object.optionalFlag("uncounted")
        label = try object.text("label")
        withMeal = try object.flag("withMeal")
        instructions = try object.text("instructions")
        gap = try object.flag("gap")
        closeTo = try object.optionalInteger("closeTo")
        sincePrevious = try object.optionalInteger("sincePrevious")
        dose = try object.optionalID("dose")
        at = try object.text("at")
        takenAmount = try object.amount("takenAmount")
        warnings = try object.optionalTexts("warnings").compactMap(DoseWarning.init)
        snoozedUntil = try object.optionalInstant("snoozedUntil")
    }
}

extension PlanStrength {
    static let schema: JSONValue = [
        "type": "string", "description": "How much of its substances one unit contains, such as 5 mg.",
    ]
}

extension PersonClock {
    /// What the clock shows at an instant, with its offset from UTC, such as `2026-03-29T03:30:00+02:00`.
    package func text(_ instant: Instant) -> String {
        let offset = offset(at: instant)
        let shown = Instant(microseconds: instant.microseconds + Int64(offset) * Instant.microsecondsPerSecond)
        let minutes = offset.magnitude / 60
        let sign = offset < 0 ? "-" : "+"
        return "\(shown.description.dropLast())\(sign)\(Int(minutes / 60).twoDigits):\(Int(minutes % 60).twoDigits)"
    }
}

extension Int {
    fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
