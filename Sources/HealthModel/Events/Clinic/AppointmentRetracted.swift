/// An appointment was entered in error.
package struct AppointmentRetracted: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 170) }

    package static let definition = EventDefinition(
        "appointment.retracted",
        .appointment,
        "Appointment retracted",
        { AppointmentRetracted() }
    )

    package var summary: EventSummary { "of \(.record)" }
}
