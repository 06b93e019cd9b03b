import EventLog
import Foundation
import HealthModel
import JournalEvents

/// A record and its grants, folded from the log one event at a time.
struct RecordFold {
    private(set) var state: RecordState?
    private(set) var grants = GrantsState()
    /// When the findings about interactions were settled.
    private(set) var settlements: [UUID: FindingFold] = [:]
    /// The entries for which another version was kept, in the order of the first one.
    private(set) var diverged: [UUID] = []

    /// Whether an event changes a record or its grants, as opposed to a read of the record.
    static func matters(_ category: UInt16, _ type: UInt16) -> Bool {
        switch EventCategory(rawValue: category) {
        case .record, .entry, .grant: true
        // Opening the emergency view gives its caller access.
        case .access: [EmergencyOpened.type, NoticeAcknowledged.type].contains { $0.rawValue == type }
        default: false
        }
    }

    mutating func take(_ event: RecordedEvent) {
        evolve(&state, event)
        evolve(&grants, event)
        if let entry = event.entry, let content = event.event.content, content.kind == Interaction.kind {
            settlements[entry, default: FindingFold()].take(content, at: event.stamp.position)
        }
        if event.type == EntryDiverged.type, let entry = event.entry, !diverged.contains(entry) {
            diverged.append(entry)
        }
    }
}

/// The contents of a finding in their order: whether each is settled, and its position.
struct FindingFold {
    private var contents: [(position: UInt64, isSettled: Bool)] = []

    mutating func take(_ content: EntryContent, at position: UInt64) {
        contents.append((position, content.body.flag(Interaction.resolved) == true))
    }

    /// The position from which on it is settled; nil if it is open.
    var resolved: UInt64? { contents.last?.isSettled == true ? lastResolved : nil }

    /// The first of the last consecutive contents that are settled.
    var lastResolved: UInt64? {
        guard let last = contents.lastIndex(where: \.isSettled) else { return nil }
        let before = contents[..<last].lastIndex { !$0.isSettled }
        return contents[before.map { $0 + 1 } ?? 0].position
    }
}

extension OpenJournal {
    /// Calls `body` with each change of one record, in order, except those of erased entries.
    ///
    /// Throws if the record was erased.
    func forEachChange(
        of record: UUID,
        through end: UInt64,
        _ body: (RecordedEvent) throws -> Void
    ) throws {
        try requireKey(to: "read a record")
        try requireUnerased(record)
        let progress = ReplayProgress("folding")
        try log.forEachEvent(
            through: end,
            where: { $0.subject == record && RecordFold.matters($0.category, $0.type) },
            { event in
                do {
                    try body(log.recorded(event))
                } catch let error as EventLogError where error.code == .subjectErased {
                    if try log.isErased(entry: event.header.entry, of: record) { return true }
                    // The key was destroyed while the record was being read, or before a restore.
                    throw Failure(.notFound, "record \(record.text): erased")
                }
                progress.report(event.position, of: end)
                return true
            }
        )
    }

    /// Folds the events of a record up to a position.
    func fold(_ record: UUID, through end: UInt64) throws -> RecordFold {
        var fold = RecordFold()
        try forEachChange(of: record, through: end) { fold.take($0) }
        return fold
    }
}
