/// A triage was entered in error.
package struct TriageRetracted: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 176) }

    package static let definition = EventDefinition(
        "triage.retracted",
        .appointment,
        "Triage retracted",
        { TriageRetracted() }
    )

    package var summary: EventSummary { "of \(.record)" }
}
