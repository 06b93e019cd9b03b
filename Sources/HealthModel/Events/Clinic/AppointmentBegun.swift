/// The appointment has begun.
package struct AppointmentBegun: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 163) }

    package static let definition = EventDefinition(
        "appointment.begun",
        .appointment,
        "Appointment begun",
        { AppointmentBegun() }
    )

    package var summary: EventSummary { "of \(.record)" }
}
