package import FoundationEssentials
package import HealthModel

/// What the document from which a part of a practice was imported says of it, and when the journal added and changed it.
package struct PartSource: APIDocument, Hashable {
    package var id: UUID
    package var addedAt: Instant
    package var updatedAt: Instant
    /// Nil for a part that was not imported.
    package var kept: VetNetKept?

    package init(id: UUID, addedAt: Instant, updatedAt: Instant, kept: VetNetKept?) {
        (self.id, self.addedAt, self.updatedAt, self.kept) = (id, addedAt, updatedAt, kept)
    }

    package static let schema = JSONSchema.object(
        ["id": JSONSchema.identifier, "addedAt": JSONSchema.time, "updatedAt": JSONSchema.time],
        optional: [
            "kept": [
                "type": "object", "description": "What the document of VetNet says that the journal has no fields for.",
            ]
        ]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "addedAt": .time(addedAt), "updatedAt": .time(updatedAt), "kept": kept?.json,
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        addedAt = try object.instant("addedAt")
        updatedAt = try object.instant("updatedAt")
        kept = object.members.first { $0.name == "kept" }.flatMap { VetNetKept($0.value) }
    }
}
