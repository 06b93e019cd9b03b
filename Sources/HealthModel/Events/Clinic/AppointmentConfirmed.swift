/// The client will come.
package struct AppointmentConfirmed: EventData {
    package var way: ConfirmationWay

    package init(way: ConfirmationWay) {
        self.way = way
    }

    package static var type: EventType { EventType(code: 158) }

    package static let definition = EventDefinition(
        "appointment.confirmed",
        .appointment,
        "Appointment confirmed",
        AppointmentConfirmed.init,
        EventField(1, "by", \.way)
    )

    package var summary: EventSummary { "of \(.record)" }
}
