/// The data of a client were replaced.
package struct ClientChanged: EventData {
    package var profile: ClientProfile

    package init(profile: ClientProfile) {
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 133) }

    package static let definition = EventDefinition(
        "client.changed",
        .practice,
        "Client changed",
        sets: "client",
        ClientChanged.init,
        EventField(1, "profile", \.profile)
    )

    package var summary: EventSummary { "client" }
}
