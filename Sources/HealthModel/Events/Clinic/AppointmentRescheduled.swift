/// An appointment was moved to another time.
package struct AppointmentRescheduled: EventData {
    package var details: AppointmentDetails

    package init(details: AppointmentDetails) {
        self.details = details
    }

    package static var type: EventType { EventType(code: 159) }

    package static let definition = EventDefinition(
        "appointment.rescheduled",
        .appointment,
        "Appointment moved",
        sets: "appointment",
        AppointmentRescheduled.init,
        EventField(1, "details", \.details)
    )

    package var summary: EventSummary { "of \(.record)" }
}
