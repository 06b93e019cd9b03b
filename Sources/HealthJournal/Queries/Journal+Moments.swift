internal import EventLog
package import HealthModel
internal import JournalEvents

extension Journal {
    /// Returns the day, in the journal's time zone, that a moment denotes.
    ///
    /// For a position or an instant, this is the day of the last event at that moment.
    package func day(asOf moment: AsOf) throws(JournalError) -> Day {
        do {
            if case .day(let day) = moment { return day }
            return day(of: try stamp(at: log.position(asOf: moment)).recordedAt)
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the last position before a moment: everything recorded from the moment on comes after it.
    package func position(before moment: AsOf) throws(JournalError) -> UInt64 {
        do {
            switch moment {
            case .position(let position): return position - min(position, 1)
            case .instant(let instant):
                return try log.position(asOf: .instant(Instant(microseconds: instant.microseconds - 1)))
            case .day(let day): return try log.position(asOf: .day(Day(daysSince1970: day.daysSince1970 - 1)))
            }
        } catch {
            throw JournalError(error)
        }
    }
}
