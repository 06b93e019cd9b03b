internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import Interchange
internal import JournalCare
package import JournalCore

extension Journal {
    /// Events that other programs append.
    package struct Ingest: Sendable {
        let journal: Journal
    }

    package var ingest: Ingest { Ingest(journal: self) }
}

/// The result of appending an event of another tool.
package struct IngestResult: Hashable, Sendable {
    package let position: UInt64
    /// Whether the same event was appended before; `position` is then its first position.
    package let isRepeated: Bool
    /// The entry that the event became, if events of its type become entries.
    package var entry: UUID?
    package var record: UUID?

    package init(position: UInt64, isRepeated: Bool = false, entry: UUID? = nil, record: UUID? = nil) {
        self.position = position
        self.isRepeated = isRepeated
        self.entry = entry
        self.record = record
    }
}

extension Journal.Ingest {
    /// The maximum number of attempts to append an event if its record is changed concurrently.
    ///
    /// It is higher than for other requests, because no person is there to repeat the request.
    private static var deliveries: Int { 20 }

    /// Appends events of another tool in their order; each has a result of its own.
    ///
    /// Events of a known type (see `Kind.eventType`) become entries of the record that their subject names. All others
    /// are stored as the bytes that were received, in the stream `name`, by default their source. A repetition of the
    /// same source and id returns the first result again.
    package func append(
        _ events: [CloudEvent],
        stream name: String? = nil,
        _ caller: Caller
    ) async -> [Result<IngestResult, JournalError>] {
        var caller = caller
        caller.source = .ingest
        var results: [Result<IngestResult, JournalError>?] = Array(repeating: nil, count: events.count)
        var waiting = Array(events.indices)
        for attempt in 1...Self.deliveries {
            let isLast = attempt == Self.deliveries
            waiting = await append(events, waiting, stream: name, caller, isLast: isLast, &results)
            if waiting.isEmpty { break }
        }
        let checked = zip(events, results)
            .compactMap { event, result -> UUID? in
                guard case .success(let done) = result, !done.isRepeated, let kind = event.kind,
                    Journal.InteractionChecks.rechecked.contains(kind)
                else { return nil }
                return done.record
            }
        await journal.entriesChanged(in: Set(checked), by: caller)
        return results.map { $0 ?? .failure(JournalError(.failed, "there is no result for the event")) }
    }

    /// Makes one attempt; returns the indices of the events that must be retried because of a concurrent change.
    private func append(
        _ events: [CloudEvent],
        _ indices: [Int],
        stream name: String?,
        _ caller: Caller,
        isLast: Bool,
        _ results: inout [Result<IngestResult, JournalError>?]
    ) async -> [Int] {
        let (answers, continuation) = AsyncStream.makeStream(of: (Int, Result<AppendResult, EventLogError>).self)
        var delivery = EventBatchDecider(journal, caller, stream: name)
        var places: [Int: EventBatchDecider.Place] = [:]
        var denied: [(index: Int, denial: Denial)] = []
        for (offset, index) in indices.enumerated() {
            do {
                switch try await journal.waitingForViews({ try delivery.prepare(events[index]) }) {
                case .refused(let denial): denied.append((index, denial))
                case .ready(let change, let place):
                    try await change.prepareKeys()
                    // Each event is a separate append, so that a crash between two events loses only
                    // those that were not answered.
                    try change.enqueue { continuation.yield((index, $0)) }
                    places[index] = place
                }
            } catch {
                let error = JournalError(error)
                results[index] = .failure(error)
                guard error.code == .busy else { continue }
                // Later events must not overtake this one.
                for later in indices[offset...] { results[later] = .failure(error) }
                break
            }
        }
        var again: [Int] = []
        var waiting = places.count
        if waiting > 0 {
            for await (index, answer) in answers {
                switch answer {
                case .failure(let error) where error.code == .versionConflict && !isLast: again.append(index)
                case .failure(let error): results[index] = .failure(JournalError(error))
                case .success(let appended):
                    results[index] = .success(
                        IngestResult(
                            position: appended.last,
                            isRepeated: appended.isRepeated,
                            entry: places[index]?.entry,
                            record: places[index]?.record
                        )
                    )
                }
                waiting -= 1
                if waiting == 0 { break }
            }
        }
        await refuse(denied, caller, &results)
        return again.sorted()
    }

    /// Sets the results of refused events after the refusals have been recorded.
    private func refuse(
        _ denied: [(index: Int, denial: Denial)],
        _ caller: Caller,
        _ results: inout [Result<IngestResult, JournalError>?]
    ) async {
        guard !denied.isEmpty else { return }
        do {
            let errors = try await journal.access.recordRefusals(denied.map(\.denial), of: caller)
            for ((index, _), error) in zip(denied, errors) { results[index] = .failure(error) }
        } catch {
            for (index, _) in denied { results[index] = .failure(JournalError(error)) }
        }
    }
}
