internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

/// A change that was undone.
package struct UndoneChange: Hashable, Sendable {
    package var result: WriteResult
    /// The position of the last event of the change that was undone.
    package var position: UInt64
    /// The entries that the undoing changed, as they are now.
    package var entries: [EntryState]
}

extension Journal.Entries {
    /// The maximum number of events of a change that can be undone at once.
    private static var maximumUndone: Int { 1_000 }

    /// Undoes a change of entries of a record: by default, the last one that the caller made.
    ///
    /// A change is what one request appended, such as several corrections, or an entry that was moved to another record.
    /// Added entries are retracted, retracted ones are restored, and corrected ones are corrected back, in one append. An
    /// undone change can be undone again. Throws `conflict` if an entry was changed again since then, if the request changed
    /// more than entries, or more of them than `maximum`, or if it was an import or undid one.
    ///
    /// The caller must also be permitted to read the entries, because the answer shows them; that is audited.
    package func undo(
        in record: UUID,
        position: UInt64? = nil,
        ofAtMost maximum: Int = .max,
        _ caller: Caller
    ) async throws(JournalError) -> UndoneChange {
        var undone = UndoneChange(result: WriteResult(position: 0), position: 0, entries: [])
        undone.result = try await journal.once(caller) {
            if let replica = journal.replica { throw replica.onlineOnly("changes are undone at the service") }
            let admission = try await journal.access.admit(caller, to: .read(nil, .list), on: record)
            let at = try position ?? lastChange(in: record, caller)
            let events = try byEntry(request(at: at, in: admission))
            guard events.count <= maximum else {
                throw JournalError(.conflict, "that change was of \(events.count) entries: undo it on the command line")
            }
            undone.position = events.flatMap(\.events).map(\.position).max() ?? at
            var caller = caller
            if caller.reason.isEmpty { caller.reason = "undoes position \(undone.position)" }
            var change = try Change(journal, caller)
            var reads: [(admission: Admission, shown: Shown)] = []
            undone.entries = []
            for (entry, events) in events {
                let (state, reading) = try await undo(events, of: entry, askedIn: record, caller, in: &change)
                undone.entries.append(state)
                reads.append((reading, Shown(state, version: state.latest.position)))
            }
            let entry = undone.entries.first?.id
            let written = try await change.commit(answering: .existing(at: at, record: record, entry: entry))
            try await journal.access.trace(caller, reads)
            return written
        }
        // A repeated request is answered without its details.
        if undone.position == 0 { undone.position = undone.result.position }
        for place in Set(undone.entries.map { Place(record: $0.record, kind: $0.kind) }) {
            await journal.entriesChanged(of: place.kind, in: place.record, by: caller)
        }
        return undone
    }

    /// Returns the position of the last change of an entry of a record that the caller made.
    private func lastChange(in record: UUID, _ caller: Caller) throws -> UInt64 {
        for position in try journal.medicalRecords.history(ofRecord: record, asOf: journal.log.head()).reversed() {
            let event = try journal.log.event(at: position).header
            guard event.actor == caller.account, event.source != EventSource.system.rawValue,
                let effect = EventType(rawValue: event.type)?.entryEffect
            else { continue }
            guard effect != .erases else {
                throw JournalError(
                    .conflict,
                    """
                    the last change of this account, at position \(position), erased an entry, which cannot be undone; to undo \
                    an earlier change, name its position
                    """
                )
            }
            return position
        }
        throw JournalError(.notFound, "this account has changed no entry of the record")
    }

    /// Returns the events of the request that appended an event: they follow each other, and have its origin.
    ///
    /// Changes of entries that the caller may not see count as not found.
    private func request(at position: UInt64, in admission: Admission) throws -> [StoredEvent] {
        let head = try journal.log.head()
        guard (1...head).contains(position) else { throw JournalError.noChange }
        let event = try journal.log.event(at: position)
        guard EventType(rawValue: event.header.type)?.entryEffect != nil, event.header.subject == admission.record,
            Kind.coded(event.header.kind).map(admission.sees) == true
        else { throw JournalError.noChange }
        guard ![EventSource.import, .sample].map(\.rawValue).contains(event.header.source) else {
            throw JournalError(
                .conflict,
                "the change at position \(position) was an import: undo it as a whole, with `import undo`"
            )
        }
        func belongs(_ other: StoredEvent) -> Bool {
            other.header.correlation == event.header.correlation && other.header.actor == event.header.actor
                && other.header.source == event.header.source
        }
        var events = [event]
        while let first = events.first, first.position > 1, events.count <= Self.maximumUndone {
            let before = try journal.log.event(at: first.position - 1)
            guard belongs(before) else { break }
            events.insert(before, at: 0)
        }
        while let last = events.last, last.position < head, events.count <= Self.maximumUndone {
            let next = try journal.log.event(at: last.position + 1)
            guard belongs(next) else { break }
            events.append(next)
        }
        // A request may have read something besides.
        events.removeAll { EventType(rawValue: $0.header.type)?.category == .access }
        guard events.count <= Self.maximumUndone else {
            throw JournalError(.conflict, "that change concerns more than \(Self.maximumUndone) entries")
        }
        return events
    }

