package import FoundationEssentials

/// A service of a practice was added or replaced.
package struct ServiceSet: EventData {
    package var service: UUID
    package var profile: ServiceProfile

    package init(service: UUID, profile: ServiceProfile) {
        self.service = service
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 136) }

    package static let definition = EventDefinition(
        "service.set",
        .practice,
        "Service set",
        sets: .each("service", by: "service"),
        ServiceSet.init,
        EventField(1, "service", \.service),
        EventField(2, "profile", \.profile)
    )

    package var summary: EventSummary { "service \(service)" }
}
