/// A note for the staff was added to an appointment.
package struct AppointmentNoteAdded: EventData {
    package var text: String

    package init(text: String) {
        self.text = text
    }

    package static var type: EventType { EventType(code: 169) }

    package static let definition = EventDefinition(
        "appointment.noteAdded",
        .appointment,
        "Note added",
        AppointmentNoteAdded.init,
        EventField(1, "text", \.text)
    )

    package var summary: EventSummary { "of \(.record)" }
}
