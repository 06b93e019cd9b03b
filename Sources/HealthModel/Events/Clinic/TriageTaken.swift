package import FoundationEssentials

/// The treatment of a patient began, which takes it off the board.
package struct TriageTaken: EventData {
    /// Nil if no specialist of the practice is named.
    package var specialist: UUID?

    package init(specialist: UUID?) {
        self.specialist = specialist
    }

    package static var type: EventType { EventType(code: 174) }

    package static let definition = EventDefinition(
        "triage.taken",
        .appointment,
        "Patient taken",
        TriageTaken.init,
        EventField(1, "specialist", \.specialist)
    )

    package var summary: EventSummary { "of \(.record)" }
}
