package import FoundationEssentials

/// A specialist is not available for a time.
package struct AbsenceAdded: EventData {
    package var absence: UUID
    package var from: Instant
    package var until: Instant
    package var why: Absence.Reason

    package init(absence: UUID, from: Instant, until: Instant, why: Absence.Reason) {
        self.absence = absence
        self.from = from
        self.until = until
        self.why = why
    }

    package static var type: EventType { EventType(code: 126) }

    package static let definition = EventDefinition(
        "absence.added",
        .practice,
        "Absence of a specialist",
        AbsenceAdded.init,
        EventField(1, "absence", \.absence),
        EventField(2, "from", \.from),
        EventField(3, "until", \.until),
        EventField(4, "why", \.why)
    )

    package var summary: EventSummary { "absence \(absence)" }
}
