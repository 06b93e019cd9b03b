package import FoundationEssentials

/// An appointment, or a blocked time, does not take up the time of a resource any more.
package struct SlotFreed: EventData {
    package var appointment: UUID

    package init(appointment: UUID) {
        self.appointment = appointment
    }

    package static var type: EventType { EventType(code: 150) }

    package static let definition = EventDefinition(
        "slot.freed",
        .diary,
        "Time freed",
        SlotFreed.init,
        EventField(1, "appointment", \.appointment)
    )

    package var summary: EventSummary { "appointment \(appointment)" }
}
