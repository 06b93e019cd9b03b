package import FoundationEssentials
package import HealthModel

/// A device of an account that sends changes which were made offline.
package struct DeviceDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var name: String
    package var addedAt: Instant

    package static let definition = DocumentDefinition(
        DeviceDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("name", \.name),
        DocumentMember("addedAt", \.addedAt)
    )
}

extension DeviceDocument {
    package init(_ state: DeviceState) {
        id = state.id
        name = state.name
        addedAt = state.added.recordedAt
    }
}
