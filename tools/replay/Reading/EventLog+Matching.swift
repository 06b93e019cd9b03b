import EventLog
import HealthModel
import JournalEvents

/// The content of an event, as far as it could be read.
enum Content {
    case read(RecordedEvent)
    /// There is no master key.
    case sealed
    /// The subject's key was destroyed by an erasure.
    case erased
    /// The event was altered, or a newer program wrote it; contains the reason.
    case unreadable(String)
}

extension EventLog {
    /// Returns the content of an event, as far as it can be read.
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

    /// Calls `body` with each event whose header satisfies `isWanted`, in order, until it returns false.
    ///
    /// The events of a page are copied first, so that no snapshot is held while `body` runs, for example while it waits
    /// for a slow terminal.
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
