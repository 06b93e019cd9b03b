internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// The import of a document into a record.
package struct RecordImport: Hashable, Sendable {
    /// The position of the event that ended it, or of the one that began it if it is not complete.
    package var position: UInt64
    package var recordedAt: Instant
    /// The name of the document's format, such as `fhir`.
    package var format: String
    /// The numbers of entries.
    package var added: Int
    package var corrected: Int
    package var retracted: Int
    /// Whether it ended; one of several appends may have been interrupted, or still run.
    package var isComplete = true
    /// The position of the event that states that it was undone; nil if it was not.
    package var undone: UInt64?
}

/// What undoing an import did.
package struct UndoneImport: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var id: UUID
        package var kind: Kind
    }

    /// The numbers of entries.
    package var retracted = 0
    package var restored = 0
    package var corrected = 0
    package var isProfileRestored = false
    /// The entries that stay as they are, because they were changed after the import.
    package var kept: [Entry] = []
    /// The last position of the undoing; nil if it changed nothing.
    package var position: UInt64?
}

extension Journal.Imports {
    /// Returns the imports into a record, the latest first.
    package func list(into record: UUID, _ caller: Caller) async throws(JournalError) -> [RecordImport] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .audit(.history), on: record)
            let imports = try recordedImports(into: record)
                .map { recorded in
                    var item = recorded.import
                    guard !item.isComplete else { return item }
                    let added = try events(of: recorded, into: record).filter(\.addsEntry)
                    item.added = Set(added.map(\.header.entry)).count
                    if try !isUndone(recorded, in: record) { item.undone = nil }
                    return item
                }
            try await journal.access.trace(caller, admission, Shown(sections: admission.sections, entryCount: 0))
            return imports
        }
    }

    /// Undoes an import into a record as a whole, in one append: by default, the latest one that is not undone.
    ///
    /// `position` is the one that ``list(into:_:)`` states. Entries that the import added are retracted, and those that it
    /// corrected or retracted are what they were before. Changes that were made since the import stay, and are listed.
    /// A record that the import created stays, without its entries.
    package func undoImport(
        into record: UUID,
        at position: UInt64? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> UndoneImport {
        var undone = UndoneImport()
        let result = try await journal.once(caller) {
            undone = UndoneImport()
            if let replica = journal.replica { throw replica.onlineOnly("imports are undone at the service") }
            _ = try await journal.access.admit(caller, to: .manage, on: record)
            let version = try journal.log.version(of: record)
            let head = try journal.log.head()
            let recorded = try recordedImport(into: record, at: position)
            let events = try events(of: recorded, into: record)
            let end = max(events.last?.position ?? 0, recorded.import.position)
            var caller = caller
            if caller.reason.isEmpty { caller.reason = "undoes the import at position \(recorded.import.position)" }
            var change = try Change(journal, caller)
            var undos = ImportUndos(journal, of: record)
            var seen: Set<UUID> = []
            for event in events where EventType(rawValue: event.header.type)?.entryEffect != nil {
                guard seen.insert(event.header.entry).inserted else { continue }
                try undo(event.header.entry, of: recorded, through: end, &undos, in: &change, &undone)
            }
            if let before = try journal.contents(for: .importing).record(record, asOf: recorded.start - 1),
                let then = try journal.contents(for: .importing).record(record, asOf: end),
                let now = try journal.contents(for: .importing).record(record, asOf: head),
                then.profile == now.profile, then.profile != before.profile
            {
                try change.add(decide(.change(before.profile), now, now: journal.now), in: .own(record))
                try journal.claim(before.profile, instead: now.profile, of: record, &change)
                undone.isProfileRestored = true
            }
            // An import whose entries were all changed since, or retracted one by one, counts as undone as well.
            if try !change.isEmpty || !isUndone(recorded, in: record) {
                let mark = ImportUndone(position: recorded.import.position)
                try change.add(.importUndone(mark), in: .own(record))
            }
            change.expect(record, .exact(version))
            return try await change.commit(answering: .existing(at: head, record: record))
        }
        if result.isChanged { undone.position = result.position }
        if result.isChanged { await journal.entriesChanged(in: [record], by: caller) }
        return undone
    }

    /// Returns the import at a position, or the latest one that is not undone.
    private func recordedImport(into record: UUID, at position: UInt64?) throws -> RecordedImport {
        let imports = try recordedImports(into: record)
        if let position {
            if let found = imports.first(where: { $0.import.position == position }) { return found }
            throw JournalError(.notFound, "no import into the record ended at that position")
        }
        if let found = try imports.first(where: { try !isUndone($0, in: record) }) { return found }
        throw JournalError(
            .notFound,
            imports.isEmpty
                ? "nothing was imported into the record" : "all imports into the record are undone already"
        )
    }

    /// Returns the events of an import between its beginning and its end; if it is not complete, up to the present.
    private func events(of recorded: RecordedImport, into record: UUID) throws -> [StoredEvent] {
        try journal.medicalRecords.history(ofRecord: record, asOf: journal.log.head())
            .filter { $0 > recorded.start && (!recorded.import.isComplete || $0 < recorded.import.position) }
            .map { try journal.log.event(at: $0) }
            .filter(recorded.contains)
    }

    /// Adds the events that bring an entry back to what it was before an import, unless others changed it since.
    private func undo(
        _ entry: UUID,
        of recorded: RecordedImport,
        through end: UInt64,
        _ undos: inout ImportUndos,
        in change: inout Change,
        _ undone: inout UndoneImport
    ) throws {
        let version = try journal.log.version(of: entry)
        // An entry that was erased since has no content to bring back.
        guard let state = try journal.contents(for: .importing).entry(entry, asOf: journal.log.head()),
            let newest = try journal.log.newest(of: entry)
        else {
            return
        }
        let before = try journal.contents(for: .importing).entry(entry, asOf: recorded.start - 1)
        if let before, before.content == state.content, before.isRetracted == state.isRetracted { return }
        if before == nil, state.isRetracted { return }
        var isUnchanged = recorded.contains(newest)
        if !isUnchanged, try undos.contain(newest),
            let then = try journal.contents(for: .importing).entry(entry, asOf: end)
        {
            // A later import changed it, and was undone.
            isUnchanged = then.content == state.content && then.isRetracted == state.isRetracted
        }
        guard isUnchanged else { return undone.kept.append(.init(id: entry, kind: state.kind)) }
        _ = try journal.entries.revert(state, to: before, at: version, askedIn: state.record, in: &change)
        if !state.isRetracted, before?.isRetracted ?? true {
            undone.retracted += 1
        } else if before?.content == state.content {
            undone.restored += 1
        } else {
            undone.corrected += 1
        }
    }
}

extension StoredEvent {
    fileprivate var addsEntry: Bool {
        let effect = EventType(rawValue: header.type)?.entryEffect
        return effect == .adds || effect == .restores
    }
}
