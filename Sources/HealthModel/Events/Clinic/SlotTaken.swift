package import FoundationEssentials

/// An appointment takes up the time of a resource; it replaces what the appointment took before.
package struct SlotTaken: EventData {
    package var appointment: UUID
    package var from: Instant
    package var to: Instant
    package var minutes: Int
    package var until: Instant?

    package init(appointment: UUID, from: Instant, to: Instant, minutes: Int, until: Instant?) {
        self.appointment = appointment
        self.from = from
        self.to = to
        self.minutes = minutes
        self.until = until
    }

    package static var type: EventType { EventType(code: 149) }

    package static let definition = EventDefinition(
        "slot.taken",
        .diary,
        "Time taken",
        SlotTaken.init,
        EventField(1, "appointment", \.appointment),
        EventField(2, "from", \.from),
        EventField(3, "to", \.to),
        EventField(4, "minutes", \.minutes),
        EventField(5, "until", \.until)
    )

    package var summary: EventSummary { "appointment \(appointment)" }
}
