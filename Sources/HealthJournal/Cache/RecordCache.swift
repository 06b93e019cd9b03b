internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import LMDB

/// What was worked out of records lately, in memory, caught up with the log at each use.
///
/// Nothing in it can be out of date: whatever any process appends is looked at before anything is taken out, and lets go
/// of what it may have changed. A look at a record changes nothing of it. Of an erased record nothing is kept.
final class RecordCache: Sendable {
    /// What all that is kept may take: it holds what people wrote, and grows with what is asked for.
    static let maximumBytes = 64 << 20
    /// Further back, what was worked out is not compared with the log any more, and not kept.
    private static let longestWork: UInt64 = 4_096

    fileprivate struct State {
        /// Nil until the first use.
        var position: UInt64?
        var records = AgingStore<UUID, KnownRecord>(maximumBytes: RecordCache.maximumBytes)
    }

    private let state = Guarded(State())

    /// Lets go of what the log has made untrue; answers the log's head.
    @discardableResult
    func catchUp(with log: EventLog) throws -> UInt64 {
        try state.withLock { try $0.catchUp(with: log) }
    }

    /// What is known of a record as of the log's head, and where that is.
    func known(_ record: UUID, _ log: EventLog) throws -> (position: UInt64, record: KnownRecord?) {
        try state.withLock { state in
            let head = try state.catchUp(with: log)
            return (head, state.records.value(of: record))
        }
    }

    /// What was rendered in answer to a question, and up to where nothing has happened to it.
    ///
    /// For whoever the gate has let in just now: it has caught up then.
    func answer(to question: Question, of record: UUID) -> (position: UInt64, rendered: RenderedAnswer)? {
        state.withLock { state in
            guard let position = state.position, let kept = state.records.value(of: record)?.answers[question] else {
                return nil
            }
            return (position, kept)
        }
    }

    /// Keeps what was worked out of a record as of a position, unless something has happened to the record since.
    func keep(
        _ record: UUID,
        asOf position: UInt64,
        _ log: EventLog,
        _ change: (inout KnownRecord?) -> Void
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

    /// Of how many records anything is kept.
    var count: Int { state.withLock { $0.records.count } }

    /// Lets go of a record.
    func forget(_ record: UUID) {
        state.withLock { $0.records.remove(record) }
    }
}

extension RecordCache.State {
    fileprivate mutating func catchUp(with log: EventLog) throws -> UInt64 {
        let head = try log.head()
        // Where nothing is kept, there is nothing to let go of.
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

/// How far an event changes what is known of its record.
private enum Effect {
    case none
    case onEntries
    case onAll
}

extension Frame {
    fileprivate var effect: Effect {
        switch EventType(rawValue: type) {
        case .recordRead, .accessDenied: .none
        case .entryAdded, .entryCorrected, .entryRetracted, .entryRestored: .onEntries
        // An event of a newer program among them: what it changes is not known here.
        default: .onAll
        }
    }
}
