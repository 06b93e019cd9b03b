/// A patient left, or died, without being taken.
package struct TriageLeft: EventData {
    package var why: TriageState.LeaveReason

    package init(why: TriageState.LeaveReason) {
        self.why = why
    }

    package static var type: EventType { EventType(code: 175) }

    package static let definition = EventDefinition(
        "triage.left",
        .appointment,
        "Patient left",
        TriageLeft.init,
        EventField(1, "why", \.why)
    )

    package var summary: EventSummary { "of \(.record)" }
}
