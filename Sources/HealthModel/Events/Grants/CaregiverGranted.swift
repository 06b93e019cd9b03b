package import FoundationEssentials

/// An account was given a grant, or its grant was given new terms.
package struct CaregiverGranted: EventData {
    package var account: UUID
    package var terms: GrantTerms
    /// The account that made the invitation which the actor accepted; nil if the actor gave the grant.
    package var invitedBy: UUID?

    package static var type: EventType { EventType(code: 40) }

    package static let definition = EventDefinition(
        "caregiver.granted",
        .grant,
        "Caregiver access granted",
        { account, sections, verbs, from, until, emergencyAfterEnd, invitedBy, isSilent in
            let terms = GrantTerms(
                sections: sections,
                verbs: verbs,
                from: from,
                until: until,
                emergencyAfterEnd: emergencyAfterEnd,
                notifies: !isSilent
            )
            return CaregiverGranted(account: account, terms: terms, invitedBy: invitedBy)
        },
        EventField(1, "account", \.account, .json),
        EventField(2, "sections", \.terms.sections),
        EventField(3, "verbs", \.terms.verbs),
        EventField(4, "from", \.terms.from),
        EventField(5, "until", \.terms.until),
        EventField(6, "emergencyAfterEnd", \.terms.emergencyAfterEnd),
        EventField(7, "invitedBy", \.invitedBy),
        EventField(8, "silent", \.terms.isSilent)
    )

    package var summary: EventSummary { "\(account) for \(.record)" }
}

extension JournalEvent {
    package static func caregiverGranted(account: UUID, terms: GrantTerms, invitedBy: UUID? = nil) -> JournalEvent {
        JournalEvent(CaregiverGranted(account: account, terms: terms, invitedBy: invitedBy))
    }
}
