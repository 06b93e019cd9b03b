internal import AppointmentCalendar
package import FoundationEssentials
internal import HealthModel
package import Interchange
internal import JournalCore

/// The appointments in the calendar of a record.
extension Journal.Appointments {
    /// Returns the appointments of a patient in the last 30 and the next 180 days, as events of a calendar.
    ///
    /// Only an owner of the record may see all of them. Without names, an event tells neither what it is about nor where.
    package func appointmentEvents(of record: UUID, showsNames: Bool, asOf position: UInt64) throws
        -> [ICalendarComponent]
    {
        let now = journal.now
        guard
            let span = TimeSpan(
                now.adding(days: -Journal.Practices.feedDays.before),
                now.adding(days: Journal.Practices.feedDays.after)
            )
        else {
            return []
        }
        var components: [ICalendarComponent] = []
        for id in try journal.calendars.appointments(of: record, asOf: position) {
            guard let state = try appointmentUnlessErased(id, asOf: position), state.isInCalendars(at: now),
                state.details.span?.overlaps(span) == true
            else { continue }
            var component = ICalendarComponent(state, summary: ReminderText.appointment)
            if showsNames {
                let practice = try journal.practiceStates.practice(state.details.practice).state
                component.summary =
                    "\(journal.practices.serviceName(of: state.details, at: practice)), \(practice.profile.name)"
                component.location = journal.practices.placeNames(of: state.details, at: practice)
            }
            components.append(component)
        }
        return components
    }
}

extension Instant {
    fileprivate func adding(days: Int) -> Instant { adding(minutes: days * 1_440) }
}
