/// A person set another level than the computed one; the reason is the event's.
package struct TriageOverridden: EventData {
    package var level: UrgencyLevel

    package init(level: UrgencyLevel) {
        self.level = level
    }

    package static var type: EventType { EventType(code: 173) }

    package static let definition = EventDefinition(
        "triage.overridden",
        .appointment,
        "Triage level set",
        sets: "level",
        TriageOverridden.init,
        EventField(1, "level", \.level)
    )

    package var summary: EventSummary { "of \(.record)" }
}
