internal import EventLog
internal import FoundationEssentials
package import HealthModel
internal import Interchange
package import JournalCore
internal import Platform

/// The changes of a replica that wait to be sent, and what became of those that were sent.
///
/// It is an event log of its own, so that each change is sealed and on the disk before it is acknowledged. A change
/// leaves it only after the service took it and the mirror has the result.
package final class Outbox: Sendable {
    /// A change, and what became of it.
    package struct Item: Hashable, Sendable {
        package let change: SyncCommand
        package var answer: Answer?

        /// Whether the change waits to be sent.
        package var isWaiting: Bool { answer == nil }
        package var isRefused: Bool { answer?.outcome == .refused }

        /// Whether a mirror that reaches to a position does not show the change yet.
        func isMissing(through position: UInt64) -> Bool {
            guard let answer else { return true }
            return answer.outcome != .refused && answer.position > position
        }
    }

    /// What the service answered to a change.
    package struct Answer: Hashable, Sendable {
        package var outcome: SyncOutcome
        /// Where the result is in the service's log; 0 if it was refused.
        package var position: UInt64 = 0
        /// Why it was refused: the name of the problem and its text.
        package var problem: String?
        package var detail: String?
        package var field: String?

        package init(
            _ outcome: SyncOutcome,
            position: UInt64 = 0,
            problem: String? = nil,
            detail: String? = nil,
            field: String? = nil
        ) {
            (self.outcome, self.position) = (outcome, position)
            (self.problem, self.detail, self.field) = (problem, detail, field)
        }
    }

    /// The number of changes that may wait; a further one is refused, unless it is a dose.
    package static let limit = 10_000
    /// The number of changes that are done with, after which the outbox is written anew without them.
    private static let worthCompacting = 1_000

    /// The content of a change was valid when it was made, by the clock of that moment.
    fileprivate static let endOfTime = Instant(microseconds: 253_402_300_799_000_000)

    /// The codes of the outbox's own events.
    fileprivate enum Code {
        static let change: UInt16 = 1
        static let answer: UInt16 = 2
        /// The change is no longer kept: its record was erased, or the user discarded it.
        static let removal: UInt16 = 3
    }

    private let log: EventLog
    private let account: UUID
    private let state = Guarded(State())

    fileprivate struct State {
        var position: UInt64 = 0
        var items: [UInt64: Item] = [:]
        var last: UInt64 = 0
        var isClosed = false
    }

    init(_ log: EventLog, account: UUID) {
        (self.log, self.account) = (log, account)
    }

    /// Closes the outbox; a second call does nothing, because another outbox may be in the folder by then.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if isFirst { log.close() }
    }

    /// Returns the changes in the order in which they were made.
    package func items() throws(JournalError) -> [Item] {
        do {
            return try state.withLock { state in
                try catchUp(&state)
                return state.items.values.sorted { $0.change.seq < $1.change.seq }
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the number that follows that of the last change.
    func nextNumber() throws -> UInt64 {
        try state.withLock { state in
            try catchUp(&state)
            return state.last + 1
        }
    }

    /// Keeps changes; returns when they are on the disk.
    func keep(_ changes: [SyncCommand]) async throws {
        let waiting = try items().count(where: \.isWaiting)
        if waiting + changes.count > Outbox.limit, changes.contains(where: { $0.kind != Dose.kind }) {
            throw JournalError(
                .failed,
                """
                \(waiting) changes wait here, which is as many as a replica keeps: run healthjournal sync first \
                (doses are still taken)
                """
            )
        }
        let events = changes.map { event(Code.change, $0.record, $0.json) }
        _ = try await log.append(events)
    }

    /// Records what the service answered.
    func record(_ answers: [(change: SyncCommand, answer: Answer)]) async throws(JournalError) {
        guard !answers.isEmpty else { return }
        do {
            _ = try await log.append(answers.map { event(Code.answer, $0.record, $1.json(of: $0)) })
        } catch {
            throw JournalError(error)
        }
    }

    /// Keeps changes no longer.
    func remove(_ changes: [SyncCommand]) async throws(JournalError) {
        guard !changes.isEmpty else { return }
        do {
            _ = try await log.append(changes.map { event(Code.removal, $0.record, ["seq": .integer($0.seq)]) })
        } catch {
            throw JournalError(error)
        }
    }

    /// Destroys the keys of erased records, so that changes of them can never be read again.
    func forget(_ records: Set<UUID>) throws(JournalError) {
        do {
            try log.keys.destroy(records)
            state.withLock { $0 = State() }
        } catch {
            throw JournalError(error)
        }
    }

    /// Removes the changes of erased entries; the next `Replica.compact` also removes their stored bytes.
    func forget(entries: Set<UUID>) async throws(JournalError) {
        do {
            try await remove(items().map(\.change).filter { entries.contains($0.entry) })
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the changes and answers that are still needed; nil if, unless `always`, most are.
    func needed(through position: UInt64, always: Bool) throws -> [Item]? {
        let items = try items()
        let needed = items.filter { $0.isRefused || $0.isMissing(through: position) }
        let isWorthIt = items.count - needed.count >= Outbox.worthCompacting && needed.count * 2 < items.count
        return always || isWorthIt ? needed : nil
    }

    /// Writes changes with their answers, in place of those with the same numbers.
    func fill(_ items: [Item]) async throws {
        guard !items.isEmpty else { return }
        let events = items.flatMap { item in
            [event(Code.change, item.change.record, item.change.json)]
                + (item.answer.map { [event(Code.answer, item.change.record, $0.json(of: item.change))] } ?? [])
        }
        _ = try await log.append(events)
    }

    /// Makes all changes that were not refused wait again, as changes of a device, because the service was restored to
    /// an older state.
    ///
    /// They no longer state on which version they were made: other events may be at that position now, which the device
    /// has not seen. A decision between two versions is refused, because it names one of them by its position.
    func restart(as device: UUID) async throws {
        let restored = try items()
            .map { item in
                var change = item.change
                (change.device, change.base) = (device, nil)
                var answer = item.isRefused ? item.answer : nil
                if change.action == .settle, answer == nil {
                    answer = Answer(
                        .refused,
                        problem: JournalError.Code.conflict.rawValue,
                        detail: "the service was restored to an older state: decide again"
                    )
                }
                return Item(change: change, answer: answer)
            }
        try await fill(restored)
    }

    private func event(_ code: UInt16, _ record: UUID, _ json: JSONValue) -> NewEvent {
        let id = UUID.timeOrdered(at: log.now())
        let header = EventHeader(
            stream: record,
            id: id,
            subject: record,
            type: code,
            schemaVersion: 1,
            category: 0,
            actor: account,
            correlation: id,
            source: EventSource.commandLine.rawValue
        )
        return NewEvent(header: header, payload: JSONWriter.bytes(json))
    }

    private func catchUp(_ state: inout State) throws {
        while case let page = try log.events(after: state.position), !page.isEmpty {
            for event in page {
                state.position = event.position
                do {
                    try state.take(event.header.type, log.open(event))
                } catch let error as EventLogError where error.code == .subjectErased {
                    continue
                }
            }
        }
    }
}

extension Outbox.State {
    fileprivate mutating func take(_ code: UInt16, _ payload: [UInt8]) throws {
        let object = try NativeObject(JSONReader.read(payload, maximumBytes: payload.count))
        let seq = try object.number("seq")
        last = max(last, seq)
        switch code {
        case Outbox.Code.change: items[seq] = Outbox.Item(change: try SyncCommand(object, now: Outbox.endOfTime))
        case Outbox.Code.answer:
            guard let outcome = SyncOutcome(rawValue: try object.required("outcome")) else { return }
            items[seq]?.answer = Outbox.Answer(
                outcome,
                position: try object.number("position"),
                problem: try object.text("problem"),
                detail: try object.text("detail"),
                field: try object.text("field")
            )
        case Outbox.Code.removal: items[seq] = nil
        default: break
        }
    }
}

extension Outbox.Answer {
    /// The form in which the answer to a change is stored.
    fileprivate func json(of change: SyncCommand) -> JSONValue {
        .present([
            "seq": .integer(change.seq), "outcome": .string(outcome.rawValue), "position": .integer(position),
            "problem": problem.map { .string($0) }, "detail": detail.map { .string($0) },
            "field": field.map { .string($0) },
        ])
    }
}
