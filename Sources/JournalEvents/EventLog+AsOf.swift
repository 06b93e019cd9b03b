package import EventLog

// FoundationEssentials cannot look up a time zone by its name, so the whole of Foundation is imported.
package import Foundation
package import HealthModel

extension EventLog {
    /// Returns the position of the last event recorded up to a moment; the head if `moment` is nil.
    ///
    /// Throws `notFound` for a position after the head.
    package func position(asOf moment: AsOf?) throws -> UInt64 {
        switch moment {
        case nil:
            return try head()
        case .position(let position)?:
            let head = try head()
            guard position <= head else {
                throw ModelError(.notFound, "the journal has no position \(position) yet")
            }
            return position
        case let moment?:
            return try moment.upperBound(in: zone).map { try position(recordedUpTo: $0.microseconds) } ?? head()
        }
    }

    /// The journal's time zone, in which a day given for `asOf` ends; GMT if the machine does not know the zone.
    package var zone: TimeZone { TimeZone(identifier: description.zone) ?? .gmt }
}
