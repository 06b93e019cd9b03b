/// A unique value was released.
package struct ValueReleased: EventData {
    package static let definition = EventDefinition(
        61,
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
