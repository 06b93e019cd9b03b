package import FoundationEssentials

/// A wish on the waiting list: an earlier or any time for a service.
package struct WaitProfile: ClinicProfile {
    package var values: FieldValues

    package static let service = Field(1, "service", "Service", .id, isRequired: true)
    package static let specialists = Field(2, "specialists", "Specialists", .list(of: .id, maximum: 20))
    package static let urgency = Field(3, "urgency", "Urgency", WaitUrgency.fieldType)
    package static let from = Field(4, "from", "From", .day)
    package static let until = Field(5, "until", "Until", .day)
    /// When it suits, such as `mon-fri 08:00-12:00`; any time if it is empty.
    package static let hours = Field(6, "hours", "Hours", .list(of: .text(maximum: Limits.line), maximum: 7))
    package static let note = Field(7, "note", "Note", .text(maximum: Limits.line))

    package static let fields = [service, specialists, urgency, from, until, hours, note]

    package init(values: FieldValues) { self.values = values }

    package var serviceID: UUID? { UUID(fieldValue: values[WaitProfile.service]) }
    package var urgencyWord: WaitUrgency { WaitUrgency(fieldValue: values[WaitProfile.urgency]) ?? .routine }
    package var firstDay: Day? { values.day(WaitProfile.from) }
    package var lastDay: Day? { values.day(WaitProfile.until) }

    package var specialistIDs: [UUID] { [UUID](fieldValue: values[WaitProfile.specialists]) ?? [] }

    package func weeklyHours() throws(ModelError) -> WeeklyHours {
        try WeeklyHours(parsing: values.texts(WaitProfile.hours))
    }

    package func check() throws(ModelError) {
        do throws(ModelError) { try weeklyHours().validate(field: "hours") } catch {
            throw ModelError(.invalid, field: "hours", error.text)
        }
        if let firstDay, let lastDay, lastDay < firstDay {
            throw ModelError(.invalid, field: "until", "is before the first day")
        }
    }

    /// Whether a time with a specialist suits, by the clock of the practice.
    package func suits(_ span: TimeSpan, with specialist: UUID?, _ clock: PersonClock) -> Bool {
        let day = clock.day(at: span.start)
        if let firstDay, day < firstDay { return false }
        if let lastDay, day > lastDay { return false }
        if let specialist, !specialistIDs.isEmpty, !specialistIDs.contains(specialist) { return false }
        guard let hours = try? weeklyHours(), !hours.isEmpty else { return true }
        return hours[day.weekday].contains { clock.span(of: $0, on: day)?.contains(span) ?? false }
    }
}

/// How urgent a wish for a time is; more urgent ones are listed first.
package enum WaitUrgency: String, EventChoice, Sendable, Comparable {
    case urgent, soon, routine

    package var name: String { rawValue }

    private var rank: Int { WaitUrgency.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: WaitUrgency, right: WaitUrgency) -> Bool { left.rank < right.rank }
}
