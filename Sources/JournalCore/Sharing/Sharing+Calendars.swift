internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// The calendars that show a record or a specialist to whoever has their address.
extension Journal.Sharing {
    package func calendarLinks(of subject: UUID) throws -> CalendarLinksState {
        var state = CalendarLinksState()
        for event in try journal.log.recordedEvents(of: journal.calendarStream(of: subject)) { evolve(&state, event) }
        return state
    }

    /// Adds the events that unlink a calendar; none if it is unlinked already.
    package func unlinkCalendar(_ id: UUID, of subject: UUID, _ change: inout Change) throws {
        let stream = try journal.calendarStream(of: subject)
        let version = try journal.log.version(of: stream)
        let state = try calendarLinks(of: subject)
        let events = try decide(.unlink(id), state)
        try change.add(events, in: .stream(stream, of: subject), expecting: .exact(version))
        if !events.isEmpty, let digest = state[id]?.calendar.digest {
            try journal.claimOnce(.release(holder: subject), on: .calendar, digest.hex, field: "calendar", &change)
        }
    }
}
