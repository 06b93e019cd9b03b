package import FoundationEssentials
package import HealthModel

/// A dose that is none of the planned ones: taken when needed, outside the plan, or under a rule that was replaced.
package struct OtherDoseDocument: DefinedDocument, Hashable {
    package var dose: UUID
    package var plan: UUID
    package var name: String
    package var status: LoggedDose.Status
    package var at: Instant
    package var local: String
    package var amount: ExactDecimal?
    package var unit: String?
    /// How much of its substances one unit contains.
    package var strength: PlanStrength?
    /// Whether the plan has planned doses, but this is not one of them.
    package var unplanned: Bool
    /// The reasons why it is unusual: it is more, or closer to another dose, than the plan allows.
    package var warnings: [DoseWarning]

    package static let definition = DocumentDefinition(
        OtherDoseDocument.init,
        DocumentMember("dose", \.dose),
        DocumentMember("plan", \.plan),
        DocumentMember("name", \.name),
        DocumentMember("status", \.status),
        DocumentMember("at", \.at),
        DocumentMember("local", \.local, schema: ["type": "string", "format": "date-time"]),
        DocumentMember("amount", \.amount),
        DocumentMember("unit", \.unit),
        DocumentMember("strength", \.strength),
        DocumentMember("unplanned", \.unplanned),
        .some("warnings", \.warnings)
    )
}

extension OtherDoseDocument {
    package init(
        _ dose: LoggedDose,
        named name: String,
        unit: String?,
        strength: PlanStrength? = nil,
        unplanned: Bool,
        warnings: [DoseWarning] = [],
        _ clock: PersonClock
    ) {
        self.dose = dose.id
        plan = dose.plan
        self.name = name
        status = dose.status
        at = dose.at
        local = clock.text(dose.at)
        amount = dose.amount
        self.unit = unit
        self.strength = strength
        self.unplanned = unplanned
        self.warnings = warnings
    }
}
