internal import FoundationEssentials
internal import LMDB

/// Decides appends and writes them: stamps, hashes and puts the frames of a group in one transaction.
final class Committer: Sendable {
    private let environment: Environment
    private let tables: LogTables
    private let index: StreamIndex
    private let keys: KeyStore
    private let erasures: Erasures
    private let now: @Sendable () -> Int64
    /// The tree's edge and the last recorded time as of this process's last commit.
    private let edge = Guarded<Edge?>(nil)

    private struct Edge: Sendable {
        var frontier: Frontier
        var recordedAt: Int64
    }

    init(
        environment: Environment,
        tables: LogTables,
        index: StreamIndex,
        keys: KeyStore,
        erasures: Erasures,
        now: @escaping @Sendable () -> Int64
    ) {
        self.environment = environment
        self.tables = tables
        self.index = index
        self.keys = keys
        self.erasures = erasures
        self.now = now
    }

    /// Commits a group and answers each append of it.
    func commit(_ group: [AppendRequest]) {
        do {
            let results = try finish(group, write(group))
            for (request, result) in zip(group, results) { request.answer(result) }
        } catch {
            // What has no room, or leads to what is damaged, fails alone: each is tried by itself, and the others are kept.
            if group.count > 1 {
                for request in group { commit([request]) }
            } else {
                for request in group { request.answer(.failure(error)) }
            }
        }
    }

    /// Destroys the keys of those whose erasure is in the log now; an answer that hides that it failed would be a lie.
    private func finish(
        _ group: [AppendRequest],
        _ results: [Result<AppendResult, EventLogError>]
    ) -> [Result<AppendResult, EventLogError>] {
        zip(group, results)
            .map { request, result in
                guard let subject = request.erasing, case .success = result else { return result }
                do throws(EventLogError) {
                    try erasures.finish([subject])
                    return result
                } catch {
                    return .failure(error)
                }
            }
    }

    private func write(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>] {
        do throws(EventLogError) {
            return try writeOnce(group)
        } catch {
            // The index is only a cache: if it led wrong, it is built anew, and nobody need hear of it.
            guard error.code == .damaged, index.isSuspect else { throw error }
            return try writeOnce(group)
        }
    }

    private func writeOnce(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>] {
        do throws(EventLogError) {
            return try transact(group)
        } catch {
            // What was shut off for an event that did not come is opened again.
            if group.contains(where: { $0.erasing != nil }) { try? erasures.settle() }
            throw error
        }
    }

    private func transact(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>] {
        do {
            let written = try environment.write { transaction in try decide(group, transaction) }
            edge.withLock { $0 = written.edge }
            index.note(written.news)
            return written.results
        } catch let nothing as NothingToCommit {
            return nothing.results
        } catch {
            throw EventLogError(error, "the append failed")
        }
    }

    private struct Written {
        let results: [Result<AppendResult, EventLogError>]
        let edge: Edge
        let news: IndexNews
    }

    private func decide(_ group: [AppendRequest], _ transaction: borrowing WriteTransaction) throws -> Written {
        let before = try currentEdge(transaction.reading)
        try index.catchUp(tables, transaction.reading, to: before.frontier.size)
        var batch = Batch(
            frontier: before.frontier,
            recordedAt: max(now(), before.recordedAt),
            erased: try keys.erased()
        )
        batch.heads.reserveCapacity(group.reduce(0) { $0 + $1.frames.count })
        var results: [Result<AppendResult, EventLogError>] = []
        for request in group {
            results.append(try verdict(on: request, &batch, transaction))
        }
        // Nothing new: leave the file alone.
        if batch.frontier.size == before.frontier.size { throw NothingToCommit(results: results) }
        return Written(
            results: results,
            edge: Edge(frontier: batch.frontier, recordedAt: batch.recordedAt),
            news: IndexNews(
                after: before.frontier.size,
                through: batch.frontier.size,
                heads: batch.heads,
                keyed: batch.keyed
            )
        )
    }

