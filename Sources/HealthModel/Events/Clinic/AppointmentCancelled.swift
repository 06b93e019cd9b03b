/// An appointment will not take place.
package struct AppointmentCancelled: EventData {
    package var by: AppointmentParty
    package var code: String

    package init(by: AppointmentParty, code: String) {
        self.by = by
        self.code = code
    }

    package static var type: EventType { EventType(code: 165) }

    package static let definition = EventDefinition(
        "appointment.cancelled",
        .appointment,
        "Appointment cancelled",
        AppointmentCancelled.init,
        EventField(1, "by", \.by),
        EventField(2, "code", \.code)
    )

    package var summary: EventSummary { "of \(.record)" }
}
