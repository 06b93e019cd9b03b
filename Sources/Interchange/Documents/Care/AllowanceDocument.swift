package import FoundationEssentials
package import HealthModel

/// When another dose of a plan with limits is possible.
package struct AllowanceDocument: APIDocument, Hashable {
    package var plan: UUID
    package var name: String
    /// From when on another dose is possible, by the person's clock; nil if one is possible now.
    package var possibleFrom: String?
    /// How many doses are left, and until when that holds.
    package var left: Int?
    package var leftUntil: String?
    /// The most doses within the period of the plan.
    package var maximum: Int?

    package init(_ allowance: Allowance, of plan: UUID, named name: String, maximum: Int?, _ clock: PersonClock) {
        self.plan = plan
        self.name = name
        possibleFrom = allowance.from.map(clock.text)
        left = allowance.left
        leftUntil = allowance.until.map(clock.text)
        self.maximum = maximum
    }
}

extension AllowanceDocument {
    package static let schema = JSONSchema.object(
        ["plan": JSONSchema.identifier, "name": ["type": "string"]],
        optional: [
            "possibleFrom": JSONSchema.time, "left": ["type": "integer"], "leftUntil": JSONSchema.time,
            "maximum": ["type": "integer"],
        ]
    )

    package var json: JSONValue {
        .present([
            "plan": .string(plan.text), "name": .string(name), "possibleFrom": possibleFrom.map { .string($0) },
            "left": left.map { .integer($0) }, "leftUntil": leftUntil.map { .string($0) },
            "maximum": maximum.map { .integer($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        plan = try object.id("plan")
        name = try object.required("name")
        possibleFrom = try object.text("possibleFrom")
        left = try object.optionalInteger("left")
        leftUntil = try object.text("leftUntil")
        maximum = try object.optionalInteger("maximum")
    }
}
