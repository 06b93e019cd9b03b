package import HealthModel

/// A calendar in the iCalendar format (RFC 5545).
package struct ICalendar: Sendable {
    package var name: String
    package var components: [ICalendarComponent]

    package init(name: String, components: [ICalendarComponent]) {
        self.name = name
        self.components = components
    }

    /// The calendar with CRLF line ends and folded lines.
    package var text: String {
        var lines = ContentLines()
        lines.add("BEGIN", "VCALENDAR")
        lines.add("VERSION", "2.0")
        lines.add("PRODID", "-//HealthJournal//HealthJournal 1//EN")
        lines.add("CALSCALE", "GREGORIAN")
        // No RFC has a name of a calendar that all programs show; this one does in most.
        lines.add("X-WR-CALNAME", text: name)
        for component in components { component.write(to: &lines) }
        lines.add("END", "VCALENDAR")
        return lines.text
    }
}

/// An event or a task of a calendar.
package struct ICalendarComponent: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case event = "VEVENT"
        case task = "VTODO"
    }

    package enum Status: String, Sendable {
        case tentative = "TENTATIVE"
        case confirmed = "CONFIRMED"
    }

    /// When it takes place: at an instant, or at a time of whatever clock the calendar shows.
    package enum Time: Hashable, Sendable {
        case utc(Instant)
        case floating(WallMoment)
    }

    package var kind: Kind
    package var id: String
    /// The number of its revision.
    package var sequence: UInt64
    package var changed: Instant
    package var start: Time
    /// The end; nil for a moment.
    package var end: Instant?
    package var summary: String
    package var description: String?
    package var location: String?
    package var status: Status?
    /// Whether it takes up the time of the calendar's owner.
    package var isBusy = false
    /// Whether an alarm rings at its start.
    package var hasAlarm: Bool
    /// When the task was completed; nil if it was not.
    package var completed: Instant?

    package init(
        _ kind: Kind,
        id: String,
        sequence: UInt64,
        changed: Instant,
        start: Time,
        summary: String,
        description: String? = nil,
        hasAlarm: Bool = false,
        completed: Instant? = nil
    ) {
        self.kind = kind
        self.id = id
        self.sequence = sequence
        self.changed = changed
        self.start = start
        self.summary = summary
        self.description = description
        self.hasAlarm = hasAlarm
        self.completed = completed
    }

    fileprivate func write(to lines: inout ContentLines) {
        lines.add("BEGIN", kind.rawValue)
        lines.add("UID", text: id)
        lines.add("DTSTAMP", changed.compact)
        lines.add("LAST-MODIFIED", changed.compact)
        lines.add("SEQUENCE", String(sequence))
        switch start {
        case .utc(let instant): lines.add("DTSTART", instant.compact)
        case .floating(let wall): lines.add("DTSTART", wall.compact)
        }
        if let end { lines.add("DTEND", end.compact) }
        lines.add("SUMMARY", text: summary)
        if let location { lines.add("LOCATION", text: location) }
        if let description { lines.add("DESCRIPTION", text: description) }
        lines.add("CLASS", "PRIVATE")
        switch kind {
        case .event:
            if let status { lines.add("STATUS", status.rawValue) }
            lines.add("TRANSP", isBusy ? "OPAQUE" : "TRANSPARENT")
        case .task:
            if let completed { lines.add("COMPLETED", completed.compact) }
            lines.add("STATUS", completed == nil ? "NEEDS-ACTION" : "COMPLETED")
        }
        if hasAlarm {
            lines.add("BEGIN", "VALARM")
            lines.add("ACTION", "DISPLAY")
            lines.add("TRIGGER", "PT0M")
            lines.add("DESCRIPTION", text: summary)
            lines.add("END", "VALARM")
        }
        lines.add("END", kind.rawValue)
    }
}

extension WallMoment {
    fileprivate var compact: String {
        "\(day)T\(time?.description ?? "00:00")00".filter { $0 != "-" && $0 != ":" }
    }
}
