internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal.Trail {
    /// Returns every event of an entry, from its addition on.
    package func history(
        ofEntry entry: UUID,
        expecting expected: ExpectedEntry = ExpectedEntry(),
        _ caller: Caller
    ) async throws(JournalError) -> [RecordedEvent] {
        try await journal.retrying {
            guard let place = try journal.entries.place(ofEntry: entry),
                expected.record ?? place.record == place.record,
                expected.kind?.code ?? place.kind == place.kind
            else {
                throw JournalError.noEntry
            }
            guard let kind = Kind.coded(place.kind) else {
                throw JournalError(
                    .failed,
                    "this program does not know this kind of entry; a newer one may have written it"
                )
            }
            // A caller who may read the section may see how its entries were changed; so may an auditor.
            let action = Action.readingHistory([kind], by: caller)
            let admission = try await journal.access.admit(caller, to: action, on: place.record)
            let head = try journal.log.head()
            guard try journal.medicalRecords.erasure(ofEntry: entry) == nil else {
                throw try journal.entries.absence(of: entry, in: place.record)
            }
            let events = try journal.medicalRecords.history(ofEntry: entry, asOf: head)
                .map { try journal.log.recorded(journal.log.event(at: $0)) }
            let shown = Shown(
                sections: [kind.section],
                entryCount: 1,
                version: head,
                entries: events.first.map { first in
                    [ShownEntries(kind: kind.code, added: first.stamp.position...first.stamp.position)]
                } ?? []
            )
            try await journal.access.trace(caller, admission, shown)
            return events
        }
    }

    /// Returns each change of a record and of the entries that the caller may see, in the order in which they were
    /// made.
    ///
    /// A page ends with a position. The order is reversed if the newest changes are requested.
    package func history(
        ofRecord record: UUID,
        page: Page = .all,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordedEvent] {
        try await journal.retrying {
            let action = Action.readingHistory(nil, by: caller)
            let admission = try await journal.access.admit(caller, to: action, on: record)
            var events: [RecordedEvent] = []
            for position in page.ordered(try journal.medicalRecords.history(ofRecord: record, asOf: journal.log.head()))
            {
                let event = try journal.log.event(at: position)
                guard admission.sees(changeOf: Kind.coded(event.header.kind)) else { continue }
                events.append(try journal.log.recorded(event))
                if events.count >= page.limit { break }
            }
            let positions = events.map(\.stamp.position)
            var shown = Shown(sections: admission.sections, entryCount: Set(events.compactMap(\.entry)).count)
            shown.version = try journal.log.head()
            if let first = positions.min(), let last = positions.max() { shown.events = first...last }
            try await journal.access.trace(caller, admission, shown)
            return events
        }
    }

    /// Returns the content of the same entry or profile before each event that corrected, retracted or restored it.
    ///
    /// The result is keyed by the positions of the events. For callers who were shown these events: no authorization is
    /// checked. Content that cannot be read, or is too far back in a long stream, is left out, because the events
    /// themselves are still worth showing.
    package func predecessors(of events: [RecordedEvent]) -> [UInt64: JournalEvent] {
        let asked = Set(events.filter(\.event.followsOn).map(\.stamp.position))
        var found: [UInt64: JournalEvent] = [:]
        for stream in Set(events.filter(\.event.followsOn).map(\.stream)) {
            var last: JournalEvent?
            for event in newestVersions(of: stream) {
                if asked.contains(event.stamp.position) { found[event.stamp.position] = last }
                if event.event.saysWhatIs { last = event.event }
            }
        }
        return found
    }

    /// Returns the last events of a stream that can be read, in the order in which they were recorded.
    ///
    /// They only help to describe a change; events that cannot be read are reported by `verify`.
    private func newestVersions(of stream: UUID) -> [RecordedEvent] {
        guard let version = try? journal.log.version(of: stream), version > 0 else { return [] }
        let first = version - min(version - 1, Self.versionsLookedThrough - 1)
        guard let events = try? journal.log.events(of: stream, from: first) else { return [] }
        return events.compactMap { try? journal.log.recorded($0) }
    }

    private static var versionsLookedThrough: UInt64 { 256 }

    /// Returns every event of some entries of a kind, each from its addition on, as one read in the audit log.
    package func histories(
        ofEntries entries: [UUID],
        of kind: Kind,
        in record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [UUID: [RecordedEvent]] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .read([kind], .history), on: record)
            var found: [UUID: [RecordedEvent]] = [:]
            for entry in entries {
                guard let place = try journal.medicalRecords.place(ofEntry: entry), place.record == record,
                    place.kind == kind.code
                else { continue }
                found[entry] = try journal.medicalRecords.history(ofEntry: entry, asOf: journal.log.head())
                    .map { try journal.log.recorded(journal.log.event(at: $0)) }
            }
            let added = found.values.compactMap { $0.first?.stamp.position }
            var shown = Shown(sections: [kind.section], entryCount: found.count, includesRetracted: true)
            shown.version = try journal.log.head()
            if let first = added.min(), let last = added.max() {
                shown.entries = [ShownEntries(kind: kind.code, added: first...last)]
            }
            try await journal.access.trace(caller, admission, shown)
            return found
        }
    }

    /// Returns the access events of a record, such as reads and refusals, in the order in which they were recorded.
    ///
    /// The order is reversed if the newest are requested. The events can be limited to one account, and to reads that
    /// showed an entry or may have shown it. A page ends with a position. This read itself is recorded afterwards.
    package func accesses(
        of record: UUID,
        by account: UUID? = nil,
        showing entry: UUID? = nil,
        page: Page = .all,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordedEvent] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .audit(.access), on: record)
            let stream = try journal.accessStream(of: record)
            let wanted = AccessFilter(account: account, entry: try entry.map { try entryHistory($0, of: record) })
            let events =
                try page.before == nil
                ? events(of: stream, wanted, page) : newestEvents(of: stream, wanted, page)
            try await journal.access.trace(caller, admission, Shown(sections: []))
            return events
        }
    }

    private func entryHistory(_ entry: UUID, of record: UUID) throws -> EntryHistory {
        let missing = JournalError(.notFound, field: "entry", "the record has no such entry")
        guard let place = try journal.medicalRecords.place(ofEntry: entry), place.record == record else {
            throw missing
        }
        guard let kind = Kind.coded(place.kind),
            let history = EntryHistory(of: entry, kind: kind, try changes(of: entry))
        else { throw missing }
        return history
    }

    /// Returns the changes of an entry as the headers of its events state them, also of an erased entry.
    private func changes(of entry: UUID) throws -> [EntryHistory.Change] {
        var changes: [EntryHistory.Change] = []
        var version: UInt64 = 1
        while case let page = try journal.log.events(of: entry, from: version), !page.isEmpty {
            version += UInt64(page.count)
            changes += page.compactMap { EntryHistory.Change($0) }
        }
        return changes
    }

    private func events(of stream: UUID, _ wanted: AccessFilter, _ page: Page) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        var version: UInt64 = 1
        while true {
            let found = try journal.log.events(of: stream, from: version)
            if found.isEmpty { return events }
            version += UInt64(found.count)
            for event in found where event.position > page.after && wanted.isBy(event) {
                if events.count >= page.limit { return events }
                let recorded = try journal.log.recorded(event)
                if wanted.isShown(by: recorded) { events.append(recorded) }
            }
        }
    }

    /// Reads a stream backwards from its end, 256 events at a time.
    private func newestEvents(of stream: UUID, _ wanted: AccessFilter, _ page: Page) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        var version = try journal.log.version(of: stream)
        while version > 0, events.count < page.limit {
            let first = version - min(version - 1, 255)
            let found = try journal.log.events(of: stream, from: first, limit: Int(version - first) + 1)
            for event in found.reversed() where event.position < page.before ?? .max {
                guard wanted.isBy(event), events.count < page.limit else { continue }
                let recorded = try journal.log.recorded(event)
                if wanted.isShown(by: recorded) { events.append(recorded) }
            }
            version = first - 1
        }
        return events
    }
}

