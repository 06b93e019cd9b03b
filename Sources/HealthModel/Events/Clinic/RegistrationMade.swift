package import FoundationEssentials

/// An animal became a patient of a practice.
package struct RegistrationMade: EventData {
    package var practice: UUID
    /// The number under which the practice keeps the patient; empty if it uses none.
    package var number: String

    package init(practice: UUID, number: String) {
        self.practice = practice
        self.number = number
    }

    package static var type: EventType { EventType(code: 143) }

    package static let definition = EventDefinition(
        "registration.made",
        .appointment,
        "Registered as a patient",
        RegistrationMade.init,
        EventField(1, "practice", \.practice),
        EventField(2, "number", \.number)
    )

    package var summary: EventSummary { "\(.record) at practice \(practice)" }
}
