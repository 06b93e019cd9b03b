/// The texts of an appointment, or its type, were replaced.
package struct AppointmentChanged: EventData {
    package var details: AppointmentDetails

    package init(details: AppointmentDetails) {
        self.details = details
    }

    package static var type: EventType { EventType(code: 168) }

    package static let definition = EventDefinition(
        "appointment.changed",
        .appointment,
        "Appointment changed",
        sets: "appointment",
        AppointmentChanged.init,
        EventField(1, "details", \.details)
    )

    package var summary: EventSummary { "of \(.record)" }
}
