internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// The import of a document into a record.
package struct RecordImport: Hashable, Sendable {
    /// The position of the event that ended it.
    package var position: UInt64
    package var recordedAt: Instant
    /// The name of the document's format, such as `fhir`.
    package var format: String
    /// The numbers of entries.
    package var added: Int
    package var corrected: Int
    package var retracted: Int
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

/// What the events that begin, end and undo imports state about one of them.
struct StatedImport {
    /// The events of an import share these.
    struct Run: Hashable {
        var correlation: UUID
        var actor: UUID
    }

    var run: Run
    /// How it began, and at which position.
    var begun: ImportBegun?
    var start: UInt64?
    /// How it ended; nil if it was interrupted.
    var ended: RecordImport?
}

extension Journal {
    /// Returns the imports into a record, the latest first.
    package func imports(into record: UUID, _ caller: Caller) async throws(JournalError) -> [RecordImport] {
        try await retrying {
            let admission = try await admit(caller, to: .audit(.history), on: record)
            let imports = try statedImports(into: record)
            try await trace(caller, admission, Shown(sections: admission.sections, entryCount: 0))
            return imports.compactMap(\.ended)
        }
    }

    /// Returns what the events of a record state about imports into it, the latest first.
    func statedImports(into record: UUID) throws -> [StatedImport] {
        let types = [ImportBegun.type, ImportEnded.type, ImportUndone.type].map(\.rawValue)
        var (imports, undone): ([StatedImport], [UInt64: UInt64]) = ([], [:])
        for position in try records.history(ofRecord: record, asOf: log.head()).reversed() {
            let event = try log.event(at: position)
            guard types.contains(event.header.type) else { continue }
            let recorded = try log.recorded(event)
            let run = StatedImport.Run(correlation: event.header.correlation, actor: event.header.actor)
            switch recorded.event.data {
            case let data as ImportUndone: undone[data.position] = position
            case let data as ImportEnded:
                var stated = StatedImport(run: run)
                stated.ended = RecordImport(
                    position: position,
                    recordedAt: recorded.stamp.recordedAt,
                    format: data.format,
                    added: data.added,
                    corrected: data.corrected,
                    retracted: data.retracted,
                    undone: undone[position]
                )
                imports.append(stated)
            case let data as ImportBegun:
                // Its end, which is later, was read before; an import that was interrupted has none.
                let index = imports.lastIndex { $0.run == run && $0.begun == nil } ?? imports.endIndex
                if index == imports.endIndex { imports.append(StatedImport(run: run)) }
                imports[index].begun = data
                imports[index].start = position
            default: break
            }
        }
        return imports
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
            let span = try eventsOfImport(into: record, at: position)
            var caller = caller
            if caller.reason.isEmpty { caller.reason = "undoes the import at position \(span.end)" }
            var change = try Change(self, caller)
            var seen: Set<UUID> = []
            for event in span.events where EventType(rawValue: event.header.type)?.entryEffect != nil {
                guard seen.insert(event.header.entry).inserted else { continue }
                try undo(event.header.entry, since: span.start, through: span.end, in: &change, &undone)
            }
            if let before = try records.record(record, asOf: span.start - 1),
                let then = try records.record(record, asOf: span.end), let now = try records.record(record, asOf: head),
                then.profile == now.profile, then.profile != before.profile
            {
                for event in try decide(.change(before.profile), now, now: self.now) {
                    try change.add(event, stream: record, subject: record)
                }
                try claim(before.profile, instead: now.profile, of: record, &change)
                undone.isProfileRestored = true
            }
            if !change.isEmpty {
                try change.add(.importUndone(ImportUndone(position: span.end)), stream: record, subject: record)
            }
            change.expect(record, .exact(version))
            let appended = change.isEmpty ? nil : try await change.commit()
            undone.position = appended?.last
            return WriteResult(position: appended?.last ?? head, record: record, isChanged: appended != nil)
        }
        if result.isChanged { await checkAfterChanges(in: [record], caller) }
        return undone
    }

    /// Returns the events of an import, and the positions of its beginning and its end.
    private func eventsOfImport(
        into record: UUID,
        at position: UInt64?
    ) throws -> (start: UInt64, end: UInt64, events: [StoredEvent]) {
        let ended = try statedImports(into: record).filter { $0.ended != nil }
        let found = ended.first { stated in
            position.map { $0 == stated.ended?.position } ?? (stated.ended?.undone == nil)
        }
        guard let found, let end = found.ended?.position else {
            throw JournalError(
                .notFound,
                position != nil
                    ? "no import into the record ended at that position"
                    : ended.isEmpty
                        ? "nothing was imported into the record"
                        : "all imports into the record are undone already: name one by its position"
            )
        }
        guard let start = found.start else { throw JournalError(.failed, "the beginning of the import is missing") }
        let events = try records.history(ofRecord: record, asOf: log.head())
            .filter { start < $0 && $0 < end }
            .map { try log.event(at: $0) }
            .filter { event in
                found.run == StatedImport.Run(correlation: event.header.correlation, actor: event.header.actor)
                    && event.header.source == EventSource.import.rawValue
            }
        return (start, end, events)
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
        if before.content == state.content { undone.restored += 1 } else { undone.corrected += 1 }
    }
}
