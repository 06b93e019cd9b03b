internal import AppointmentCalendar
internal import FoundationEssentials
internal import HealthModel
internal import Interchange

/// The appointments in the calendar of a record.
extension Journal {
    /// Returns the appointments of a patient as events of a calendar, for the same days as in the feed of a specialist.
    ///
    /// Only an owner of the record may see all of them. Without names, an event tells neither what it is about nor where.
    func appointmentEvents(of record: UUID, showsNames: Bool, asOf position: UInt64) throws -> [ICalendarComponent] {
        let now = now
        guard let span = TimeSpan(now.adding(days: -Self.feedDays.before), now.adding(days: Self.feedDays.after)) else {
            return []
        }
        var practices: [UUID: PracticeState] = [:]
        var components: [ICalendarComponent] = []
        for id in try calendars.appointments(of: record, asOf: position) {
            guard let state = try appointmentUnlessErased(id, asOf: position), state.isInCalendars(at: now),
                state.details.span?.overlaps(span) == true
            else { continue }
            let id = state.details.practice
            let practice = try practices[id] ?? self.practice(id, asOf: position).state
            practices[id] = practice
            let summary =
                showsNames
                ? "\(serviceName(of: state.details, at: practice)), \(practice.profile.name)" : ReminderText.appointment
            var component = ICalendarComponent(state, summary: summary)
            if showsNames { component.location = placeNames(of: state.details, at: practice) }
            components.append(component)
        }
        return components
    }
}

extension Instant {
    fileprivate func adding(days: Int) -> Instant { adding(minutes: days * 1_440) }
}
