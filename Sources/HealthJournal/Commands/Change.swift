internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents

/// The events of one request on their way to the log, taken together or not at all.
struct Change {
    private let log: EventLog
    private let origin: EventOrigin
    private(set) var events: [NewEvent] = []
    private var expectations: [Expectation] = []

    init(_ journal: Journal, _ caller: Caller) {
        log = journal.log
        origin = EventOrigin(
            actor: caller.account,
            source: caller.source,
            correlation: UUID.timeOrdered(at: journal.log.now()),
            reason: caller.reason
        )
    }

    var isEmpty: Bool { events.isEmpty }

    func adds(to stream: UUID) -> Bool { events.contains { $0.header.stream == stream } }

    /// Adds an event, and what its stream must be like before the first of them.
    mutating func add(
        _ event: JournalEvent,
        id: UUID? = nil,
        stream: UUID,
        subject: UUID,
        entry: UUID? = nil,
        kind: Kind? = nil,
        expecting version: ExpectedVersion? = nil
    ) throws(ModelError) {
        try JournalEvent.check(reason: origin.reason, field: "reason")
        events.append(
            try NewEvent(
                event,
                id: id ?? UUID.timeOrdered(at: log.now()),
                stream: stream,
                subject: subject,
                entry: entry,
                kind: kind,
                origin: origin
            )
        )
        if let version { expect(stream, version) }
    }

    /// Makes the append depend on a stream that it does not add to as well.
    mutating func expect(_ stream: UUID, _ version: ExpectedVersion) {
        expectations.append(Expectation(stream, version))
    }

    /// Appends all; answers nil when there was nothing to append.
    func commit() async throws(EventLogError) -> AppendResult? {
        guard !events.isEmpty else { return nil }
        return try await log.append(events, expecting: expectations)
    }

    /// Appends all, and destroys the data key of a subject together with it.
    func commit(erasing subject: UUID) async throws(EventLogError) -> AppendResult {
        try await log.erase(subject, events: events, expecting: expectations)
    }

    /// Puts all in the log's queue, behind what is there already.
    func enqueue(_ answer: @escaping @Sendable (Result<AppendResult, EventLogError>) -> Void) throws(EventLogError) {
        try log.enqueue(events, expecting: expectations, answer)
    }
}
