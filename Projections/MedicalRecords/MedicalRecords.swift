package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// The current state and every past state of each record, as a temporal index of event positions.
///
/// No row contains health data: each row only names the positions of the defining events. Reading an entry as of
/// position p is one seek to its newest row at or before p. The current state is the state as of the log's head.
package struct MedicalRecords: Projection {
    package static let name = "MedicalRecords"
    package static let version: UInt64 = 7
    package static let tables = [
        "records", "profiles", "closings", "changes", "entries", "versions", "holds", "erasures", "owners",
        "divergences", "erasedEntries",
    ]

    enum Rows {
        /// Position of the record's creation → record.
        static let records = 0
        /// Record, position of an event that set its profile → position of the record's creation.
        static let profiles = 1
        /// Record, position of an event that closed or reopened it → no meaning (one byte).
        static let closings = 2
        /// Record, position → entry: every change of the record or of one of its entries.
        static let changes = 3
        /// Record, kind, position of the addition → entry.
        static let entries = 4
        /// Entry, position → ``EntryVersion``.
        static let versions = 5
        /// Record, position of an event that set a retention hold on it → no meaning (one byte).
        static let holds = 6
        /// Record → position of the event that erased it; an erased record has no other row.
        static let erasures = 7
        /// Record, position of an event that changed its owners → no meaning (one byte).
        static let owners = 8
        /// Record, position of an event that kept another version of an entry, or decided between two → entry.
        static let divergences = 9
        /// Entry → ``ErasedEntryRow``; an erased entry has no other row, except that of its erasure in `changes`.
        static let erasedEntries = 10
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        guard let category = EventType(rawValue: type)?.category else { return false }
        return category == .record || category == .entry
    }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        guard let type = EventType(rawValue: frame.type) else { return }
        if type == RecordErased.type { return try erase(frame.entry, at: frame.position, tables, transaction) }
        let record = Key(frame.subject)
        // Events of a record after its erasure are ignored.
        guard try transaction.reading.get(record, in: tables[Rows.erasures]) == nil else { return }
        let at = record.appending(frame.position)
        try transaction.put(at, Key(frame.entry), in: tables[Rows.changes])
        switch type.entryEffect {
        case .adds:
            try transaction.put(
                record.appending(frame.kind).appending(frame.position),
                Key(frame.entry),
                in: tables[Rows.entries]
            )
            return try putVersion(EntryVersion(adding: frame), frame, tables, transaction)
        case .erases?:
            return try eraseEntry(frame, tables, transaction)
        case .replaces?, .retracts?, .restores?, .annotates?:
            if type.entryEffect == .annotates {
                try transaction.put(at, Key(frame.entry), in: tables[Rows.divergences])
            }
            let before = try TemporalIndex.newest(
                Key(frame.entry),
                asOf: frame.position,
                in: tables[Rows.versions],
                transaction.reading
            ) { _, value in EntryVersion(value) }
            guard let before, let effect = type.entryEffect, let version = before?.after(effect, frame) else { return }
            return try putVersion(version, frame, tables, transaction)
        case nil:
            break
        }
        switch type {
        case RecordCreated.type:
            try transaction.put(Key(frame.position), Key(frame.subject), in: tables[Rows.records])
            try putProfile(created: frame.position, at, tables, transaction)
        case RecordChanged.type:
            let created = try TemporalIndex.newest(
                record,
                asOf: frame.position,
                in: tables[Rows.profiles],
                transaction.reading
            ) { _, value in try value.position(at: 0) }
            guard let created else { return }
            try putProfile(created: created, at, tables, transaction)
        case RecordClosed.type, RecordReopened.type:
            try transaction.put(at, [UInt8]([0]).raw, in: tables[Rows.closings])
        case RecordHeld.type:
            try transaction.put(at, [UInt8]([0]).raw, in: tables[Rows.holds])
        case RecordOwnerAdded.type, RecordOwnerRemoved.type, RecordTransferred.type:
            try transaction.put(at, [UInt8]([0]).raw, in: tables[Rows.owners])
        default:
            break
        }
    }

    /// Deletes all rows of a record except the position of its erasure, including which entries it had and when.
    private func erase(
        _ id: UUID,
        at position: UInt64,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let record = Key(id)
        var created: UInt64?
        try transaction.deleteAll(startingWith: record, in: tables[Rows.profiles]) { _, value in
            created = try value.position(at: 0)
        }
        if let created { try transaction.delete(Key(created), in: tables[Rows.records]) }
        var entries: [UUID] = []
        var erasedEntries: Set<UUID> = []
        try transaction.deleteAll(startingWith: record, in: tables[Rows.entries]) { _, value in
            entries.append(try value.id(at: 0))
        }
        try transaction.deleteAll(startingWith: record, in: tables[Rows.changes]) { _, value in
            let entry = try value.id(at: 0)
            if entry != id { erasedEntries.insert(entry) }
        }
        for entry in entries { try transaction.deleteAll(startingWith: Key(entry), in: tables[Rows.versions]) }
        for entry in erasedEntries { try transaction.delete(Key(entry), in: tables[Rows.erasedEntries]) }
        for rows in [Rows.closings, Rows.holds, Rows.owners, Rows.divergences] {
            try transaction.deleteAll(startingWith: record, in: tables[rows])
        }
        var value = Key()
        value.append(littleEndian: position)
        try transaction.put(record, value, in: tables[Rows.erasures])
    }

    /// Deletes the rows of an entry, in every past state as well, except that of its erasure.
    private func eraseEntry(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let (record, entry) = (Key(frame.subject), Key(frame.entry))
        var events: [UInt64] = []
        var added: UInt64?
        try transaction.deleteAll(startingWith: entry, in: tables[Rows.versions]) { key, value in
            events.append(key.bigEndian(at: 16))
            added = EntryVersion(value)?.added ?? added
        }
        if let added {
            try transaction.delete(record.appending(frame.kind).appending(added), in: tables[Rows.entries])
        }
        for event in events {
            try transaction.delete(record.appending(event), in: tables[Rows.changes])
            try transaction.delete(record.appending(event), in: tables[Rows.divergences])
        }
        let row = ErasedEntryRow(record: frame.subject, kind: frame.kind, position: frame.position)
        try transaction.put(entry, row.bytes, in: tables[Rows.erasedEntries])
    }

    private func putProfile(
        created: UInt64,
        _ key: Key,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        var value = Key()
        value.append(littleEndian: created)
        try transaction.put(key, value, in: tables[Rows.profiles])
    }

    private func putVersion(
        _ version: EntryVersion,
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        try transaction.put(Key(frame.entry).appending(frame.position), version.row, in: tables[Rows.versions])
    }
}
