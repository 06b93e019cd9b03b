/// A practice was closed.
package struct PracticeClosed: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 135) }

    package static let definition = EventDefinition(
        "practice.closed",
        .practice,
        "Practice closed",
        { PracticeClosed() }
    )

    package var summary: EventSummary { "a practice" }
}
