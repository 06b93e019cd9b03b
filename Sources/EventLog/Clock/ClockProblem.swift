internal import FoundationEssentials

/// A reason why the wall clock is not trusted.
///
/// An append under it could store a wrong recorded time for its events and, since recorded times never decrease, for
/// all later events.
package struct ClockProblem: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// The wall clock was set since the last append, within one boot of the machine.
        case moved
        /// The wall clock is far ahead of the newest event, and the boot clock cannot confirm it.
        case farAhead
    }

    package let finding: Finding
    /// The wall clock's expected time according to the boot clock, or the newest recorded time; in µs since 1970.
    package let expected: Int64
    /// The wall clock's actual time, in µs since 1970.
    package let found: Int64

    /// A description of the problem with both times, and what the user can do.
    package var message: String {
        let accept =
            "if this time is right, accept it: healthjournal accept-clock --reason TEXT; if not, correct the clock"
        let (found, expected) = (ClockProblem.text(found), ClockProblem.text(expected))
        switch finding {
        case .moved:
            return
                "the clock of the journal's machine shows \(found), but by the time since the last event it should show "
                + "\(expected): the clock was changed. Nothing is recorded with a wrong time; \(accept)"
        case .farAhead:
            return "the clock of the journal's machine shows \(found), more than a year after the newest event, which "
                + "was recorded at \(expected). Nothing is recorded with a wrong time; \(accept)"
        }
    }

    var error: EventLogError { EventLogError(.clockWrong, message) }

    static func text(_ microseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000).formatted(.iso8601)
    }
}