/// The selection of a record's access events.
private struct AccessFilter {
    var account: UUID?
    var entry: EntryHistory?

    /// Decided on the header alone, without decrypting the event.
    func isBy(_ event: StoredEvent) -> Bool { account.map { event.header.actor == $0 } ?? true }

    func isShown(by event: RecordedEvent) -> Bool {
        guard let entry else { return true }
        guard let read = event.event.data as? RecordRead else { return false }
        return read.access.disclosure(of: entry, recordedAt: event.stamp.position) != nil
    }
}

extension Page {
    /// Returns the positions from the start of the page on, in the order of the page.
    fileprivate func ordered(_ positions: [UInt64]) -> [UInt64] {
        guard let before else { return positions.filter { $0 > after } }
        return positions.reversed().filter { $0 < before }
    }
}

extension Admission {
    /// Reports whether a change may be seen: of an entry of a kind or, if the kind is nil, of the record itself.
    package func sees(changeOf kind: Kind?) -> Bool {
        if let kind { return sees(kind) }
        // A caregiver sees parts of the profile, but not when each part was changed; the same applies in an emergency.
        return switch right {
        case .grant, .emergency, .practice: false
        case .owner, .role: true
        }
    }
}

extension JournalEvent {
    /// Whether the event follows an earlier value of the same fact.
    fileprivate var followsOn: Bool {
        switch type.entryEffect {
        case .replaces, .retracts, .restores: true
        case .adds, .annotates, .erases: false
        case nil: type == RecordChanged.type
        }
    }

    fileprivate var saysWhatIs: Bool { content != nil || profile != nil }
}