    private func byEntry(_ events: [StoredEvent]) throws -> [(entry: UUID, events: [StoredEvent])] {
        var found: [(entry: UUID, events: [StoredEvent])] = []
        for event in events {
            let effect = EventType(rawValue: event.header.type)?.entryEffect
            let entry = event.header.entry
            guard event.header.type != ImportUndone.type.rawValue else {
                throw JournalError(
                    .conflict,
                    "that change undid an import: to have its entries again, import the document again"
                )
            }
            guard let effect, effect != .erases else {
                throw JournalError(.conflict, "an entry was erased, which cannot be undone")
            }
            guard effect != .annotates else {
                throw JournalError(.conflict, "that change was not only of entries, and cannot be undone")
            }
            if let index = found.firstIndex(where: { $0.entry == entry }) {
                found[index].events.append(event)
            } else {
                found.append((entry, [event]))
            }
        }
        return found
    }

    /// A record with a kind of its entries.
    private struct Place: Hashable {
        let record: UUID
        let kind: Kind
    }

    /// Adds the events that bring an entry back to what it was before some events; returns what it is then, and the right
    /// to read it.
    private func undo(
        _ events: [StoredEvent],
        of entry: UUID,
        askedIn record: UUID,
        _ caller: Caller,
        in change: inout Change
    ) async throws -> (state: EntryState, reading: Admission) {
        // The version is read before the state, so that the append fails if the state changes in between.
        let version = try journal.log.version(of: entry)
        guard let first = events.first, let last = events.last,
            let state = try journal.contents(for: .decision).entry(entry, asOf: journal.log.head())
        else { throw JournalError.noChange }
        let reading = try await journal.access.admit(caller, to: .read([state.kind], .read), on: state.record)
        _ = try await journal.access.admit(caller, to: .changing(state, by: caller), on: state.record)
        guard state.latest.position == last.position else {
            throw JournalError(
                .conflict,
                "the \(state.kind.label.lowercased()) was changed again at position \(state.latest.position): undo that first"
            )
        }
        let before = try journal.contents(for: .decision).entry(entry, asOf: first.position - 1)
        let recordVersion = try journal.log.version(of: state.record)
        let current = try revert(state, to: before, at: version, askedIn: record, in: &change)
        change.expect(state.record, .exact(recordVersion))
        return (current, reading)
    }

    /// Adds the events that turn an entry into what it was before; returns what it is then.
    ///
    /// `before` is nil if there was no entry then, and `version` is that of the entry's stream.
    package func revert(
        _ state: EntryState,
        to before: EntryState?,
        at version: UInt64,
        askedIn record: UUID,
        in change: inout Change
    ) throws -> EntryState {
        let entry = state.id
        let isClosed = try journal.medicalRecords.header(of: state.record, asOf: journal.log.head())?.isClosed ?? false
        var current = state
        var isFirst = true
        for command in Self.commands(from: state, to: before) {
            if let content = command.content {
                if content.fileDigest != current.content.fileDigest { try requireFile(of: content, in: state.record) }
                try requireReferences(of: content, besides: current.content, in: state.record)
            }
            try change.add(
                decide(command, current, isClosed: isClosed, now: journal.now),
                in: .entry(entry, of: state.record, state.kind),
                isOfItsSubject: state.record == record,
                expecting: isFirst ? .exact(version) : nil
            )
            isFirst = false
            switch command {
            case .restore: current.retracted = nil
            case .retract: current.retracted = state.latest
            case .add, .correct, .change: if let content = command.content { current.content = content }
            }
        }
        return current
    }

    /// The commands that turn a state of an entry into an earlier one; nil if there was no entry then.
    private static func commands(from state: EntryState, to before: EntryState?) -> [EntryCommand] {
        guard let before else { return state.isRetracted ? [] : [.retract] }
        var commands: [EntryCommand] = []
        let isCorrected = state.content != before.content
        var isRetracted = state.isRetracted
        if isRetracted, isCorrected || !before.isRetracted {
            commands.append(.restore)
            isRetracted = false
        }
        if isCorrected { commands.append(.correct(before.content)) }
        if before.isRetracted, !isRetracted { commands.append(.retract) }
        return commands
    }
}

extension JournalError {
    fileprivate static let noChange = JournalError(.notFound, "the record has no change of an entry at that position")
}
