/// An invitation with a code was made.
package struct CaregiverInvited: EventData {
    package var invitation: Invitation

    package static var type: EventType { EventType(code: 42) }

    package static let definition = EventDefinition(
        "caregiver.invited",
        .grant,
        "Caregiver invited",
        formerNames: ["grant.invited"],
        { id, digest, expires, sections, verbs, from, until, emergencyAfterEnd, isSilent in
            let terms = GrantTerms(
                sections: sections,
                verbs: verbs,
                from: from,
                until: until,
                emergencyAfterEnd: emergencyAfterEnd,
                notifies: !isSilent
            )
            return CaregiverInvited(invitation: Invitation(id: id, digest: digest, terms: terms, expires: expires))
        },
        EventField(1, "invitation", \.invitation.id, .json),
        EventField(2, "digest", \.invitation.digest, .stored),
        EventField(3, "expires", \.invitation.expires),
        EventField(4, "sections", \.invitation.terms.sections),
        EventField(5, "verbs", \.invitation.terms.verbs),
        EventField(6, "from", \.invitation.terms.from),
        EventField(7, "until", \.invitation.terms.until),
        EventField(8, "emergencyAfterEnd", \.invitation.terms.emergencyAfterEnd),
        EventField(9, "silent", \.invitation.terms.isSilent)
    )

    package var summary: EventSummary { "invitation \(invitation.id) to \(.record)" }
}

extension JournalEvent {
    package static func caregiverInvited(_ invitation: Invitation) -> JournalEvent {
        JournalEvent(CaregiverInvited(invitation: invitation))
    }
}
