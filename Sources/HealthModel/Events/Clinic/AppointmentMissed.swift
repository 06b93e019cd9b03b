/// The patient did not come.
package struct AppointmentMissed: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 166) }

    package static let definition = EventDefinition(
        "appointment.missed",
        .appointment,
        "Appointment missed",
        { AppointmentMissed() }
    )

    package var summary: EventSummary { "of \(.record)" }
}
