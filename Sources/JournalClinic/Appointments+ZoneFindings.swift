internal import AppointmentCalendar
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore
internal import PracticeDirectory

/// Whether the appointments of practices are still at the clock times that were agreed.
extension Journal.Appointments {
    /// How far ahead appointments are checked.
    private static let checkedDays = 365

    /// Returns the practices with appointments whose clock time has moved, because the rules of a time zone have changed.
    ///
    /// Nothing says which patients they are of: `appointments --open` lists them for those who may see them.
    func zoneFindings() -> [Finding] {
        do {
            return try journal.practiceDirectory.practices(asOf: journal.log.head())
                .compactMap { practice in
                    let moved = try movedAppointments(of: practice)
                    guard moved > 0 else { return nil }
                    let what = moved == 1 ? "1 appointment" : "\(moved) appointments"
                    return Finding(
                        "clock times",
                        isOK: false,
                        """
                        \(what) of the practice \(practice.text) at another time by the clock than agreed: \
                        healthjournal appointment rezone
                        """
                    )
                }
        } catch {
            // A view that cannot be read has a finding of its own.
            return []
        }
    }

    private func movedAppointments(of practice: UUID) throws -> Int {
        let clock = try journal.practiceStates.clock(of: journal.practiceStates.practice(practice).state)
        let today = Day(of: journal.now)
        let days = today...today.adding(days: Self.checkedDays)
        return try journal.calendars.appointments(of: practice, days: days, asOf: journal.log.head())
            .count { id in
                guard let state = try appointmentUnlessErased(id, asOf: .max) else { return false }
                return state.takesTime && state.details.start > journal.now && state.details.hasMoved(clock)
            }
    }
}
