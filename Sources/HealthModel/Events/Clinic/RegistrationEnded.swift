package import FoundationEssentials

/// An animal is no patient of a practice any more.
package struct RegistrationEnded: EventData {
    package var practice: UUID

    package init(practice: UUID) {
        self.practice = practice
    }

    package static var type: EventType { EventType(code: 145) }

    package static let definition = EventDefinition(
        "registration.ended",
        .appointment,
        "Registration ended",
        RegistrationEnded.init,
        EventField(1, "practice", \.practice)
    )

    package var summary: EventSummary { "\(.record) at practice \(practice)" }
}
