package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// The findings and answers about interactions of each record, with whether they are settled, as known at any position.
///
/// No row contains health data: each row only names the positions of events.
package struct Interactions: Projection {
    package static let name = "Interactions"
    package static let version: UInt64 = 1
    package static let tables = ["findings", "latest"]

    enum Rows {
        /// Record, entry, position → the state of the entry from that position on.
        static let findings = 0
        /// Record, entry → the newest state, without a retraction.
        static let latest = 1
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        guard let type = EventType(rawValue: type) else { return false }
        return type.entryEffect != nil || type == RecordErased.type
    }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        if frame.type == RecordErased.type.rawValue {
            for table in [Rows.findings, Rows.latest] {
                try transaction.deleteAll(startingWith: Key(frame.entry), in: tables[table])
            }
            return
        }
        guard frame.kind == Interaction.kind.code, let effect = EventType(rawValue: frame.type)?.entryEffect else {
            return
        }
        let place = Key(frame.subject).appending(frame.entry)
        var latest: FindingRow?
        if let row = try transaction.reading.get(place, in: tables[Rows.latest]) { latest = try FindingRow(row) }
        var shown: FindingRow
        switch effect {
        case .adds, .replaces:
            guard let content = try content(of: frame, log) else { return }
            shown = FindingRow(content, at: frame.position, after: latest)
            try transaction.put(place, shown.bytes.raw, in: tables[Rows.latest])
        case .retracts:
            guard let latest else { return }
            shown = latest
            shown.content = 0
        case .restores:
            guard let latest else { return }
            shown = latest
        // Another version that is kept beside it does not change the shown one.
        case .annotates: return
        case .erases:
            try transaction.delete(place, in: tables[Rows.latest])
            return try transaction.deleteAll(startingWith: place, in: tables[Rows.findings])
        }
        try transaction.put(place.appending(frame.position), shown.bytes.raw, in: tables[Rows.findings])
    }

    /// Returns the content that an event sets; nil if the event cannot be read because it was erased.
    private func content(of frame: Frame, _ log: EventLog) throws -> EntryContent? {
        do {
            return try log.recorded(frame).event.content
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the caller waits or retries.
            guard try log.isPermanentlyErased(frame) else { throw error }
            return nil
        }
    }
}

/// The state of a finding: the positions of its content and of its settlement.
struct FindingRow: Hashable {
    /// The position of the event that holds the content; 0 while the entry is retracted.
    var content: UInt64
    /// The position of the event that settled it; 0 while it is open.
    var resolved: UInt64
    /// The position of the last event that settled it, even if it was opened again; 0 if there was none.
    var lastResolved: UInt64

    init(_ content: EntryContent, at position: UInt64, after latest: FindingRow?) {
        self.content = position
        if content.body.flag(Interaction.resolved) == true {
            // A correction of a settled finding does not settle it again.
            let before = latest?.resolved ?? 0
            resolved = before > 0 ? before : position
            lastResolved = resolved
        } else {
            resolved = 0
            lastResolved = latest?.lastResolved ?? 0
        }
    }

    init(_ bytes: RawSpan) throws {
        guard bytes.byteCount == 24 else { throw EventLogError.damagedRow }
        content = bytes.integer(at: 0)
        resolved = bytes.integer(at: 8)
        lastResolved = bytes.integer(at: 16)
    }

    /// The row of the view: 24 bytes, integers little-endian.
    var bytes: [UInt8] {
        var row: [UInt8] = []
        row.append(littleEndian: content)
        row.append(littleEndian: resolved)
        row.append(littleEndian: lastResolved)
        return row
    }
}
