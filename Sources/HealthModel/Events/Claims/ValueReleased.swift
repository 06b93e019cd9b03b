/// A unique value was released.
package struct ValueReleased: EventData {
    package static var type: EventType { EventType(code: 61) }

    package static let definition = EventDefinition(
        "value.released",
        .claim,
        "Value released",
        ValueReleased.init
    )

    package var summary: EventSummary { "a unique value" }
}

extension JournalEvent {
    package static let valueReleased = JournalEvent(ValueReleased())
}
