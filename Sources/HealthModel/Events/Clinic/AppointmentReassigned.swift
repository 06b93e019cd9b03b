/// An appointment at the same time has another specialist or another room.
package struct AppointmentReassigned: EventData {
    package var details: AppointmentDetails

    package init(details: AppointmentDetails) {
        self.details = details
    }

    package static var type: EventType { EventType(code: 160) }

    package static let definition = EventDefinition(
        "appointment.reassigned",
        .appointment,
        "Appointment given to others",
        sets: "appointment",
        AppointmentReassigned.init,
        EventField(1, "details", \.details)
    )

    package var summary: EventSummary { "of \(.record)" }
}
