package import FoundationEssentials
internal import LMDB
internal import Platform

/// Erasure of a single entry of a record: its key is destroyed, and the keys of the other entries stay.
extension EventLog {
    /// The type of the event that records the erasure of an entry; its header names the record and the entry.
    package static let entryErasedType: UInt16 = 37

    /// Returns the subject whose key the event of an erasure destroys, or nil for any other event.
    static func erasure(by header: EventHeader) -> UUID? {
        erasure(header.type, of: header.entry, in: header.subject)
    }

    static func erasure(by frame: borrowing Frame) -> UUID? {
        erasure(frame.type, of: frame.entry, in: frame.subject)
    }

    private static func erasure(_ type: UInt16, of entry: UUID, in subject: UUID) -> UUID? {
        switch type {
        case erasedType: entry
        case entryErasedType: EntryKeys.slot(of: entry, in: subject)
        default: nil
        }
    }

    /// Erases one entry; see `erase(_:events:expecting:)`.
    package func erase(
        entry: UUID,
        of record: UUID,
        events: [NewEvent],
        expecting expectations: [Expectation] = []
    ) async throws(EventLogError) -> AppendResult {
        let erased = ErasedEntry(record: record, entry: entry, kind: 0)
        return try await erase([erased], events: events, expecting: expectations)
    }

    /// Erases entries: appends the events that record it, and destroys the keys of the entries.
    ///
    /// Either all of them are erased or none. Only events that are sealed under the entry's own key become unreadable: `isSealedByEntry` of each must be true.
    /// Before the first erasure among the entries of a root, the whole log is searched for the record's entries.
    /// The guarantees are those of `erase(_:events:expecting:)`. Attachments are not removed.
    package func erase(
        _ entries: [ErasedEntry],
        events: [NewEvent],
        expecting expectations: [Expectation] = []
    ) async throws(EventLogError) -> AppendResult {
        if let rollback { throw rollback.error }
        try await BlockingWork.run { () throws(EventLogError) in
            for erased in entries { try self.separate(erased.entry, of: erased.record) }
        }
        let slots = entries.map { EntryKeys.slot(of: $0.entry, in: $0.record) }
        return try await destroy(Set(slots), events: events, expecting: expectations)
    }

    /// Reports whether an entry is erased or about to be erased.
    package func isErased(entry: UUID, of record: UUID) throws(EventLogError) -> Bool {
        try keys.erased().contains(EntryKeys.slot(of: entry, in: record))
    }

    /// Makes sure that the key of an entry can be destroyed without those of the record's other entries.
    func separate(_ entry: UUID, of record: UUID) throws(EventLogError) {
        guard !isReadOnly else { throw EventLogError(.readOnly, "the log was opened read-only") }
        guard try !keys.isSeparate(entry, of: record) else { return }
        do {
            // Most of the log is searched without its write lock.
            let head = try head()
            var entries: Set<UUID> = []
            try forEachFrame(through: head) { frame in
                EventLog.note(frame, of: record, in: &entries)
                return true
            }
            try environment.withWriteLock { transaction in
                try tables.frames(after: head, through: tables.head(transaction), transaction) { frame in
                    EventLog.note(frame, of: record, in: &entries)
                    return true
                }
                try keys.separate(entries, of: record)
            }
        } catch {
            throw EventLogError(error, "the entry's key cannot be separated from the others")
        }
    }

    /// Runs `body`, which must not append, while neither this process nor another appends anything.
    package func withoutAppends<Result>(_ body: () throws -> Result) throws(EventLogError) -> Result {
        do {
            return try environment.withWriteLock { _ in try body() }
        } catch {
            throw EventLogError(error, "the log cannot be locked")
        }
    }

    /// Adds the entry of a frame to `entries` if it is one of the record.
    private static func note(_ frame: Frame, of record: UUID, in entries: inout Set<UUID>) {
        if frame.category == entryCategory, frame.subject == record { entries.insert(frame.entry) }
    }

    /// Destroys the keys of entries of a log that is not in use, or of a mirror, without an event.
    func destroy(_ entries: some Sequence<ErasedEntry>) throws(EventLogError) {
        for entry in entries where try !isErased(entry.record) {
            // Without a root, the log has no event that is sealed under the entry's key.
            guard try keys.hasEntryKeys(of: entry.record) else { continue }
            try separate(entry.entry, of: entry.record)
            try keys.destroy([EntryKeys.slot(of: entry.entry, in: entry.record)])
        }
    }

    /// Destroys the keys of those entries of a restored log that were erased after its backup was made.
    ///
    /// `erased` contains the ids of slots of the key file, and also erased subjects, which are ignored. The log may lack the
    /// events of `entries`: it must not accept them again. Returns the entries whose erasure the log does not record.
    func eraseRestored(_ erased: Set<UUID>, _ entries: Set<ErasedEntry>) throws(EventLogError) -> [ErasedEntry] {
        var found: [UUID: ErasedEntry] = [:]
        for entry in entries { found[EntryKeys.slot(of: entry.entry, in: entry.record)] = entry }
        let erased = erased.filter(EntryKeys.isSlot).union(found.keys)
        guard !erased.isEmpty else { return [] }
        var stored: Set<UUID> = []
        var recorded: Set<UUID> = []
        do {
            try forEachFrame(through: head()) { frame in
                if let subject = EventLog.erasure(by: frame) { recorded.insert(subject) }
                guard frame.isSealedByEntry else { return true }
                let slot = EntryKeys.slot(of: frame.entry, in: frame.subject)
                guard erased.contains(slot), stored.insert(slot).inserted else { return true }
                found[slot] = ErasedEntry(record: frame.subject, entry: frame.entry, kind: frame.kind)
                return true
            }
        } catch {
            throw EventLogError(error, "the log cannot be read")
        }
        try destroy(found.values)
        return found.filter { stored.contains($0.key) && !recorded.contains($0.key) }.map(\.value)
            .sorted { $0.entry.uuidString < $1.entry.uuidString }
    }
}

/// An erased entry, with its record and the code of its kind.
package struct ErasedEntry: Hashable, Sendable {
    package let record: UUID
    package let entry: UUID
    package let kind: UInt16

    package init(record: UUID, entry: UUID, kind: UInt16) {
        (self.record, self.entry, self.kind) = (record, entry, kind)
    }

    /// The entry that an event erases; nil for any other event.
    package init?(erasedBy header: EventHeader) {
        guard header.type == EventLog.entryErasedType else { return nil }
        self.init(record: header.subject, entry: header.entry, kind: header.kind)
    }
}
