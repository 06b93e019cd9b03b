package import FoundationEssentials

/// A patient arrived that must be triaged.
package struct TriageBegun: EventData {
    package var practice: UUID
    package var arrivedAt: Instant
    package var appointment: UUID?
    package var complaint: String

    package init(practice: UUID, arrivedAt: Instant, appointment: UUID? = nil, complaint: String = "") {
        self.practice = practice
        self.arrivedAt = arrivedAt
        self.appointment = appointment
        self.complaint = complaint
    }

    package static var type: EventType { EventType(code: 171) }

    package static let definition = EventDefinition(
        "triage.begun",
        .appointment,
        "Triage begun",
        TriageBegun.init,
        EventField(1, "practice", \.practice),
        EventField(2, "arrivedAt", \.arrivedAt),
        EventField(3, "appointment", \.appointment),
        EventField(4, "complaint", \.complaint)
    )

    package var summary: EventSummary { "of \(.record)" }
}
