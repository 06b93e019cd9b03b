internal import EventLog
package import HealthModel
internal import JournalEvents

extension Journal.Trail {
    /// Returns the day, in the journal's time zone, that a moment denotes.
    ///
    /// For a position or an instant, this is the day of the last event at that moment.
    package func day(asOf moment: AsOf) throws(JournalError) -> Day {
        do {
            if case .day(let day) = moment { return day }
            return journal.day(of: try journal.records.stamp(at: journal.log.position(asOf: moment)).recordedAt)
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the last position before a moment: everything recorded from the moment on comes after it.
    package func position(before moment: AsOf) throws(JournalError) -> UInt64 {
        do {
            if case .position(let position) = moment { return position - min(position, 1) }
            return try journal.log.position(asOf: moment.timeBefore(in: journal.log.zone).map(AsOf.instant))
        } catch {
            throw JournalError(error)
        }
    }
}
