import EventLog
import HealthModel
import JournalEvents

/// What could be read of an event.
enum Content {
    case read(RecordedEvent)
    /// There is no master key.
    case sealed
    /// The subject's key was destroyed on purpose.
    case erased
    /// It is not what was written, or a newer program wrote it. Says why.
    case unreadable(String)
}

extension EventLog {
    /// What an event says, as far as it can be read.
    func content(of event: StoredEvent) -> Content {
        guard keys.hasMasterKey else { return .sealed }
        do {
            return .read(try recorded(event))
        } catch let error as EventLogError where error.code == .subjectErased {
            return .erased
        } catch {
            return .unreadable(Failure(error).message)
        }
    }

    /// Calls `body` with each event whose header is wanted, in order, until it answers false.
    ///
    /// The events of a page are copied out first: what `body` does, as waiting for a slow terminal, holds no snapshot.
    func forEachEvent(
        after start: UInt64 = 0,
        through end: UInt64,
        where isWanted: (Frame) -> Bool,
        _ body: (StoredEvent) throws -> Bool
    ) throws {
        var done = start
        while done < end {
            let last = min(end, done + EventLog.pageLength)
            var page: [StoredEvent] = []
            try forEachFrame(after: done, through: last) { frame in
                if isWanted(frame) { page.append(frame.copy) }
                return true
            }
            for event in page {
                guard try body(event) else { return }
            }
            done = last
        }
    }
}
