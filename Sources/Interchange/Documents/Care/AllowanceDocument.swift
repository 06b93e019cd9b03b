package import FoundationEssentials
package import HealthModel

/// When another dose of a plan with limits is possible.
package struct AllowanceDocument: DefinedDocument, Hashable {
    package var plan: UUID
    package var name: String
    /// From when on another dose is possible, by the person's clock; nil if one is possible now.
    package var possibleFrom: String?
    /// How many doses are left, and until when that holds.
    package var left: Int?
    package var leftUntil: String?
    /// The most doses within the period of the plan.
    package var maximum: Int?

    package static let definition = DocumentDefinition(
        AllowanceDocument.init,
        DocumentMember("plan", \.plan),
        DocumentMember("name", \.name),
        DocumentMember("possibleFrom", \.possibleFrom, schema: JSONSchema.time),
        DocumentMember("left", \.left),
        DocumentMember("leftUntil", \.leftUntil, schema: JSONSchema.time),
        DocumentMember("maximum", \.maximum)
    )
}

extension AllowanceDocument {
    package init(_ allowance: Allowance, of plan: UUID, named name: String, maximum: Int?, _ clock: PersonClock) {
        self.plan = plan
        self.name = name
        possibleFrom = allowance.from.map(clock.text)
        left = allowance.left
        leftUntil = allowance.until.map(clock.text)
        self.maximum = maximum
    }
}