    /// The answer to one append; throws what concerns the whole group.
    private func verdict(
        on request: AppendRequest,
        _ batch: inout Batch,
        _ transaction: borrowing WriteTransaction
    ) throws -> Result<AppendResult, EventLogError> {
        do {
            return .success(try take(request, into: &batch, transaction))
        } catch {
            if error.isVerdict { return .failure(error) }
            throw error
        }
    }

    private struct NothingToCommit: Error {
        let results: [Result<AppendResult, EventLogError>]
    }

    private func currentEdge(_ transaction: borrowing ReadTransaction) throws -> Edge {
        let head = try tables.head(transaction)
        if let edge = edge.withLock({ $0 }), edge.frontier.size == head { return edge }
        let recordedAt = head == 0 ? Int64.min : try tables.frame(at: head, transaction).recordedAt
        return Edge(frontier: try tables.frontier(ofSize: head, transaction), recordedAt: recordedAt)
    }

    private func take(
        _ request: AppendRequest,
        into batch: inout Batch,
        _ transaction: borrowing WriteTransaction
    ) throws(EventLogError) -> AppendResult {
        do {
            if let answer = try answerGivenBefore(request, batch, transaction.reading) { return answer }
            for expectation in request.expectations {
                let version = try head(of: expectation.stream, batch, transaction.reading).version
                guard expectation.version.admits(version) else {
                    throw EventLogError(
                        .versionConflict,
                        "this was changed in the meantime; look at it again and repeat"
                    )
                }
            }
            if !batch.erased.isEmpty, request.frames.contains(where: { batch.erased.contains($0.header.subject) }) {
                throw EventLogError(.subjectErased, "the data of this subject was erased; nothing can be added to it")
            }
            if let subject = request.erasing { try condemn(subject, &batch) }
            let first = batch.frontier.size + 1
            for frame in request.frames {
                try put(frame, into: &batch, transaction)
            }
            return AppendResult(
                first: first,
                last: batch.frontier.size,
                recordedAt: batch.recordedAt,
                isRepeated: false
            )
        } catch {
            throw EventLogError(error, "the append failed")
        }
    }

    private func condemn(_ subject: UUID, _ batch: inout Batch) throws(EventLogError) {
        guard !batch.erased.contains(subject) else {
            throw EventLogError(.subjectErased, "the data of this subject was erased already")
        }
        try keys.condemn(subject, since: batch.frontier.size)
        batch.erased.insert(subject)
    }

    private func put(
        _ sealed: SealedFrame,
        into batch: inout Batch,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let position = batch.frontier.size + 1
        let stream = sealed.header.stream
        let head = try head(of: stream, batch, transaction.reading)
        let stamp = FrameStamp(
            position: position,
            streamPosition: head.version + 1,
            previous: head.position,
            skip: try skip(behind: head, transaction.reading),
            recordedAt: batch.recordedAt
        )
        // Stamped and hashed where it will lie.
        let key = Key(position)
        let leaf = try transaction.append(key, byteCount: sealed.bytes.count, to: tables.events) { frame in
            frame.take(sealed.bytes.raw)
            stamp.write(to: &frame)
            return MerkleHash.leaf(frame.bytes)
        }
        let rowLength = batch.frontier.completedByNext * MerkleHash.length
        try transaction.append(key, byteCount: rowLength, to: tables.tree) { row in
            var offset = 0
            batch.frontier.append(leaf) { hash in
                hash.write(to: &row, at: offset)
                offset += MerkleHash.length
            }
        }
        let newest = StreamHead(position: position, version: stamp.streamPosition, skip: stamp.skip)
        batch.heads[stream, default: HeadChange(before: head.position, head: newest)].head = newest
        if sealed.header.id.isNameBased { batch.keyed[sealed.header.id] = position }
    }

