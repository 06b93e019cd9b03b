internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalEvents

extension Journal {
    /// Events that one page looks through at most, whether the caller may see them or not.
    private static var feedReach: UInt64 { 100_000 }
    /// Headers that are looked at within one snapshot.
    private static var feedStride: UInt64 { 4_096 }
    /// Bytes of stored events in one page, if it holds more than one.
    private static var feedBytes: Int { 4 << 20 }

    /// The events behind a position that the caller may see, as things stand now.
    ///
    /// The looks at records that this is are on record before they are answered.
    package func feed(
        after position: UInt64,
        _ query: FeedQuery = FeedQuery(),
        _ caller: Caller
    ) async throws(JournalError) -> FeedPage {
        try await retrying {
            try query.validate()
            try await admitToFeed(caller)
            let head = try log.head()
            guard position <= head else {
                throw JournalError(.notFound, field: "after", "the journal has no position \(position) yet")
            }
            var seen = Seen()
            let through = try look(after: position, through: head, query, caller, &seen)
            try await trace(caller, seen.reads)
            return FeedPage(events: seen.events, through: through, hasMore: through < head)
        }
    }

    func admitToFeed(_ caller: Caller) async throws {
        let verdict = Gate.decide(.follow, by: caller, permission: .none, now: now, today: today)
        guard case .denied(let why) = verdict else { return }
        throw try await refusal(of: caller, Denial(Action.follow.access, because: why))
    }

    /// What was found for a page, and the looks at records that it makes.
    private struct Seen {
        var events: [FeedEvent] = []
        var byteCount = 0
        private var shown: [UUID: (admission: Admission, shown: Shown)] = [:]

        var reads: [(admission: Admission, shown: Shown)] {
            shown.values.sorted { $0.admission.record.uuidString < $1.admission.record.uuidString }
        }

        mutating func note(_ admission: Admission, _ header: EventHeader) {
            var read = shown[admission.record] ?? (admission, Shown(sections: []))
            if header.category == EventCategory.entry.rawValue, let kind = Kind.coded(header.kind) {
                read.shown.sections.insert(kind.section)
                read.shown.entryCount += 1
            }
            shown[admission.record] = read
        }
    }

    /// Fills a page; answers up to which position was looked.
    private func look(
        after start: UInt64,
        through head: UInt64,
        _ query: FeedQuery,
        _ caller: Caller,
        _ seen: inout Seen
    ) throws -> UInt64 {
        let streams = try query.stream.map { try Set([external($0)] + [UUID(uuidString: $0)].compactMap(\.self)) }
        let end = start + min(head - start, Journal.feedReach)
        var rights = try FeedRights(self, caller)
        var done = start
        while done < end {
            let last = done + min(end - done, Journal.feedStride)
            for found in try headers(after: done, through: last, streams, query) {
                guard let right = try rights.right(to: found.header) else { continue }
                let event = try log.event(at: found.position)
                let isFull = seen.byteCount + event.bytes.count > Journal.feedBytes && !seen.events.isEmpty
                if isFull || seen.events.count == query.limit { return found.position - 1 }
                guard let shown = try show(event, right) else { continue }
                seen.events.append(shown)
                seen.byteCount += event.bytes.count
                if case .record(let admission) = right { seen.note(admission, event.header) }
            }
            done = last
        }
        return done
    }

    /// The headers that are asked for, copied out of a short snapshot.
    private func headers(
        after start: UInt64,
        through end: UInt64,
        _ streams: Set<UUID>?,
        _ query: FeedQuery
    ) throws -> [(position: UInt64, header: EventHeader)] {
        var found: [(position: UInt64, header: EventHeader)] = []
        try log.forEachFrame(after: start, through: end) { frame in
            if let type = EventType(rawValue: frame.type), query.asks(for: type),
                streams?.contains(frame.stream) ?? true
            {
                found.append((frame.position, frame.header))
            }
            return true
        }
        return found
    }

    /// An event as it is shown; nil for one that no feed shows.
    private func show(_ event: StoredEvent, _ right: FeedRights.Right) throws -> FeedEvent? {
        guard let type = EventType(rawValue: event.header.type) else { return nil }
        var recorded: RecordedEvent?
        do {
            // The event of an erasure itself is sealed under another key, and stays. Of what was there is not told any
            // more that it was: not which entries, nor when.
            if case .tombstone = right, type != .recordErased { return nil }
            recorded = try log.recorded(event)
        } catch let error as EventLogError where error.code == .subjectErased {
            // Where the erasure may still be taken back, nothing is left out: who asks waits, or asks again.
            guard try log.isErasedForGood(event.header.subject) else { throw error }
        }
        // Two who follow the looks at a record would otherwise keep showing each other that they looked.
        if case .recordRead(let access)? = recorded?.event, access.action == .events { return nil }
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
            data: recorded.flatMap { NativeEvent.data($0.event) },
            isErased: recorded == nil
        )
    }
}
