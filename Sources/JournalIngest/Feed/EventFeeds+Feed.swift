internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
package import JournalCore
internal import JournalEvents

extension Journal.EventFeeds {
    /// The maximum number of events that one page examines, whether the caller may see them or not.
    private static var feedReach: UInt64 { 100_000 }
    /// The number of events that are examined within one snapshot.
    private static var feedStride: UInt64 { 4_096 }
    /// The maximum size of the stored events of one page, in bytes; a page with a single event may be larger.
    private static var feedBytes: Int { 4 << 20 }

    /// Returns the events after a position that the caller may see at present.
    ///
    /// The reads of records that this involves are in the audit log before the page is returned.
    package func feed(
        after position: UInt64,
        _ query: FeedQuery = FeedQuery(),
        _ caller: Caller
    ) async throws(JournalError) -> FeedPage {
        try await journal.retrying {
            try query.validate()
            try await journal.access.admit(caller, to: .follow)
            let head = try journal.log.head()
            guard position <= head else {
                throw JournalError(.notFound, field: "after", "the journal has no position \(position) yet")
            }
            var seen = Seen()
            let through = try look(after: position, through: head, query, caller, &seen)
            try await journal.access.trace(caller, seen.reads)
            return FeedPage(events: seen.events, through: through, hasMore: through < head)
        }
    }

    /// The events of a page, and the reads of records that they involve.
    private struct Seen {
        var events: [FeedEvent] = []
        var byteCount = 0
        private var shown: [Reader: (admission: Admission, shown: Shown)] = [:]

        /// A record, and the right by which it was read.
        private struct Reader: Hashable {
            let record: UUID
            let right: AccessRight
        }

        var reads: [(admission: Admission, shown: Shown)] {
            shown.values.sorted {
                ($0.admission.record.uuidString, "\($0.admission.right)") < (
                    $1.admission.record.uuidString, "\($1.admission.right)"
                )
            }
        }

        mutating func note(_ admission: Admission, _ header: EventHeader, at position: UInt64) {
            let reader = Reader(record: admission.record, right: admission.right)
            var read = shown[reader] ?? (admission, Shown(sections: []))
            if header.category == EventCategory.entry.rawValue, let kind = Kind.coded(header.kind) {
                read.shown.sections.insert(kind.section)
                read.shown.entryCount += 1
                read.shown.version = position
                let first = read.shown.events?.lowerBound ?? position
                read.shown.events = min(first, position)...max(first, position)
            }
            shown[reader] = read
        }
    }

    /// Fills a page; returns the last position that was examined.
    private func look(
        after start: UInt64,
        through head: UInt64,
        _ query: FeedQuery,
        _ caller: Caller,
        _ seen: inout Seen
    ) throws -> UInt64 {
        let streams = try query.stream.map {
            try Set([journal.external($0)] + [UUID(uuidString: $0)].compactMap(\.self))
        }
        let end = start + min(head - start, Self.feedReach)
        var rights = try FeedRights(journal, caller)
        var done = start
        while done < end {
            let last = done + min(end - done, Self.feedStride)
            for found in try headers(after: done, through: last, streams, query) {
                guard let right = try rights.right(to: found.header) else { continue }
                let event = try journal.log.event(at: found.position)
                let isFull = seen.byteCount + event.bytes.count > Self.feedBytes && !seen.events.isEmpty
                if isFull || seen.events.count == query.limit { return found.position - 1 }
                guard let shown = try show(event, right) else { continue }
                seen.events.append(shown)
                seen.byteCount += event.bytes.count
                switch right {
                case .record(let admission), .appointment(let admission, _):
                    seen.note(admission, event.header, at: found.position)
                case .tombstone, .journal: break
                }
            }
            done = last
        }
        return done
    }

    /// Returns the headers that the query selects, copied out of a short snapshot.
    private func headers(
        after start: UInt64,
        through end: UInt64,
        _ streams: Set<UUID>?,
        _ query: FeedQuery
    ) throws -> [(position: UInt64, header: EventHeader)] {
        var found: [(position: UInt64, header: EventHeader)] = []
        try journal.log.forEachFrame(after: start, through: end) { frame in
            if let type = EventType(rawValue: frame.type), query.asks(for: type),
                streams?.contains(frame.stream) ?? true
            {
                found.append((frame.position, frame.header))
            }
            return true
        }
        return found
    }

    /// Returns an event as it is shown; nil if no feed shows it.
    private func show(_ event: StoredEvent, _ right: FeedRights.Right) throws -> FeedEvent? {
        guard let type = EventType(rawValue: event.header.type) else { return nil }
        var recorded: RecordedEvent?
        do {
            // The event of an erasure is sealed under another key and is still shown. All other events of the record
            // are hidden, so that neither its entries nor their times are revealed.
            if case .tombstone = right, type != RecordErased.type { return nil }
            recorded = try journal.log.recorded(event)
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the error is rethrown, and the caller waits or
            // retries.
            guard try journal.log.isPermanentlyErased(event) else { throw error }
        }
        // Otherwise two clients that follow the reads of a record would cause events for each other without end.
        if let read = recorded?.event.data as? RecordRead, read.access.action == .events { return nil }
        let header = event.header
        return FeedEvent(
            position: event.position,
            id: header.id,
            type: type,
            source: EventSource(rawValue: header.source),
            recordedAt: Instant(microseconds: event.recordedAt),
            actor: header.actor,
            stream: header.stream,
            subject: type.category == .external ? nil : header.record ?? header.subject,
            entry: header.entry == .zero || header.entry == header.record ? nil : header.entry,
            kind: Kind.coded(header.kind),
            reason: recorded?.reason ?? "",
            data: recorded.flatMap { right.shown($0.event) }.flatMap { NativeEvent.data($0) },
            isErased: recorded == nil
        )
    }
}

extension FeedRights.Right {
    /// Returns an event as it is shown; nil if nothing of its data is.
    ///
    /// What the staff writes for itself is shown to those who treat animals alone, as in `AppointmentState.visible(to:)`.
    fileprivate func shown(_ event: JournalEvent) -> JournalEvent? {
        guard case .appointment(let admission, withNotes: false) = self else { return event }
        func hiding<Data: EventData>(_ data: Data, _ details: WritableKeyPath<Data, AppointmentDetails>) -> JournalEvent
        {
            var data = data
            data[keyPath: details].notes = ""
            data[keyPath: details].match = nil
            if admission.right == .owner { data[keyPath: details].assessment = nil }
            return JournalEvent(data)
        }
        switch event.data {
        case is AppointmentNoteAdded: return nil
        case let held as AppointmentHeld: return hiding(held, \.details)
        case let booked as AppointmentBooked: return hiding(booked, \.details)
        case let moved as AppointmentRescheduled: return hiding(moved, \.details)
        case let given as AppointmentReassigned: return hiding(given, \.details)
        case let displaced as AppointmentDisplaced:
            // The other appointment may be another client's, who sees that it was moved.
            return admission.right == .owner
                ? hiding(AppointmentRescheduled(details: displaced.details), \.details) : hiding(displaced, \.details)
        case let reinstated as AppointmentReinstated: return hiding(reinstated, \.details)
        case let changed as AppointmentChanged: return hiding(changed, \.details)
        default: return event
        }
    }
}
