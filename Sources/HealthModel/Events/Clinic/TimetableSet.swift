/// From a day on, a practice is open at these times.
package struct TimetableSet: EventData {
    package var from: Day
    package var timetable: Timetable

    package init(from: Day, timetable: Timetable) {
        (self.from, self.timetable) = (from, timetable)
    }

    package static var type: EventType { EventType(code: 122) }

    package static let definition = EventDefinition(
        "timetable.set",
        .practice,
        "Opening hours set",
        sets: "timetable",
        { from, usual, emergency, holidays in
            TimetableSet(from: from, timetable: Timetable(usual: usual, emergency: emergency, holidays: holidays))
        },
        EventField(1, "from", \.from),
        EventField(2, "usual", \.timetable.usual),
        EventField(3, "emergency", \.timetable.emergency),
        EventField(4, "holidays", \.timetable.holidays)
    )

    package var summary: EventSummary { "from \(from)" }
}

/// Stored as its lines.
extension WeeklyHours: EventValue {
    package static var fieldType: FieldType { [String].fieldType }
    package var fieldValue: FieldValue? { lines.fieldValue }

    package init?(fieldValue: FieldValue?) {
        guard let lines = [String](fieldValue: fieldValue), let hours = try? WeeklyHours(parsing: lines) else {
            return nil
        }
        self = hours
    }
}

/// Stored as its text.
extension Holiday: EventValue, EventListElement {
    package static var fieldType: FieldType { .text(maximum: Limits.line) }
    package var fieldValue: FieldValue? { .text(description) }

    package init?(fieldValue: FieldValue?) {
        guard case .text(let text)? = fieldValue, let holiday = try? Holiday(parsing: text) else { return nil }
        self = holiday
    }
}
