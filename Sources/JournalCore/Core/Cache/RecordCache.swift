package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import Platform

/// An in-memory cache of recently read records, brought up to date with the log at each use.
///
/// It is never stale: before a use, it examines the events that any process has appended, and invalidates the entries
/// that they may affect. Reads of a record invalidate nothing. Nothing is cached of an erased record.
package final class RecordCache: Sendable {
    /// The maximum size of the cache, in bytes.
    ///
    /// Its size depends on the users' entries and on the requests, so it must be bounded.
    static let maximumBytes = 64 << 20
    /// State that lags the head by more events is neither checked against the log nor cached.
    private static let longestWork: UInt64 = 4_096

    fileprivate struct State {
        /// Nil until the first use.
        var position: UInt64?
        var records = AgingStore<UUID, CachedRecord>(maximumBytes: RecordCache.maximumBytes)
    }

    private let state = Guarded(State())

    /// Invalidates the cached records that new events affect; returns the log's head.
    @discardableResult
    package func catchUp(with log: EventLog) throws -> UInt64 {
        try state.withLock { try $0.catchUp(with: log) }
    }

    /// Returns the cached state of a record as of the log's head, and that position.
    func known(_ record: UUID, _ log: EventLog) throws -> (position: UInt64, record: CachedRecord?) {
        try state.withLock { state in
            let head = try state.catchUp(with: log)
            return (head, state.records.value(of: record))
        }
    }

    /// Returns the cached answer to a question, and the position up to which it is valid.
    ///
    /// Only for a caller whom the gate has just authorized: that brought the cache up to date.
    func answer(to question: QueryKey, of record: UUID) -> (position: UInt64, rendered: RenderedAnswer)? {
        state.withLock { state in
            guard let position = state.position, let kept = state.records.value(of: record)?.answers[question] else {
                return nil
            }
            return (position, kept)
        }
    }

    /// Caches state of a record as of a position, unless the record has changed since.
    func keep(
        _ record: UUID,
        asOf position: UInt64,
        _ log: EventLog,
        _ change: (inout CachedRecord?) -> Void
    ) throws {
        try state.withLock { state in
            let head = try state.catchUp(with: log)
            guard position <= head, head - position <= RecordCache.longestWork else { return }
            var isTrue = true
            try log.forEachFrame(after: position, through: head) { frame in
                isTrue = frame.record != record || frame.effect == .none
                return isTrue
            }
            if isTrue { state.records.update(record, change) }
        }
    }

    /// The number of cached records.
    var count: Int { state.withLock { $0.records.count } }

    /// Evicts a record.
    func forget(_ record: UUID) {
        state.withLock { $0.records.remove(record) }
    }
}

extension RecordCache.State {
    fileprivate mutating func catchUp(with log: EventLog) throws -> UInt64 {
        let head = try log.head()
        // An empty cache has nothing to invalidate.
        guard let done = position, records.count > 0 else {
            position = head
            return head
        }
        guard done < head else { return done }
        try log.forEachFrame(after: done, through: head) { frame in
            take(frame)
            return true
        }
        position = head
        return head
    }

    private mutating func take(_ frame: Frame) {
        let effect = frame.effect
        guard effect != .none, let record = frame.record else { return }
        if effect == .onEntries {
            let stamp = frame.stamp
            if records.contains(record) { records.update(record) { $0?.entryChanged(at: stamp) } }
        } else {
            records.remove(record)
        }
    }
}

/// How much of the cached state of its record an event changes.
private enum Effect {
    case none
    case onEntries
    case onAll
}

extension Frame {
    fileprivate var effect: Effect {
        switch EventType(rawValue: type) {
        case RecordRead.type, AccessDenied.type, AccessSummarised.type: .none
        case CalendarLinked.type, CalendarUnlinked.type, DoseSnoozed.type, ReminderSent.type: .none
        case let type? where type.entryEffect != nil: .onEntries
        // Appointments are no part of the record that is cached.
        case let type? where type.category == .appointment: .none
        // This includes event types of a newer program, whose effect is unknown here.
        default: .onAll
        }
    }
}
