/// An appointment was booked, or a hold became one.
package struct AppointmentBooked: EventData {
    package var details: AppointmentDetails

    package init(details: AppointmentDetails) {
        self.details = details
    }

    package static var type: EventType { EventType(code: 157) }

    package static let definition = EventDefinition(
        "appointment.booked",
        .appointment,
        "Appointment booked",
        sets: "appointment",
        AppointmentBooked.init,
        EventField(1, "details", \.details)
    )

    package var summary: EventSummary { "of \(.record)" }
}
