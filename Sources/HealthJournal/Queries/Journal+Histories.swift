internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Each change of a record and of the entries that the caller may see, in the order in which they were made.
    ///
    /// A page ends with a position; its order is the other way round where the newest are asked for.
    package func history(
        ofRecord record: UUID,
        page: Page = .all,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordedEvent] {
        try await retrying {
            let action: Action = caller.kind == .auditor ? .audit(.history) : .read(nil, .history)
            let admission = try await admit(caller, to: action, on: record)
            var events: [RecordedEvent] = []
            for position in page.ordered(try records.history(ofRecord: record, asOf: log.head())) {
                let event = try log.event(at: position)
                guard admission.sees(changeOf: Kind.coded(event.header.kind)) else { continue }
                events.append(try log.recorded(event))
                if events.count >= page.limit { break }
            }
            let shown = Shown(sections: admission.sections, entryCount: Set(events.compactMap(\.entry)).count)
            try await trace(caller, admission, shown)
            return events
        }
    }

    /// What the same entry, or the same profile, said before each event that corrected it, retracted it or put it back.
    ///
    /// By position, for whoever was shown these events: nobody is asked. What cannot be read, or lies far back in a long
    /// stream, is left out: the events themselves are still worth showing.
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

    /// The last events of a stream that can be read, in the order in which they were recorded.
    private func newestVersions(of stream: UUID) -> [RecordedEvent] {
        guard let version = try? log.version(of: stream), version > 0 else { return [] }
        let first = version - min(version - 1, Journal.versionsLookedThrough - 1)
        guard let events = try? log.events(of: stream, from: first) else { return [] }
        return events.compactMap { try? log.recorded($0) }
    }

    private static var versionsLookedThrough: UInt64 { 256 }

    /// Every event of some entries of a kind, each from its addition on; one look, and on record as one.
    package func histories(
        ofEntries entries: [UUID],
        of kind: Kind,
        in record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [UUID: [RecordedEvent]] {
        try await retrying {
            let admission = try await admit(caller, to: .read([kind], .history), on: record)
            var found: [UUID: [RecordedEvent]] = [:]
            for entry in entries {
                guard let place = try records.place(ofEntry: entry), place.record == record, place.kind == kind.code
                else { continue }
                found[entry] = try records.history(ofEntry: entry, asOf: log.head())
                    .map { try log.recorded(log.event(at: $0)) }
            }
            try await trace(caller, admission, Shown(sections: [kind.section], entryCount: found.count))
            return found
        }
    }

    /// Who looked at a record, or was refused, in the order in which they asked; this look comes next.
    ///
    /// Of all, or of one account. A page ends with a position.
    package func accesses(
        of record: UUID,
        by account: UUID? = nil,
        page: Page = .all,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordedEvent] {
        try await retrying {
            let admission = try await admit(caller, to: .audit(.access), on: record)
            let stream = try accessStream(of: record)
            let events =
                try page.before == nil
                ? events(of: stream, by: account, page) : newestEvents(of: stream, by: account, page)
            try await trace(caller, admission, Shown(sections: []))
            return events
        }
    }

    private func events(of stream: UUID, by account: UUID?, _ page: Page) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        var version: UInt64 = 1
        while true {
            let found = try log.events(of: stream, from: version)
            if found.isEmpty { return events }
            version += UInt64(found.count)
            for event in found where event.position > page.after && event.isBy(account) {
                if events.count >= page.limit { return events }
                events.append(try log.recorded(event))
            }
        }
    }

    /// From the end of a stream on back, a stretch at a time.
    private func newestEvents(of stream: UUID, by account: UUID?, _ page: Page) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        var version = try log.version(of: stream)
        while version > 0, events.count < page.limit {
            let first = version - min(version - 1, 255)
            let found = try log.events(of: stream, from: first, limit: Int(version - first) + 1)
            for event in found.reversed() where event.position < page.before ?? .max {
                guard event.isBy(account), events.count < page.limit else { continue }
                events.append(try log.recorded(event))
            }
            version = first - 1
        }
        return events
    }
}

extension StoredEvent {
    /// Whether an account did it, or any for none.
    fileprivate func isBy(_ account: UUID?) -> Bool { account.map { header.actor == $0 } ?? true }
}

extension Page {
    /// The positions of a list, in the order in which the page has them, from where it begins.
    fileprivate func ordered(_ positions: [UInt64]) -> [UInt64] {
        guard let before else { return positions.filter { $0 > after } }
        return positions.reversed().filter { $0 < before }
    }
}

extension Admission {
    /// Whether a change may be seen: of an entry of a kind or, for none, of the record itself.
    func sees(changeOf kind: Kind?) -> Bool {
        if let kind { return sees(kind) }
        // What a caregiver sees of the profile says not when each part of it was changed; nor in an emergency.
        return switch right {
        case .grant, .emergency: false
        case .owner, .role: true
        }
    }
}

extension JournalEvent {
    /// Whether it has a value of the same fact before it.
    fileprivate var followsOn: Bool {
        switch self {
        case .entryCorrected, .entryRetracted, .entryRestored, .recordChanged: true
        default: false
        }
    }

    fileprivate var saysWhatIs: Bool { content != nil || profile != nil }
}
