package import FoundationEssentials

/// An account is no member of a practice any more.
package struct MemberRevoked: EventData {
    package var account: UUID

    package init(account: UUID) {
        self.account = account
    }

    package static var type: EventType { EventType(code: 141) }

    package static let definition = EventDefinition(
        "member.revoked",
        .practice,
        "Member removed",
        MemberRevoked.init,
        EventField(1, "account", \.account, .json)
    )

    package var summary: EventSummary { "\(account)" }
}
