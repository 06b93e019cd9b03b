import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore

/// The changes that a device sent, answered line by line as each becomes durable.
struct SyncStream: Sendable {
    private let journal: Journal
    private let renew: ServerContext.Renewal
    /// How far the service's clock is ahead of the device's, in microseconds.
    private let offset: Int64
    private let lines: [ArraySlice<UInt8>]
    /// Held until the response ends.
    private let slot: ConcurrencyLimiter.Slot

    init(
        _ journal: Journal,
        _ context: ServerContext,
        offset: Int64?,
        _ body: [UInt8],
        _ slot: ConcurrencyLimiter.Slot
    ) throws {
        self.journal = journal
        self.slot = slot
        self.offset = offset ?? 0
        renew = try context.requireRenewal()
        lines = body.split(separator: 0x0A)
        if lines.count > SyncCommand.batch {
            throw JournalError(.invalid, "has more than \(SyncCommand.batch) lines")
        }
    }

    /// Decides the first changes before the response begins, so that a full queue is reported by the status.
    @concurrent func response() async throws -> Response {
        let batches = batches()
        let first = try await batches.first.asyncMap { batch in
            let answers = await answers(to: batch)
            if case .failure(let error)? = answers.first { throw error }
            return answers
        }
        return Response(
            status: .ok,
            headers: [.contentType: AnswerType.lines.rawValue],
            body: ResponseBody { writer in
                try await send(first ?? [], batches.dropFirst(), &writer)
            }
        )
    }

    @concurrent private func send(
        _ first: [Result<JSONValue, any Error>],
        _ batches: ArraySlice<[Line]>,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        var next = lines(of: first)
        try await writer.write(ByteBuffer(bytes: next.bytes))
        for batch in batches where next.isWhole {
            next = lines(of: await answers(to: batch))
            try await writer.write(ByteBuffer(bytes: next.bytes))
        }
        try await writer.finish(nil)
    }

    /// Returns answers as lines, up to one that is missing.
    ///
    /// An error that is not an answer ends the response: the device sends that line and the following ones again.
    private func lines(of answers: [Result<JSONValue, any Error>]) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        for answer in answers {
            guard case .success(let answer) = answer else { return (bytes, false) }
            bytes += JSONWriter.bytes(answer) + [0x0A]
        }
        return (bytes, true)
    }

    // MARK: - Reading

    /// A line of the request: a change, or why it is none.
    private enum Line: Sendable {
        case change(SyncCommand)
        case refused(JSONValue)

        /// The entries that the change concerns: its own, and those to which it refers.
        var entries: Set<UUID> {
            guard case .change(let command) = self else { return [] }
            return (command.content?.body.ids ?? []).union([command.entry])
        }
    }

    /// The maximum number of changes that are decided at the same time.
    private static let atOnce = 64

    /// Returns the lines in batches, each with changes that do not depend on each other.
    ///
    /// The changes of a batch are decided at the same time, so that one sync of the disk makes all of them durable.
    private func batches() -> [[Line]] {
        var last: UInt64 = 0
        var batches: [[Line]] = []
        var concerned: Set<UUID> = []
        for (index, line) in lines.enumerated() {
            let read = read(line, number: index + 1, after: &last)
            let entries = read.entries
            if let batch = batches.last, batch.count < SyncStream.atOnce, concerned.isDisjoint(with: entries) {
                batches[batches.count - 1].append(read)
                concerned.formUnion(entries)
            } else {
                batches.append([read])
                concerned = entries
            }
        }
        return batches
    }

    private func read(_ line: ArraySlice<UInt8>, number: Int, after last: inout UInt64) -> Line {
        var seq: UInt64?
        do {
            let object = try NativeObject(JSONReader.read(Array(line)))
            seq = try object.number("seq")
            let command = try SyncCommand(object, now: journal.now)
            guard command.seq > last else {
                throw JournalError(.invalid, field: "seq", "must be greater than that of the line before")
            }
            last = command.seq
            return .change(command)
        } catch {
            return .refused(refusal(JournalError(error), seq: seq, number: number))
        }
    }

    private func refusal(_ error: JournalError, seq: UInt64?, number: Int = 0) -> JSONValue {
        .present([
            "seq": seq.map { .integer($0) }, "line": seq == nil ? .integer(number) : nil,
            "outcome": .string(SyncOutcome.refused.rawValue), "problem": Problem(error).json,
        ])
    }

    // MARK: - Deciding

    /// Decides changes that do not depend on each other; a failure is an error after which a change may succeed later.
    @concurrent private func answers(to batch: [Line]) async -> [Result<JSONValue, any Error>] {
        await withTaskGroup(of: NumberedAnswer.self) { group in
            for (index, line) in batch.enumerated() {
                group.addTask { await numberedAnswer(to: line, index) }
            }
            var answers: [NumberedAnswer] = []
            for await answer in group { answers.append(answer) }
            return answers.sorted { $0.index < $1.index }.map(\.answer)
        }
    }

    /// The answer to a line, with the line's place in its batch.
    ///
    /// It is a class because the optimiser of Swift 6.3 mixes up the parts of a tuple that a task of a group returns.
    private final class NumberedAnswer: Sendable {
        let index: Int
        let answer: Result<JSONValue, any Error>

        init(_ index: Int, _ answer: Result<JSONValue, any Error>) {
            self.index = index
            self.answer = answer
        }
    }

    @concurrent private func numberedAnswer(to line: Line, _ index: Int) async -> NumberedAnswer {
        do {
            return NumberedAnswer(index, .success(try await answer(to: line)))
        } catch {
            return NumberedAnswer(index, .failure(error))
        }
    }

    @concurrent private func answer(to line: Line) async throws -> JSONValue {
        switch line {
        case .refused(let answer): return answer
        case .change(let command):
            do {
                // Authentication is checked for each line: a token that was revoked meanwhile changes nothing more.
                let taken = try await journal.sync.take(command, offset: offset, try await renew())
                return .present([
                    "seq": .integer(command.seq), "outcome": .string(taken.outcome.rawValue),
                    "position": .integer(taken.position),
                    "fields": taken.fields.isEmpty ? nil : .array(taken.fields.map { .string($0) }),
                ])
            } catch {
                let error = JournalError(error)
                if error.isTransient { throw error }
                return refusal(error, seq: command.seq)
            }
        }
    }
}

extension FieldValues {
    /// The ids in the values, which may be those of other entries.
    fileprivate var ids: Set<UUID> {
        var ids: Set<UUID> = []
        for item in items {
            switch item.value {
            case .id(let id): ids.insert(id)
            case .group(let values): ids.formUnion(values.ids)
            case .list(let values):
                for case .group(let values) in values { ids.formUnion(values.ids) }
                for case .id(let id) in values { ids.insert(id) }
            case .text, .decimal, .integer, .flag, .day, .instant, .bytes: break
            }
        }
        return ids
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
