package import FoundationEssentials

/// A time is reserved for a patient that waits.
package struct WaitOffered: EventData {
    package var appointment: UUID

    package init(appointment: UUID) {
        self.appointment = appointment
    }

    package static var type: EventType { EventType(code: 153) }

    package static let definition = EventDefinition(
        "wait.offered",
        .appointment,
        "Time offered",
        WaitOffered.init,
        EventField(1, "appointment", \.appointment)
    )

    package var summary: EventSummary { "of \(.record)" }
}
