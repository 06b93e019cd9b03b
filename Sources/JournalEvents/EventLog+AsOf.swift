package import EventLog
// A zone is found by its name only where all of Foundation is there.
package import Foundation
package import HealthModel

extension EventLog {
    /// The position that stands for a moment: the last event recorded up to it; the head for none.
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

    /// The zone in which a date of `asOf` ends.
    package var zone: TimeZone { TimeZone(identifier: description.zone) ?? .gmt }
}
