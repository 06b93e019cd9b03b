package import FoundationEssentials
package import HealthModel

/// A device of an account that sends changes which were made offline.
package struct DeviceDocument: APIDocument, Hashable {
    package var id: UUID
    package var name: String
    package var addedAt: Instant

    package init(_ state: DeviceState) {
        id = state.id
        name = state.name
        addedAt = state.added.recordedAt
    }
}

extension DeviceDocument {
    package static let schema = JSONSchema.object([
        "id": JSONSchema.identifier, "name": ["type": "string"], "addedAt": JSONSchema.time,
    ])

    package var json: JSONValue {
        ["id": .string(id.text), "name": .string(name), "addedAt": .time(addedAt)]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        name = try object.required("name")
        addedAt = try object.instant("addedAt")
    }
}
