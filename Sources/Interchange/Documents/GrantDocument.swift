package import FoundationEssentials
package import HealthModel

/// A caregiver's grant.
package struct GrantDocument: APIDocument, Hashable {
    package var account: UUID
    /// The name of the account; nil if it is not available.
    package var name: String?
    package var terms: GrantTerms
    package var grantedAt: Instant
    /// The account that gave the grant.
    package var grantedBy: UUID
    package var grantedByName: String?
    /// The position of the event that set the terms.
    package var position: UInt64
    /// Whether the grant gives access today.
    package var isActive: Bool
    package var revokedAt: Instant?

    package init(_ grant: Grant, name: String? = nil, giver: String? = nil, today: Day) {
        account = grant.account
        self.name = name
        terms = grant.terms
        grantedAt = grant.given.recordedAt
        grantedBy = grant.givenBy
        grantedByName = giver
        position = grant.given.position
        isActive = grant.isActive(on: today)
        revokedAt = grant.revoked?.recordedAt
    }
}

extension GrantDocument {
    package static let schema = JSONSchema.object(
        .object(
            [.init("account", JSONSchema.identifier)] + GrantTerms.requiredMembers + [
                .init("grantedAt", JSONSchema.time),
                .init(
                    "grantedBy",
                    [
                        "allOf": [JSONSchema.identifier],
                        "description": "The account that gave the grant, or the invitation that was accepted.",
                    ]
                ),
                .init("position", JSONSchema.position),
                .init("active", ["type": "boolean", "description": "Whether it gives access today."]),
            ]
        ),
        optional: .object(
            GrantTerms.optionalMembers + [
                .init("name", ["type": "string"]), .init("grantedByName", ["type": "string"]),
                .init("revokedAt", JSONSchema.time),
            ]
        )
    )

    package var json: JSONValue {
        let who: JSONValue = .present(["account": .string(account.text), "name": name.map { .string($0) }])
        let grant: JSONValue = .present([
            "grantedAt": .time(grantedAt), "grantedBy": .string(grantedBy.text),
            "grantedByName": grantedByName.map { .string($0) }, "position": .integer(position),
            "active": .bool(isActive), "revokedAt": revokedAt.map { .time($0) },
        ])
        return .object(who.members + terms.json.members + grant.members)
    }

    package init(_ object: NativeObject) throws(ModelError) {
        account = try object.id("account")
        name = try object.text("name")
        terms = try GrantTerms(object)
        grantedAt = try object.instant("grantedAt")
        grantedBy = try object.id("grantedBy")
        grantedByName = try object.text("grantedByName")
        position = try object.number("position")
        isActive = try object.flag("active")
        revokedAt = try object.optionalInstant("revokedAt")
    }
}
