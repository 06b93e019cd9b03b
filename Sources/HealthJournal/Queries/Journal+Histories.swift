internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal {
    /// Each change of a record and of the entries that the caller may see, in the order in which they were made.
    ///
    /// A page ends with a position.
    package func history(
        ofRecord record: UUID,
        page: Page = .all,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordedEvent] {
        try await retrying {
            let action: Action = caller.kind == .auditor ? .audit(.history) : .read(nil, .history)
            let admission = try await admit(caller, to: action, on: record)
            var events: [RecordedEvent] = []
            for position in try records.history(ofRecord: record, asOf: log.head()) where position > page.after {
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

    /// Who looked at a record, or was refused, in the order in which they asked; this look comes next.
    ///
    /// A page ends with a position.
    package func accesses(
        of record: UUID,
        page: Page = .all,
        _ caller: Caller
    ) async throws(JournalError) -> [RecordedEvent] {
        try await retrying {
            let admission = try await admit(caller, to: .audit(.access), on: record)
            let stream = try accessStream(of: record)
            var events: [RecordedEvent] = []
            var version: UInt64 = 1
            pages: while true {
                let found = try log.events(of: stream, from: version)
                if found.isEmpty { break }
                version += UInt64(found.count)
                for event in found where event.position > page.after {
                    if events.count >= page.limit { break pages }
                    events.append(try log.recorded(event))
                }
            }
            try await trace(caller, admission, Shown(sections: []))
            return events
        }
    }
}

extension Admission {
    /// Whether a change may be seen: of an entry of a kind or, for none, of the record itself.
    fileprivate func sees(changeOf kind: Kind?) -> Bool {
        if let kind { return sees(kind) }
        // What a caregiver sees of the profile says not when each part of it was changed.
        if case .grant = right { return false }
        return true
    }
}
