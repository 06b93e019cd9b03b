import EventLog
import Foundation
import HealthModel
import JournalEvents
import ProjectionKit

/// The erasures that a check of the views takes into account.
///
/// Erased data is absent at past positions as well, so it is left out of the folds from the beginning.
struct KnownErasures {
    /// Erased records, with the position of the erasure.
    fileprivate(set) var records: [UUID: UInt64] = [:]
    /// The entries that were erased without their record.
    fileprivate(set) var entries: [UUID: UInt64] = [:]
    /// The position up to which the log was searched for erasures.
    fileprivate var through: UInt64 = 0
    /// The records that must be folded again without the erased data.
    fileprivate var toFold: Set<UUID> = []
    /// Erasures that were not recorded in time: they were interrupted.
    fileprivate var abandoned: Set<UUID> = []

    /// Returns what an event belongs to that was erased; nil if nothing was.
    func what(isErasedOf event: StoredEvent) -> String? {
        if let record = event.header.record, records[record] != nil { return "record" }
        return event.isSealedByEntry && entries[event.header.entry] != nil ? "entry" : nil
    }
}

/// Comparisons while records and entries are erased.
///
/// An erasure may remove data between the moments in which it is folded and read from a view. So a comparison that
/// finds a difference is repeated without the data erased since; a difference is reported if it is found twice with no
/// erasure between.
extension ViewCheck {
    /// The maximum number of times that one comparison is repeated because of erasures.
    private static let attempts = 200
    /// How long an erasure may take from the moment in which it disables its key until it is in the log.
    private static let longestErasure = Duration.seconds(5)

    /// Runs a comparison of the state at a position, and repeats it if it failed because of an erasure.
    mutating func settling(
        through position: UInt64,
        _ compare: (inout ViewCheck) throws -> Void
    ) throws {
        var isRepeated = false
        for attempt in 1... {
            let before = report
            var failure: EventLogError?
            do {
                try compare(&self)
                if report.mismatchCount == before.mismatchCount { return }
            } catch let error as ProjectionError {
                report.report(error.description, at: position)
            } catch let error as EventLogError where error.code == .subjectErased {
                failure = error
            }
            let hasNew = try takeErasures(through: position)
            if attempt == ViewCheck.attempts || isRepeated && !hasNew {
                if let failure { throw failure }
                return
            }
            isRepeated = !hasNew
            report = before
        }
    }

    /// Searches the log for erasures, from where the last search ended; returns whether there are any.
    @discardableResult
    mutating func readErasures() throws -> Bool {
        let end = try log.head()
        var found = false
        try log.forEachFrame(after: erasures.through, through: end) { frame in
            switch frame.type {
            case RecordErased.type.rawValue:
                erasures.records[frame.entry] = frame.position
                erasures.toFold.insert(frame.entry)
                found = true
            case EntryErased.type.rawValue:
                erasures.entries[frame.entry] = frame.position
                erasures.toFold.insert(frame.subject)
                found = true
            default: break
            }
            return true
        }
        erasures.through = max(erasures.through, end)
        return found
    }

    /// Folds the log without the data erased since the last call; returns whether anything was erased.
    ///
    /// Waits for erasures that have disabled a key and are not in the log yet.
    private mutating func takeErasures(through position: UInt64) throws -> Bool {
        let deadline = ContinuousClock.now + ViewCheck.longestErasure
        while true {
            // Read before the log, which contains the erasure as soon as it is no longer pending.
            let pending = try log.pendingErasures().subtracting(erasures.abandoned)
            if try readErasures() {
                try foldAgain(through: position)
                return true
            }
            guard !pending.isEmpty else { return false }
            guard ContinuousClock.now < deadline else {
                erasures.abandoned.formUnion(pending)
                return false
            }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    private mutating func foldAgain(through position: UInt64) throws {
        let stale = erasures.toFold
        erasures.toFold = []
        let gone = stale.filter { erasures.records[$0] != nil }
        for record in stale where folds[record] != nil { folds[record] = gone.contains(record) ? nil : RecordFold() }
        order.removeAll(where: gone.contains)
        if !gone.isEmpty { clinic = ClinicFold() }
        try log.forEachFrame(through: position) { frame in
            if !gone.isEmpty, ClinicFold.matters(frame.category) { try clinic.take(frame.copy, of: log) }
            guard let record = frame.record, stale.contains(record), !gone.contains(record), folds[record] != nil,
                RecordFold.matters(frame.category, frame.type), case let event = frame.copy,
                erasures.what(isErasedOf: event) == nil
            else { return true }
            do {
                folds[record]?.take(try log.recorded(event))
            } catch let error as EventLogError where error.code == .subjectErased {
                // Erased since: the comparison that follows finds that, and the record is folded again.
            }
            return true
        }
    }
}

extension ClinicFold {
    /// Applies an event, unless its record is erased: nothing shows the appointments of such a record, also at past
    /// positions.
    mutating func take(_ event: StoredEvent, of log: EventLog) throws {
        do {
            take(try log.recorded(event))
        } catch let error as EventLogError where error.code == .subjectErased {
            return
        }
    }
}
