/// The appointment is over.
package struct AppointmentCompleted: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 164) }

    package static let definition = EventDefinition(
        "appointment.completed",
        .appointment,
        "Appointment completed",
        { AppointmentCompleted() }
    )

    package var summary: EventSummary { "of \(.record)" }
}