    /// The skip position of the event that comes behind a stream's newest one: that of version v & (v − 1).
    private func skip(behind head: StreamHead, _ transaction: borrowing ReadTransaction) throws -> UInt64 {
        let target = head.version & (head.version + 1)
        if target == 0 { return 0 }
        if target == head.version { return head.position }
        if target == head.version & (head.version - 1) { return head.skip }
        return try tables.position(ofVersion: target, from: head.skip, transaction)
    }

    private func head(
        of stream: UUID,
        _ batch: Batch,
        _ transaction: borrowing ReadTransaction
    ) throws -> StreamHead {
        if let known = batch.heads[stream] { return known.head }
        return try index.head(of: stream, tables, transaction)
    }

    /// Looks whether an append came before under its idempotency keys: the same gets its answer again, another is refused.
    private func answerGivenBefore(
        _ request: AppendRequest,
        _ batch: Batch,
        _ transaction: borrowing ReadTransaction
    ) throws -> AppendResult? {
        var known: [Int: UInt64] = [:]
        for offset in request.keyedPayloads.keys {
            let id = request.frames[offset].header.id
            known[offset] = try batch.keyed[id] ?? index.position(ofKey: id, tables, transaction)
        }
        guard let (offset, position) = known.first else { return nil }
        // All of it, in one piece: an answer that names an event which is not there would lose it.
        guard known.count == request.keyedPayloads.count, position > UInt64(offset) else {
            throw conflict(at: position)
        }
        let first = position - UInt64(offset)
        let last = first + UInt64(request.frames.count) - 1
        guard last <= batch.frontier.size else { throw conflict(at: position) }
        for (offset, sealed) in request.frames.enumerated() {
            let frame = try tables.frame(at: first + UInt64(offset), transaction)
            guard try isSame(frame, sealed.header, request.keyedPayloads[offset]) else {
                throw conflict(at: frame.position)
            }
        }
        return AppendResult(
            first: first,
            last: last,
            recordedAt: try tables.frame(at: first, transaction).recordedAt,
            isRepeated: true
        )
    }

    /// An event without a key has a new id each time, and is known by its place beside those that have one.
    private func isSame(_ frame: Frame, _ header: EventHeader, _ payload: [UInt8]?) throws -> Bool {
        guard let payload else {
            return frame.stream == header.stream && frame.subject == header.subject && frame.type == header.type
                && !frame.id.isNameBased
        }
        guard frame.header.saysTheSame(as: header) else { return false }
        return try FrameSeal.open(frame.bytes, key: keys.key(for: frame.subject), at: frame.position) == payload
    }

    private func conflict(at position: UInt64) -> EventLogError {
        EventLogError(.keyConflict, "this idempotency key came before, with other content", position: position)
    }
}

/// What a transaction has put so far, and the index does not know yet.
private struct Batch {
    var frontier: Frontier
    let recordedAt: Int64
    /// Whose data nobody may add to.
    var erased: Set<UUID>
    var heads: [UUID: HeadChange] = [:]
    var keyed: [UUID: UInt64] = [:]
}

/// The newest event of a stream: its global position, its place in the stream and its skip position, all 0 for an empty one.
struct StreamHead: Hashable, Sendable {
    let position: UInt64
    let version: UInt64
    let skip: UInt64

    static let empty = StreamHead(position: 0, version: 0, skip: 0)
}

extension EventHeader {
    /// Equal but for what a repetition may change: who sends it, and what it is correlated with.
    fileprivate func saysTheSame(as other: EventHeader) -> Bool {
        var copy = other
        copy.correlation = correlation
        copy.causation = causation
        // The same said by somebody else, or through another door, is still the same.
        copy.actor = actor
        copy.source = source
        return self == copy
    }
}

extension EventLogError {
    /// The answer to one append, as against a fault that concerns the whole group.
    fileprivate var isVerdict: Bool {
        switch code {
        case .versionConflict, .keyConflict, .tooLarge, .subjectErased: true
        default: false
        }
    }
}
