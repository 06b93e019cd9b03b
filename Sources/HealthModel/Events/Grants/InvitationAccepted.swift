package import FoundationEssentials

/// An invitation was accepted.
package struct InvitationAccepted: EventData {
    package var invitation: UUID

    package static var type: EventType { EventType(code: 43) }

    package static let definition = EventDefinition(
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
