/// An event of another tool, with its bytes as received.
package struct ExternalReceived: EventData {
    package var streamName: String
    package var contentType: String
    package var data: [UInt8]

    package static var type: EventType { EventType(code: 70) }

    package static let definition = EventDefinition(
        "external.received",
        .external,
        "Event of another tool",
        ExternalReceived.init,
        EventField(1, "stream", \.streamName, .stored),
        EventField(2, "contentType", \.contentType, .stored),
        EventField(3, "data", \.data, .stored)
    )

    package var summary: EventSummary { "stream \(streamName), \(contentType), \(data.count) bytes" }
}

extension JournalEvent {
    package static func externalReceived(streamName: String, contentType: String, data: [UInt8]) -> JournalEvent {
        JournalEvent(ExternalReceived(streamName: streamName, contentType: contentType, data: data))
    }
}
