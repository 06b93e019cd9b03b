package import FoundationEssentials
package import HealthModel

/// A planned dose with its state.
package struct PlannedDoseDocument: DefinedDocument, Hashable {
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
    package var unit: String?
    /// How much of its substances one unit contains.
    package var strength: PlanStrength?
    /// Whether its amount cannot be counted, although it should be: stock and limits leave it out.
    package var uncounted: Bool
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

    package static let definition = DocumentDefinition(
        PlannedDoseDocument.init,
        DocumentMember("slot", \.slot),
        DocumentMember("plan", \.plan),
        DocumentMember("name", \.name),
        DocumentMember("wall", \.wall, "The time by the clock of the rule, such as 2026-05-04T08:00."),
        DocumentMember("due", \.due),
        DocumentMember(
            "local",
            \.local,
            schema: ["type": "string", "format": "date-time"],
            "When it is due by the person's clock, with the offset from UTC."
        ),
        DocumentMember("state", \.state),
        DocumentMember("amount", \.amount),
        DocumentMember("amountText", \.amountText),
        DocumentMember("unit", \.unit),
        DocumentMember("strength", \.strength),
        .mark("uncounted", \.uncounted, "Whether its amount cannot be counted: stock and limits leave it out."),
        DocumentMember("label", \.label),
        DocumentMember("withMeal", \.withMeal),
        DocumentMember("instructions", \.instructions),
        DocumentMember("gap", \.gap, "Whether the clock jumped over the time."),
        DocumentMember(
            "closeTo",
            \.closeTo,
            "The distance to the closest other dose, in minutes, if they are too close."
        ),
        DocumentMember("sincePrevious", \.sincePrevious, "Minutes since the dose before it."),
        DocumentMember("dose", \.dose),
        DocumentMember("at", \.at, schema: JSONSchema.time),
        DocumentMember("takenAmount", \.takenAmount),
        .some("warnings", \.warnings),
        DocumentMember("snoozedUntil", \.snoozedUntil)
    )
}

extension PlannedDoseDocument {
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
