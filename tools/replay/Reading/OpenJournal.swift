import EventLog
import Foundation
import HealthModel
import JournalEvents

/// A journal's log, open to be read.
struct OpenJournal {
    let log: EventLog
    let mapSize: Int
    /// Why there is no master key, if there is none.
    let keyProblem: String?

    /// Says on stderr what is missing from an answer for want of the master key.
    func sayWhatIsSealed(_ what: String) {
        if let keyProblem { Messages.say("\(keyProblem). Without it \(what)") }
    }

    /// Throws unless payloads can be opened.
    func requireKey(to purpose: String) throws {
        if let keyProblem { throw Failure(.failed, "\(keyProblem). Without it nobody can \(purpose)") }
    }
}

extension OpenJournal {
    /// A moment as a person writes it.
    static func moment(_ text: String) throws -> AsOf {
        do {
            return try AsOf(parsing: text)
        } catch {
            throw Failure(.usage, "\(error.message)")
        }
    }

    /// The position that stands for a moment; 0 where there was nothing yet.
    func position(_ moment: AsOf) throws -> UInt64 {
        try log.position(asOf: moment)
    }

    /// The position just before the first event that a moment's beginning lets in.
    func positionBefore(_ moment: AsOf) throws -> UInt64 {
        switch moment {
        case .position(let position):
            return position == 0 ? 0 : position - 1
        case .instant(let instant):
            return try log.position(recordedUpTo: instant.microseconds - 1)
        case .day(let day):
            let before = Day(daysSince1970: day.daysSince1970 - 1).lastInstant(in: log.zone)
            return try log.position(recordedUpTo: before.microseconds)
        }
    }

    /// When the log took an event, and by whom.
    func stamp(at position: UInt64) throws -> Stamp {
        try log.event(at: position).stamp
    }
}

extension Day {
    /// The day by the clocks of a zone.
    init(of instant: Instant, in zone: TimeZone) {
        let date = Date(timeIntervalSince1970: TimeInterval(instant.microseconds / Instant.microsecondsPerSecond))
        let offset = Int64(zone.secondsFromGMT(for: date)) * Instant.microsecondsPerSecond
        self.init(of: Instant(microseconds: instant.microseconds + offset))
    }
}
