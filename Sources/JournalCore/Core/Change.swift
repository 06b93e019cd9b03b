package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// The events of one request, which are appended together or not at all.
package struct Change {
    private let log: EventLog
    private let journal: Journal
    private let origin: EventOrigin
    /// The id of the event that answers the request: derived from its idempotency key, or a new one.
    package let requestID: UUID
    /// The digest of the request; empty if it has no idempotency key.
    private let digest: [UInt8]
    package private(set) var events: [NewEvent] = []
    /// The entries that the events add, for counting them.
    private var added: [UsageCounters.Added] = []
    private var findings: [String] = []
    private let usage: UsageCounters
    private var expectations: [Expectation] = []
    /// The accounts and practices to which the events give access.
    private var beneficiaries: Set<UUID> = []

    /// Creates the change that a caller requests.
    package init(_ journal: Journal, _ caller: Caller) throws(EventLogError) {
        try self.init(journal, caller, request: caller.request)
    }

    /// Creates a change beside the request itself, such as the record of a read or a refusal.
    ///
    /// It does not use the caller's idempotency key.
    package init(besides journal: Journal, _ caller: Caller) throws(EventLogError) {
        try self.init(journal, caller, request: nil)
    }

    private init(_ journal: Journal, _ caller: Caller, request: RequestKey?) throws(EventLogError) {
        log = journal.log
        self.journal = journal
        usage = journal.usage
        if let request {
            requestID = try journal.eventID(of: request, by: caller.account)
            digest = request.digest
        } else {
            requestID = UUID.timeOrdered(at: journal.log.now())
            digest = []
        }
        origin = EventOrigin(
            actor: caller.account,
            source: caller.source,
            // A request without a correlation id is identified by the event that answers it.
            correlation: caller.correlation ?? requestID,
            reason: caller.reason,
            change: request == nil ? nil : caller.origin
        )
    }

    package var isEmpty: Bool { events.isEmpty }

    /// The reason that the caller gave.
    package var reason: String { origin.reason }

    package func adds(to stream: UUID) -> Bool { events.contains { $0.header.stream == stream } }

    /// Adds an event, and optionally the version that its stream must have before the append.
    ///
    /// By default, the first event answers the request. If another one does, that one has the id `requestID`, and the
    /// first one has an id of its own. `index` is the place among the events; by default it is the last one.
    package mutating func add(
        _ event: JournalEvent,
        id: UUID? = nil,
        in stream: EventStream,
        isOfItsSubject: Bool = true,
        at index: Int? = nil,
        expecting version: ExpectedVersion? = nil
    ) throws(ModelError) {
        try JournalEvent.check(reason: origin.reason, field: "reason")
        var origin = origin
        // A reason may be about a person. It is left out of an event that is sealed under another key, because it would
        // outlive that person's erasure.
        if !isOfItsSubject { origin.reason = "" }
        events.insert(
            try NewEvent(
                event,
                id: id ?? (events.isEmpty ? requestID : UUID.timeOrdered(at: log.now())),
                stream: stream.id,
                subject: stream.subject,
                entry: stream.entry,
                kind: stream.kind,
                origin: origin,
                requestDigest: digest,
                clock: log.laggingClock
            ),
            at: index ?? events.endIndex
        )
        if event.type == EntryAdded.type, let content = event.content {
            added.append(UsageCounters.Added(kind: content.kind.name, voice: content.voiceEntryUsed))
            if content.kind == Interaction.kind, let severity = content.body.text(Interaction.severity) {
                findings.append(severity)
            }
        }
        beneficiaries.formUnion(event.beneficiaries)
        if let version { expect(stream.id, version) }
    }

    /// Adds events in their order, which were decided at a version of their stream.
    package mutating func add(
        _ events: [JournalEvent],
        in stream: EventStream,
        isOfItsSubject: Bool = true,
        expecting version: ExpectedVersion? = nil
    ) throws(ModelError) {
        for event in events { try add(event, in: stream, isOfItsSubject: isOfItsSubject) }
        if let version, !events.isEmpty { expect(stream.id, version) }
    }

    /// Makes the append also depend on a stream that it does not add to.
    package mutating func expect(_ stream: UUID, _ version: ExpectedVersion) {
        expectations.append(Expectation(stream, version))
    }

    /// Appends all events; returns nil if there are none.
    ///
    /// A change that is given away (`consume`) frees its events once they are sealed, if there are many.
    package consuming func commit() async throws -> AppendResult? {
        guard !events.isEmpty else { return nil }
        // What a device sent is applied; anything else on a replica is kept to be sent.
        if let replica = journal.replica, origin.change == nil {
            return try await replica.keep(self, in: journal)
        }
        var expectations = expectations
        for account in beneficiaries {
            // Read before the state: an account that is removed meanwhile gets nothing.
            let version = try log.version(of: account)
            guard let state = try journal.directory.account(account, log, journal.permissions) else { continue }
            if state.removed != nil { throw JournalError(.notFound, field: "account", "there is no such account") }
            expectations.append(Expectation(account, .exact(version)))
        }
        let (log, usage, added, findings) = (log, usage, added, findings)
        var events: [NewEvent] = []
        swap(&events, &self.events)
        let result = try await log.append(consume events, expecting: expectations)
        usage.count(added: added, findings: findings)
        return result
    }

    /// Appends all events, and returns what `existing` describes, with its new positions.
    ///
    /// Without events, `existing` itself is the result: what was asked for is there already.
    package consuming func commit(answering existing: WriteResult) async throws -> WriteResult {
        let streams = events.map(\.header.stream)
        let answer = events.firstIndex { $0.header.id == requestID } ?? 0
        guard let result = try await commit() else { return existing }
        var written = existing
        written.take(streams: streams, from: result.first, to: result.last, answer: answer)
        return written
    }

    /// Appends all events, and destroys the data key of a subject in the same operation.
    package func commit(erasing subject: UUID) async throws(EventLogError) -> AppendResult {
        try await log.erase(subject, events: events, expecting: expectations)
    }

    /// Appends all events, and destroys the keys of entries in the same operation.
    package func commit(erasing entries: [ErasedEntry]) async throws(EventLogError) -> AppendResult {
        try await log.erase(entries, events: events, expecting: expectations)
    }

    /// Creates the keys that `enqueue` needs, off the caller's thread.
    package func prepareKeys() async throws(EventLogError) { try await log.prepareKeys(of: events) }

    /// Puts all events at the end of the log's queue.
    package func enqueue(_ answer: @escaping @Sendable (Result<AppendResult, EventLogError>) -> Void)
        throws(EventLogError)
    {
        // Events of tools have no place in an outbox, whose changes are those of one account.
        guard journal.replica == nil else {
            throw EventLogError(.readOnly, "events of other tools cannot be appended to a replica: use the service")
        }
        let (usage, added, findings) = (usage, added, findings)
        try log.enqueue(events, expecting: expectations) { result in
            if case .success = result { usage.count(added: added, findings: findings) }
            answer(result)
        }
    }
}

extension JournalEvent {
    /// The accounts and practices to which the event gives access.
    fileprivate var beneficiaries: [UUID] {
        switch data {
        case let created as RecordCreated: created.owners
        case let added as RecordOwnerAdded: [added.account]
        case let transferred as RecordTransferred: [transferred.account]
        case let granted as CaregiverGranted: [granted.account]
        case let granted as MemberGranted: [granted.account]
        default: []
        }
    }
}
