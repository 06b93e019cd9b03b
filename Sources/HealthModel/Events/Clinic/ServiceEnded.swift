package import FoundationEssentials

/// A practice does not offer a service any more.
package struct ServiceEnded: EventData {
    package var service: UUID

    package init(service: UUID) {
        self.service = service
    }

    package static var type: EventType { EventType(code: 137) }

    package static let definition = EventDefinition(
        "service.ended",
        .practice,
        "Service ended",
        ServiceEnded.init,
        EventField(1, "service", \.service)
    )

    package var summary: EventSummary { "service \(service)" }
}
