package import FoundationEssentials
package import HealthModel

/// A notice to a record's owners that a caregiver opened its emergency view.
package struct NoticeDocument: DefinedDocument, Hashable {
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

    package static let definition = DocumentDefinition(
        NoticeDocument.init,
        DocumentMember("position", \.position),
        DocumentMember("record", \.record),
        DocumentMember("displayName", \.displayName),
        DocumentMember("account", \.account),
        DocumentMember("name", \.name),
        DocumentMember("reason", \.reason),
        DocumentMember("openedAt", \.openedAt),
        DocumentMember("expires", \.expires),
        DocumentMember("endedAt", \.endedAt),
        DocumentMember("acknowledgedAt", \.acknowledgedAt),
        DocumentMember("acknowledgedBy", \.acknowledgedBy),
        derived: [DerivedMember("acknowledged", after: "expires") { $0.acknowledgedAt != nil }]
    )
}

extension NoticeDocument {
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
