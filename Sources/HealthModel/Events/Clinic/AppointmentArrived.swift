/// The patient is there.
package struct AppointmentArrived: EventData {
    package init() {}

    package static var type: EventType { EventType(code: 162) }

    package static let definition = EventDefinition(
        "appointment.arrived",
        .appointment,
        "Patient arrived",
        { AppointmentArrived() }
    )

    package var summary: EventSummary { "of \(.record)" }
}
