/// An appointment that was cancelled or missed takes place after all.
package struct AppointmentReinstated: EventData {
    package var details: AppointmentDetails

    package init(details: AppointmentDetails) {
        self.details = details
    }

    package static var type: EventType { EventType(code: 167) }

    package static let definition = EventDefinition(
        "appointment.reinstated",
        .appointment,
        "Appointment reinstated",
        sets: "appointment",
        AppointmentReinstated.init,
        EventField(1, "details", \.details)
    )

    package var summary: EventSummary { "of \(.record)" }
}
