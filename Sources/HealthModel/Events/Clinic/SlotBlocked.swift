package import FoundationEssentials

/// A time of a resource is blocked without an appointment.
package struct SlotBlocked: EventData {
    package var block: UUID
    package var from: Instant
    package var to: Instant

    package init(block: UUID, from: Instant, to: Instant) {
        self.block = block
        self.from = from
        self.to = to
    }

    package static var type: EventType { EventType(code: 151) }

    package static let definition = EventDefinition(
        "slot.blocked",
        .diary,
        "Time blocked",
        SlotBlocked.init,
        EventField(1, "block", \.block),
        EventField(2, "from", \.from),
        EventField(3, "to", \.to)
    )

    package var summary: EventSummary { "blocked time \(block)" }
}
