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
            var found: [RecordImport] = []
            for position in try records.history(ofRecord: record, asOf: log.head()).reversed() {
                let event = try log.event(at: position)
                guard event.header.type == ImportEnded.type.rawValue else { continue }
                let recorded = try log.recorded(event)
                guard let ended = recorded.event.data as? ImportEnded else { continue }
                found.append(
                    RecordImport(
                        position: position,
                        recordedAt: recorded.stamp.recordedAt,
                        format: ended.format,
                        added: ended.added,
                        corrected: ended.corrected,
                        retracted: ended.retracted
                    )
                )
            }
            try await trace(caller, admission, Shown(sections: admission.sections, entryCount: 0))
            return found
        }
    }

    /// Undoes an import into a record as a whole, in one append: by default, the latest one.
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
            let span = try importEvents(into: record, at: position)
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
            change.expect(record, .exact(version))
            let appended = change.isEmpty ? nil : try await change.commit()
            undone.position = appended?.last
            return WriteResult(position: appended?.last ?? head, record: record, isChanged: appended != nil)
        }
        if result.isChanged { await checkAfterChanges(in: [record], caller) }
        return undone
    }

    /// Returns the events of an import, and the positions of its beginning and its end.
    private func importEvents(
        into record: UUID,
        at position: UInt64?
    ) throws -> (start: UInt64, end: UInt64, events: [StoredEvent]) {
        let history = try records.history(ofRecord: record, asOf: log.head())
        var ended: StoredEvent?
        if let position {
            if history.contains(position) { ended = try log.event(at: position) }
        } else {
            ended = try history.reversed().lazy.map { try log.event(at: $0) }
                .first { $0.header.type == ImportEnded.type.rawValue }
        }
        guard let ended, ended.header.type == ImportEnded.type.rawValue else {
            throw JournalError(
                .notFound,
                position == nil
                    ? "nothing was imported into the record" : "no import into the record ended at that position"
            )
        }
        var events: [StoredEvent] = []
        for position in history.reversed() where position < ended.position {
            let event = try log.event(at: position)
            guard event.header.correlation == ended.header.correlation, event.header.actor == ended.header.actor,
                event.header.source == EventSource.import.rawValue
            else { continue }
            if event.header.type == ImportBegun.type.rawValue {
                return (position, ended.position, events.reversed())
            }
            events.append(event)
        }
        throw JournalError(.failed, "the beginning of the import is missing")
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
