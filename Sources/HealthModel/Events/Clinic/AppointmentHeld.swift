/// A time is reserved for a patient until a moment.
package struct AppointmentHeld: EventData {
    package var details: AppointmentDetails
    package var until: Instant

    package init(details: AppointmentDetails, until: Instant) {
        self.details = details
        self.until = until
    }

    package static var type: EventType { EventType(code: 156) }

    package static let definition = EventDefinition(
        "appointment.held",
        .appointment,
        "Appointment held",
        sets: "appointment",
        AppointmentHeld.init,
        EventField(1, "details", \.details),
        EventField(2, "until", \.until)
    )

    package var summary: EventSummary { "of \(.record)" }
}
