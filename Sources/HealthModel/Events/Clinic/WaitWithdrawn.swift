/// A patient does not wait any more.
package struct WaitWithdrawn: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 154) }

    package static let definition = EventDefinition(
        "wait.withdrawn",
        .appointment,
        "Taken off the waiting list",
        { WaitWithdrawn() }
    )

    package var summary: EventSummary { "of \(.record)" }
}
