/// A person is no longer a client; no animal is affected.
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
