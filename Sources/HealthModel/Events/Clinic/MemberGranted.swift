package import FoundationEssentials

/// An account became a member of a practice, or its membership was replaced.
package struct MemberGranted: EventData {
    package var account: UUID
    package var membership: Membership

    package init(account: UUID, membership: Membership) {
        self.account = account
        self.membership = membership
    }

    package static var type: EventType { EventType(code: 140) }

    package static let definition = EventDefinition(
        "member.granted",
        .practice,
        "Member added",
        sets: .each("member", by: "account"),
        { account, roles, specialist, from, until in
            MemberGranted(
                account: account,
                membership: Membership(roles: roles, specialist: specialist, from: from, until: until)
            )
        },
        EventField(1, "account", \.account, .json),
        EventField(2, "roles", \.membership.roles),
        EventField(3, "specialist", \.membership.specialist),
        EventField(4, "from", \.membership.from),
        EventField(5, "until", \.membership.until)
    )

    package var summary: EventSummary { "\(account)" }
}
