/// What a practice keeps about a patient: its number, its clients and alerts.
package struct RegistrationChanged: EventData {
    package var profile: RegistrationProfile

    package init(profile: RegistrationProfile) {
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 144) }

    package static let definition = EventDefinition(
        "registration.changed",
        .appointment,
        "Registration changed",
        sets: "registration",
        RegistrationChanged.init,
        EventField(1, "profile", \.profile)
    )

    package var summary: EventSummary { "of \(.record)" }
}
