package import FoundationEssentials
package import HealthModel

/// An identity at an OpenID provider that is linked to an account.
package struct IdentityDocument: APIDocument, Hashable {
    package var id: UUID
    package var issuer: String
    package var subject: String
    package var linkedAt: Instant

    package init(_ state: IdentityState) {
        id = state.id
        issuer = state.identity.issuer
        subject = state.identity.subject
        linkedAt = state.linked.recordedAt
    }
}

extension IdentityDocument {
    package static let schema = JSONSchema.object([
        "id": JSONSchema.identifier, "issuer": ["type": "string"], "subject": ["type": "string"],
        "linkedAt": JSONSchema.time,
    ])

    package var json: JSONValue {
        ["id": .string(id.text), "issuer": .string(issuer), "subject": .string(subject), "linkedAt": .time(linkedAt)]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        issuer = try object.required("issuer")
        subject = try object.required("subject")
        linkedAt = try object.instant("linkedAt")
    }
}
