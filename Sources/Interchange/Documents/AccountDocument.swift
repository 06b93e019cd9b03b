package import FoundationEssentials
package import HealthModel

/// An account, as administrators see it.
package struct AccountDocument: APIDocument, Hashable {
    package var id: UUID
    package var name: String
    package var kind: AccountKind
    package var email: String
    /// The name by which other people see the account; nil if its holder gave none.
    package var displayName: String?
    package var addedAt: Instant
    /// The last time at which a session began or the use of a token was recorded; nil if there is none.
    package var lastLoginAt: Instant?
    /// Nil for an account without one.
    package var subscription: SettingsDocument<Subscription>?
    package var hasPassword: Bool
    /// All its tokens, also revoked and expired ones, in the order in which they were issued.
    package var tokens: [TokenDocument]

    package init(_ state: AccountState, tokens: [TokenDocument]) {
        id = state.id
        name = state.name
        kind = state.kind
        email = state.email
        displayName = state.details.displayName.isEmpty ? nil : state.details.displayName
        addedAt = state.added.recordedAt
        lastLoginAt = state.lastLoginAt
        subscription = state.subscription.map { SettingsDocument($0) }
        hasPassword = state.password != nil
        self.tokens = tokens
    }
}

extension AccountDocument {
    package static let schema = JSONSchema.object(
        [
            "id": JSONSchema.identifier, "name": ["type": "string"], "kind": JSONSchema.name(of: AccountKind.self),
            "email": ["type": "string"], "addedAt": JSONSchema.time, "hasPassword": ["type": "boolean"],
            "tokens": JSONSchema.array(of: TokenDocument.schema),
        ],
        optional: [
            "displayName": ["type": "string"], "lastLoginAt": JSONSchema.time,
            "subscription": SettingsDocument<Subscription>.schema,
        ]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "name": .string(name), "kind": .string(kind.name), "email": .string(email),
            "displayName": displayName.map { .string($0) }, "addedAt": .time(addedAt),
            "lastLoginAt": lastLoginAt.map { .time($0) }, "subscription": subscription?.json,
            "hasPassword": .bool(hasPassword), "tokens": .array(tokens.map(\.json)),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        name = try object.required("name")
        kind = try AccountKind(named: object.required("kind"))
        email = try object.required("email")
        displayName = try object.text("displayName")
        addedAt = try object.instant("addedAt")
        lastLoginAt = try object.optionalInstant("lastLoginAt")
        subscription = try object.optionalObject("subscription")
            .map { object throws(ModelError) in
                try SettingsDocument(object)
            }
        hasPassword = try object.flag("hasPassword")
        tokens = try object.documents("tokens")
    }
}
