package import FoundationEssentials
package import HealthModel

/// A dose that is none of the planned ones: taken when needed, outside the plan, or under a rule that was replaced.
package struct OtherDoseDocument: APIDocument, Hashable {
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

extension OtherDoseDocument {
    package static let schema = JSONSchema.object(
        [
            "dose": JSONSchema.identifier, "plan": JSONSchema.identifier, "name": ["type": "string"],
            "status": JSONSchema.word(of: LoggedDose.Status.self), "at": JSONSchema.time,
            "local": ["type": "string", "format": "date-time"], "unplanned": ["type": "boolean"],
        ],
        optional: [
            "amount": JSONSchema.amountText, "unit": ["type": "string"],
            "strength": PlanStrength.schema, "warnings": JSONSchema.array(of: JSONSchema.word(of: DoseWarning.self)),
        ]
    )

    package var json: JSONValue {
        .present([
            "dose": .string(dose.text), "plan": .string(plan.text), "name": .string(name),
            "status": .string(status.rawValue), "at": .time(at), "local": .string(local),
            "amount": amount.map { .string($0.description) }, "unit": unit.map { .string($0) },
            "strength": strength.map { .string($0.text()) },
            "unplanned": .bool(unplanned),
            "warnings": warnings.isEmpty ? nil : .array(warnings.map { .string($0.rawValue) }),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        dose = try object.id("dose")
        plan = try object.id("plan")
        name = try object.required("name")
        status = try object.choice("status", LoggedDose.Status.self)
        at = try object.instant("at")
        local = try object.required("local")
        amount = try object.amount("amount")
        unit = try object.text("unit")
        strength = try object.parsed("strength") { text throws(ModelError) in try PlanStrength(parsing: text) }
        unplanned = try object.flag("unplanned")
        warnings = try object.optionalTexts("warnings").compactMap(DoseWarning.init)
    }
}
