internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import JournalCore

extension Journal.Maintenance {
    /// Accepts this machine's clock as correct, although it was changed or is far ahead of the newest event.
    ///
    /// The event that records this is the first one recorded with the accepted clock.
    package func acceptClock(_ caller: Caller) async throws(JournalError) -> WriteResult {
        do {
            // Other callers are refused without an audit entry: nothing can be appended under such a clock.
            if case .denied(let why) = try journal.access.decision(on: .acceptState, by: caller) {
                throw JournalError(.refused, why)
            }
            guard let problem = try journal.log.clockProblem else {
                throw JournalError(.conflict, "this machine's clock is accepted already: there is nothing to accept")
            }
            var change = try Change(journal, caller)
            try change.add(
                .clockAccepted(
                    expected: Instant(microseconds: problem.expected),
                    found: Instant(microseconds: problem.found)
                ),
                in: .own(journal.log.description.id)
            )
            guard let event = change.events.first else { throw JournalError(.failed, "there is nothing to append") }
            return WriteResult(position: try await journal.log.acceptClock(event).last)
        } catch {
            throw JournalError(error)
        }
    }
}
