package import FoundationEssentials
package import HealthModel

/// A token without its secret.
package struct TokenDocument: APIDocument, Hashable {
    package var id: UUID
    package var scope: TokenScope
    package var issuedAt: Instant
    /// The first moment at which the token is no longer valid; nil if it does not expire.
    package var expires: Instant?
    package var revokedAt: Instant?
    package var lastUsedAt: Instant?

    package init(_ state: TokenState, lastUse: Instant?) {
        id = state.id
        scope = state.scope
        issuedAt = state.issued.recordedAt
        expires = state.expires
        revokedAt = state.revoked?.recordedAt
        lastUsedAt = lastUse
    }

    /// Reports whether the token is valid at a moment.
    package func isValid(at now: Instant) -> Bool { revokedAt == nil && expires.map { now < $0 } ?? true }
}

extension TokenDocument {
    package static let schema = JSONSchema.object(
        ["id": JSONSchema.identifier, "scope": TokenScope.schema, "issuedAt": JSONSchema.time],
        optional: ["expires": JSONSchema.time, "revokedAt": JSONSchema.time, "lastUsedAt": JSONSchema.time]
    )

    package var json: JSONValue {
        .present([
            "id": .string(id.text), "scope": .string(scope.description), "issuedAt": .time(issuedAt),
            "expires": expires.map { .time($0) }, "revokedAt": revokedAt.map { .time($0) },
            "lastUsedAt": lastUsedAt.map { .time($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        id = try object.id("id")
        scope = try TokenScope(parsing: object.required("scope"))
        issuedAt = try object.instant("issuedAt")
        expires = try object.optionalInstant("expires")
        revokedAt = try object.optionalInstant("revokedAt")
        lastUsedAt = try object.optionalInstant("lastUsedAt")
    }
}

extension TokenScope {
    /// Describes the text of a scope.
    package static let schema: JSONValue = {
        let forms = all.map { $0.definition.takesCategory ? "\($0)(?::\(categoryPattern))?" : "\($0)" }
        return ["type": "string", "pattern": .string("^(?:\(forms.joined(separator: "|")))$")]
    }()
}
