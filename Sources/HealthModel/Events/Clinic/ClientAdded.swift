package import FoundationEssentials

/// A practice has a client.
package struct ClientAdded: EventData {
    package var practice: UUID
    package var profile: ClientProfile

    package init(practice: UUID, profile: ClientProfile) {
        self.practice = practice
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 132) }

    package static let definition = EventDefinition(
        "client.added",
        .practice,
        "Client added",
        sets: "client",
        ClientAdded.init,
        EventField(1, "practice", \.practice),
        EventField(2, "profile", \.profile)
    )

    package var summary: EventSummary { "client" }
}
