package import FoundationEssentials

/// A practice asked an owner of a record to let the animal become its patient.
package struct RegistrationRequested: EventData {
    package var practice: UUID
    /// What the practice wants to keep about the patient.
    package var profile: RegistrationProfile

    package init(practice: UUID, profile: RegistrationProfile) {
        self.practice = practice
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 178) }

    package static let definition = EventDefinition(
        "registration.requested",
        .appointment,
        "Registration requested",
        RegistrationRequested.init,
        EventField(1, "practice", \.practice),
        EventField(2, "profile", \.profile)
    )

    package var summary: EventSummary { "\(.record) at practice \(practice)" }
}
