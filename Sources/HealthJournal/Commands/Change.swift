internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents

/// The events of one request on their way to the log, taken together or not at all.
struct Change {
    private let log: EventLog
    private let origin: EventOrigin
    /// The id of the first event: of the request that it stands for, or a new one.
    private let first: UUID
    /// The digest of that request.
    private let digest: [UInt8]
    private(set) var events: [NewEvent] = []
    private var expectations: [Expectation] = []

    /// What a caller asks for.
    init(_ journal: Journal, _ caller: Caller) throws(EventLogError) {
        try self.init(journal, caller, request: caller.request)
    }

    /// What happens beside it: a look, a refusal.
    ///
    /// It has no part in the caller's request key.
    init(besides journal: Journal, _ caller: Caller) throws(EventLogError) {
        try self.init(journal, caller, request: nil)
    }

    private init(_ journal: Journal, _ caller: Caller, request: RequestKey?) throws(EventLogError) {
        log = journal.log
        if let request {
            first = try journal.eventID(of: request, by: caller.account)
            digest = request.digest
        } else {
            first = UUID.timeOrdered(at: journal.log.now())
            digest = []
        }
        origin = EventOrigin(
            actor: caller.account,
            source: caller.source,
            // What belongs to no trace of others is named by its own first event.
            correlation: caller.correlation ?? first,
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
        isOfItsSubject: Bool = true,
        expecting version: ExpectedVersion? = nil
    ) throws(ModelError) {
        try JournalEvent.check(reason: origin.reason, field: "reason")
        var origin = origin
        // A text about somebody is sealed under their key, or it would outlive them.
        if !isOfItsSubject { origin.reason = "" }
        events.append(
            try NewEvent(
                event,
                id: id ?? (events.isEmpty ? first : UUID.timeOrdered(at: log.now())),
                stream: stream,
                subject: subject,
                entry: entry,
                kind: kind,
                origin: origin,
                requestDigest: digest
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
