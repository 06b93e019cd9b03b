package import FoundationEssentials

/// A plan that takes part in an open finding that is serious, whatever its own limits allow.
package struct AlarmedPlanDocument: DefinedDocument, Hashable {
    package var plan: UUID
    package var name: String

    package init(plan: UUID, name: String) {
        self.plan = plan
        self.name = name
    }

    package static let definition = DocumentDefinition(
        AlarmedPlanDocument.init,
        DocumentMember("plan", \.plan),
        DocumentMember("name", \.name)
    )
}
