package import FoundationEssentials

/// An appointment was moved to make room for another one.
package struct AppointmentDisplaced: EventData {
    package var details: AppointmentDetails
    package var by: UUID

    package init(details: AppointmentDetails, by: UUID) {
        self.details = details
        self.by = by
    }

    package static var type: EventType { EventType(code: 161) }

    package static let definition = EventDefinition(
        "appointment.displaced",
        .appointment,
        "Appointment displaced",
        sets: "appointment",
        AppointmentDisplaced.init,
        EventField(1, "details", \.details),
        EventField(2, "by", \.by)
    )

    package var summary: EventSummary { "of \(.record)" }
}
