package import FoundationEssentials
package import HealthModel

/// A notice to a record's owners that a caregiver opened its emergency view.
package struct NoticeDocument: APIDocument, Hashable {
    /// The position of the event, by which the notice is acknowledged.
    package var position: UInt64
    package var record: UUID
    package var displayName: String
    /// The account that opened the view.
    package var account: UUID
    package var name: String?
    package var reason: String
    package var openedAt: Instant
    package var expires: Instant
    /// When the view was closed before it expired.
    package var endedAt: Instant?
    package var acknowledgedAt: Instant?
    package var acknowledgedBy: UUID?

    package init(_ emergency: Emergency, of record: UUID, named displayName: String, by name: String?) {
        position = emergency.opened.position
        self.record = record
        self.displayName = displayName
        account = emergency.account
        self.name = name
        reason = emergency.reason
        openedAt = emergency.opened.recordedAt
        expires = emergency.expires
        endedAt = emergency.ended?.recordedAt
        acknowledgedAt = emergency.acknowledged?.recordedAt
        acknowledgedBy = emergency.acknowledged?.actor
    }
}

extension NoticeDocument {
    package static let schema = JSONSchema.object(
        [
            "position": JSONSchema.position, "record": JSONSchema.identifier, "displayName": ["type": "string"],
            "account": JSONSchema.identifier, "reason": ["type": "string"], "openedAt": JSONSchema.time,
            "expires": JSONSchema.time, "acknowledged": ["type": "boolean"],
        ],
        optional: [
            "name": ["type": "string"], "endedAt": JSONSchema.time, "acknowledgedAt": JSONSchema.time,
            "acknowledgedBy": JSONSchema.identifier,
        ]
    )

    package var json: JSONValue {
        .present([
            "position": .integer(position), "record": .string(record.text), "displayName": .string(displayName),
            "account": .string(account.text), "name": name.map { .string($0) }, "reason": .string(reason),
            "openedAt": .time(openedAt), "expires": .time(expires), "acknowledged": .bool(acknowledgedAt != nil),
            "endedAt": endedAt.map { .time($0) }, "acknowledgedAt": acknowledgedAt.map { .time($0) },
            "acknowledgedBy": acknowledgedBy.map { .string($0.text) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        position = try object.number("position")
        record = try object.id("record")
        displayName = try object.required("displayName")
        account = try object.id("account")
        name = try object.text("name")
        reason = try object.required("reason")
        openedAt = try object.instant("openedAt")
        expires = try object.instant("expires")
        endedAt = try object.optionalInstant("endedAt")
        acknowledgedAt = try object.optionalInstant("acknowledgedAt")
        acknowledgedBy = try object.optionalID("acknowledgedBy")
    }
}
