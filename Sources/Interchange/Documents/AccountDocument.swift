package import FoundationEssentials
package import HealthModel

/// An account, as administrators see it.
package struct AccountDocument: APIDocument, Hashable {
    package var id: UUID
    package var name: String
    package var kind: AccountKind
    package var email: String
    package var addedAt: Instant
    package var hasPassword: Bool
    /// All its tokens, also revoked and expired ones, in the order in which they were issued.
    package var tokens: [TokenDocument]

    package init(_ state: AccountState, tokens: [TokenDocument]) {
        id = state.id
        name = state.name
        kind = state.kind
        email = state.email
        addedAt = state.added.recordedAt
        hasPassword = state.password != nil
        self.tokens = tokens
    }
}

extension AccountDocument {
    package static let schema = JSONSchema.object([
        "id": JSONSchema.identifier, "name": ["type": "string"], "kind": JSONSchema.name(of: AccountKind.self),
        "email": ["type": "string"], "addedAt": JSONSchema.time, "hasPassword": ["type": "boolean"],
        "tokens": JSONSchema.array(of: TokenDocument.schema),
    ])

    package var json: JSONValue {
        [
            "id": .string(id.text), "name": .string(name), "kind": .string(kind.name), "email": .string(email),
            "addedAt": .time(addedAt), "hasPassword": .bool(hasPassword), "tokens": .array(tokens.map(\.json)),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        name = try object.required("name")
        kind = try AccountKind(named: object.required("kind"))
        email = try object.required("email")
        addedAt = try object.instant("addedAt")
        hasPassword = try object.flag("hasPassword")
        tokens = try object.documents("tokens")
    }
}
