/// Somebody is no client any more; no animal is touched by it.
package struct ClientEnded: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 134) }

    package static let definition = EventDefinition(
        "client.ended",
        .practice,
        "Client ended",
        { ClientEnded() }
    )

    package var summary: EventSummary { "client" }
}
