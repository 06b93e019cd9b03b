package import FoundationEssentials

/// An invitation was withdrawn.
package struct InvitationWithdrawn: EventData {
    package var invitation: UUID

    package static var type: EventType { EventType(code: 44) }

    package static let definition = EventDefinition(
        "invitation.withdrawn",
        .grant,
        "Invitation withdrawn",
        InvitationWithdrawn.init,
        EventField(1, "invitation", \.invitation, .json)
    )

    package var summary: EventSummary { "invitation \(invitation) to \(.record)" }
}

extension JournalEvent {
    package static func invitationWithdrawn(_ invitation: UUID) -> JournalEvent {
        JournalEvent(InvitationWithdrawn(invitation: invitation))
    }
}
