package import FoundationEssentials
package import HealthModel

/// A plan that takes part in an open finding that is serious, whatever its own limits allow.
package struct AlarmedPlanDocument: APIDocument, Hashable {
    package var plan: UUID
    package var name: String

    package init(plan: UUID, name: String) {
        self.plan = plan
        self.name = name
    }
}

extension AlarmedPlanDocument {
    package static let schema = JSONSchema.object(["plan": JSONSchema.identifier, "name": ["type": "string"]])

    package var json: JSONValue { ["plan": .string(plan.text), "name": .string(name)] }

    package init(_ object: NativeObject) throws(ModelError) {
        plan = try object.id("plan")
        name = try object.required("name")
    }
}
