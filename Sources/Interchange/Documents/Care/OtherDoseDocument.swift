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
    /// Whether the plan has planned doses, of which this is none.
    package var unplanned: Bool

    package init(_ dose: LoggedDose, named name: String, unit: String?, unplanned: Bool, _ clock: PersonClock) {
        self.dose = dose.id
        plan = dose.plan
        self.name = name
        status = dose.status
        at = dose.at
        local = clock.text(dose.at)
        amount = dose.amount
        self.unit = unit
        self.unplanned = unplanned
    }
}

extension OtherDoseDocument {
    package static let schema = JSONSchema.object(
        [
            "dose": JSONSchema.identifier, "plan": JSONSchema.identifier, "name": ["type": "string"],
            "status": JSONSchema.word(of: LoggedDose.Status.self), "at": JSONSchema.time,
            "local": ["type": "string", "format": "date-time"], "unplanned": ["type": "boolean"],
        ],
        optional: ["amount": JSONSchema.decimalText, "unit": ["type": "string"]]
    )

    package var json: JSONValue {
        .present([
            "dose": .string(dose.text), "plan": .string(plan.text), "name": .string(name),
            "status": .string(status.rawValue), "at": .time(at), "local": .string(local),
            "amount": amount.map { .string($0.description) }, "unit": unit.map { .string($0) },
            "unplanned": .bool(unplanned),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        dose = try object.id("dose")
        plan = try object.id("plan")
        name = try object.required("name")
        status = try object.choice("status", LoggedDose.Status.self)
        at = try object.instant("at")
        local = try object.required("local")
        amount = try object.decimal("amount")
        unit = try object.text("unit")
        unplanned = try object.flag("unplanned")
    }
}
