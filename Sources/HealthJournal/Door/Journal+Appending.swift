internal import EventLog
package import FoundationEssentials
internal import HealthModel
package import Interchange

/// What became of an event of another tool.
package struct DoorAnswer: Hashable, Sendable {
    package let position: UInt64
    /// The same event had come before, and has its first position.
    package let isRepeated: Bool
    /// What it became, if it is of a type that becomes an entry.
    package var entry: UUID?
    package var record: UUID?
}

extension Journal {
    /// How often an event is decided anew when its record was changed meanwhile: a tool waits for nobody to ask again.
    private static var deliveries: Int { 20 }

    /// Appends events of another tool in their order; each is answered by itself.
    ///
    /// Those of a known type (see `Kind.eventType`) become entries of the record that their subject names; all others are
    /// kept as the bytes that came, in the stream of a name: by default their source. The same source and id again have
    /// the first answer again.
    package func append(
        _ events: [CloudEvent],
        stream name: String? = nil,
        _ caller: Caller
    ) async -> [Result<DoorAnswer, JournalError>] {
        var caller = caller
        caller.source = .door
        var results: [Result<DoorAnswer, JournalError>?] = Array(repeating: nil, count: events.count)
        var waiting = Array(events.indices)
        for attempt in 1...Journal.deliveries {
            let isLast = attempt == Journal.deliveries
            waiting = await append(events, waiting, stream: name, caller, isLast: isLast, &results)
            if waiting.isEmpty { break }
        }
        return results.map { $0 ?? .failure(JournalError(.failed, "the event was not answered")) }
    }

    /// One attempt: answers which of the events must be decided anew, because somebody else was faster.
    private func append(
        _ events: [CloudEvent],
        _ indices: [Int],
        stream name: String?,
        _ caller: Caller,
        isLast: Bool,
        _ results: inout [Result<DoorAnswer, JournalError>?]
    ) async -> [Int] {
        let (answers, continuation) = AsyncStream.makeStream(of: (Int, Result<AppendResult, EventLogError>).self)
        var delivery = Delivery(self, caller, stream: name)
        var places: [Int: Delivery.Place] = [:]
        var denied: [(index: Int, denial: Denial)] = []
        for (offset, index) in indices.enumerated() {
            do {
                switch try delivery.prepare(events[index]) {
                case .refused(let denial): denied.append((index, denial))
                case .ready(let change, let place):
                    // Each by itself: what was answered before a crash is then told apart from what was not.
                    try change.enqueue { continuation.yield((index, $0)) }
                    places[index] = place
                }
            } catch {
                let error = JournalError(error)
                results[index] = .failure(error)
                guard error.code == .busy else { continue }
                // What comes after must not overtake it.
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
                        DoorAnswer(
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

    /// Answers those that were refused, when that is on record.
    private func refuse(
        _ denied: [(index: Int, denial: Denial)],
        _ caller: Caller,
        _ results: inout [Result<DoorAnswer, JournalError>?]
    ) async {
        guard !denied.isEmpty else { return }
        do {
            try await keepOnRecord(denied.map(\.denial), of: caller)
            for (index, denial) in denied { results[index] = .failure(denial.error) }
        } catch {
            for (index, _) in denied { results[index] = .failure(JournalError(error)) }
        }
    }
}
