import EventLog
import Foundation
import HealthModel
import JournalEvents

/// A journal's log, opened for reading.
struct OpenJournal {
    let log: EventLog
    let mapSize: Int
    /// Why the master key is missing; nil if it was found.
    let keyProblem: String?
    /// The time zone in which tables show times; JSON and CSV have UTC.
    let shownZone: TimeZone

    /// Reports on the standard error what an answer lacks without the master key.
    func sayWhatIsSealed(_ what: String) {
        if let keyProblem { Messages.say("\(keyProblem). Without it \(what)") }
    }

    /// Throws unless payloads can be decrypted.
    func requireKey(to purpose: String) throws {
        if let keyProblem { throw Failure(.failed, "\(keyProblem). Without it nobody can \(purpose)") }
    }
}

extension OpenJournal {
    /// Parses a moment that the user typed.
    static func moment(_ text: String) throws -> AsOf {
        do {
            return try AsOf(typed: text)
        } catch {
            throw Failure(.usage, "\(error.message)")
        }
    }

    /// Returns the last position recorded by a moment; 0 if nothing was recorded yet.
    func position(_ moment: AsOf) throws -> UInt64 {
        try log.position(asOf: moment.throughItsSecond)
    }

    /// Returns the position before the first event at or after the beginning of a moment.
    func positionBefore(_ moment: AsOf) throws -> UInt64 {
        if case .position(let position) = moment { return position - min(position, 1) }
        return try log.position(asOf: moment.timeBefore(in: log.zone).map(AsOf.instant))
    }

    /// Returns when an event was recorded, and by whom.
    func stamp(at position: UInt64) throws -> Stamp {
        try log.event(at: position).stamp
    }
}

extension Day {
    /// Creates the day of an instant in a time zone.
    init(of instant: Instant, in zone: TimeZone) {
        let date = Date(timeIntervalSince1970: TimeInterval(instant.microseconds / Instant.microsecondsPerSecond))
        let offset = Int64(zone.secondsFromGMT(for: date)) * Instant.microsecondsPerSecond
        self.init(of: Instant(microseconds: instant.microseconds + offset))
    }
}
