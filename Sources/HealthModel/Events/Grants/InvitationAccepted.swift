package import FoundationEssentials

/// An invitation was accepted.
package struct InvitationAccepted: EventData {
    package var invitation: UUID

    package static let definition = EventDefinition(
        43,
        "invitation.accepted",
        .grant,
        "Invitation used",
        InvitationAccepted.init,
        EventField(1, "invitation", \.invitation, .json)
    )

    package var summary: EventSummary { "invitation \(invitation) to \(.record)" }
}

extension JournalEvent {
    package static func invitationAccepted(_ invitation: UUID) -> JournalEvent {
        JournalEvent(InvitationAccepted(invitation: invitation))
    }
}
