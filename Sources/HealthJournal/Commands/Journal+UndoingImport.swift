internal import EventLog
package import FoundationEssentials
package import HealthModel
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

extension Journal {
    /// Returns the imports into a record, the latest first.
    package func imports(into record: UUID, _ caller: Caller) async throws(JournalError) -> [RecordImport] {
        try await retrying {
            let admission = try await admit(caller, to: .audit(.history), on: record)
            let imports = try statedImports(into: record)
                .map { stated in
                    var item = stated.import
                    if !item.isComplete { item.added = try events(of: stated, into: record).count(where: \.addsEntry) }
                    return item
                }
            try await trace(caller, admission, Shown(sections: admission.sections, entryCount: 0))
            return imports
        }
    }

    /// Undoes an import into a record as a whole, in one append: by default, the latest one that is not undone.
    ///
    /// `position` is that of the import's end. Entries that it added are retracted, and those that it corrected or retracted
    /// are what they were before. What was changed since the import stays, and is listed. A record that the import created
    /// stays, without its entries.
    package func undoImport(
        into record: UUID,
        at position: UInt64? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> UndoneImport {
        var undone = UndoneImport()
        let result = try await once(caller) {
            undone = UndoneImport()
            if let replica { throw replica.onlineOnly("imports are undone at the service") }
            _ = try await admit(caller, to: .manage, on: record)
            let version = try log.version(of: record)
            let head = try log.head()
            let stated = try statedImport(into: record, at: position)
            let events = try events(of: stated, into: record)
            let end = events.last.map { max($0.position, stated.import.position) } ?? stated.import.position
            var caller = caller
            if caller.reason.isEmpty { caller.reason = "undoes the import at position \(stated.import.position)" }
            var change = try Change(self, caller)
            var seen: Set<UUID> = []
            for event in events where EventType(rawValue: event.header.type)?.entryEffect != nil {
                guard seen.insert(event.header.entry).inserted else { continue }
                try undo(event.header.entry, since: stated.start, through: end, in: &change, &undone)
            }
            if let before = try records.record(record, asOf: stated.start - 1),
                let then = try records.record(record, asOf: end), let now = try records.record(record, asOf: head),
                then.profile == now.profile, then.profile != before.profile
            {
                for event in try decide(.change(before.profile), now, now: self.now) {
                    try change.add(event, stream: record, subject: record)
                }
                try claim(before.profile, instead: now.profile, of: record, &change)
                undone.isProfileRestored = true
            }
            if !change.isEmpty {
                let mark = ImportUndone(position: stated.import.position)
                try change.add(.importUndone(mark), stream: record, subject: record)
            }
            change.expect(record, .exact(version))
            let appended = change.isEmpty ? nil : try await change.commit()
            undone.position = appended?.last
            return WriteResult(position: appended?.last ?? head, record: record, isChanged: appended != nil)
        }
        if result.isChanged { await checkAfterChanges(in: [record], caller) }
        return undone
    }

    /// Returns the import that ended at a position, or the latest one that is not undone.
    private func statedImport(into record: UUID, at position: UInt64?) throws -> StatedImport {
        let imports = try statedImports(into: record)
        if let position {
            if let found = imports.first(where: { $0.import.position == position }) { return found }
            throw JournalError(.notFound, "no import into the record ended at that position")
        }
        if let found = imports.first(where: { $0.import.undone == nil }) { return found }
        throw JournalError(
            .notFound,
            imports.isEmpty
                ? "nothing was imported into the record" : "all imports into the record are undone already"
        )
    }

    /// Returns the events of an import between its beginning and its end; if it is not complete, up to the present.
    private func events(of stated: StatedImport, into record: UUID) throws -> [StoredEvent] {
        let end = stated.import.isComplete ? stated.import.position : .max
        return try records.history(ofRecord: record, asOf: log.head())
            .filter { stated.start < $0 && $0 < end }
            .map { try log.event(at: $0) }
            .filter { ImportRun($0.header) == stated.run && $0.header.source == EventSource.import.rawValue }
    }

    private func undo(
        _ entry: UUID,
        since start: UInt64,
        through end: UInt64,
        in change: inout Change,
        _ undone: inout UndoneImport
    ) throws {
        let version = try log.version(of: entry)
        // An entry that was erased since has no content to bring back.
        guard let state = try records.entry(entry, asOf: log.head()) else { return }
        let before = try records.entry(entry, asOf: start - 1)
        guard let before else {
            if state.isRetracted { return }
            guard state.latest.position <= end else { return undone.kept.append(.init(id: entry, kind: state.kind)) }
            _ = try revert(state, to: nil, at: version, askedIn: state.record, in: &change)
            undone.retracted += 1
            return
        }
        if before.content == state.content, before.isRetracted == state.isRetracted { return }
        guard state.latest.position <= end else { return undone.kept.append(.init(id: entry, kind: state.kind)) }
        _ = try revert(state, to: before, at: version, askedIn: state.record, in: &change)
        if before.isRetracted, !state.isRetracted {
            undone.retracted += 1
        } else if before.content == state.content {
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
