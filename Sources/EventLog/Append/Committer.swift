internal import FoundationEssentials
internal import LMDB
internal import Platform

/// Accepts or refuses appends, and stamps, hashes and writes the frames of a group in one transaction.
final class Committer: Sendable {
    private let environment: Environment
    private let tables: LogTables
    private let index: StreamIndex
    private let keys: KeyStore
    private let erasures: Erasures
    private let clock: ClockGuard
    private let newest: NewestRecordedAt
    private let reserve: DiskReserve
    /// The Merkle tree's frontier and the last recorded time as of this process's last commit.
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
        clock: ClockGuard,
        newest: NewestRecordedAt,
        reserve: DiskReserve
    ) {
        self.environment = environment
        self.tables = tables
        self.index = index
        self.keys = keys
        self.erasures = erasures
        self.clock = clock
        self.newest = newest
        self.reserve = reserve
    }

    /// Whether a commit would have to wait for another writer's transaction.
    var isWriterLockHeld: Bool { environment.isWriting }

    /// Commits a group and answers each of its appends.
    func commit(_ group: [AppendRequest]) {
        guard reserve.byteCount < reserve.size, reserve.isMade, !reserve.refill() else { return commitAll(group) }
        // The disk was full, and a part of the reserve is released: this space is only for reads and erasures.
        for request in group where !request.mayUseReserve { request.answer(.failure(Committer.onlyReserveLeft)) }
        let rest = group.filter(\.mayUseReserve)
        if !rest.isEmpty { commitAll(rest) }
    }

    private static var onlyReserveLeft: EventLogError {
        EventLogError(
            .diskFull,
            "the disk is full: the rest is reserved for recording reads and erasures; free some space and try again"
        )
    }

    private func commitAll(_ group: [AppendRequest]) {
        do {
            let results = try finish(group, write(group))
            for (request, result) in zip(group, results) { request.answer(result) }
        } catch {
            // An append that does not fit on the disk, or needs damaged data, must fail alone: try each one separately.
            if group.count > 1 {
                for request in group { commitAll([request]) }
            } else if error.code == .diskFull, group.allSatisfy(\.mayUseReserve), reserve.release() {
                commitAll(group)
            } else {
                for request in group { request.answer(.failure(error)) }
            }
        }
    }

    /// Destroys the keys and attachments of subjects whose erasure was just committed.
    ///
    /// If that fails, the append fails too: a success would hide that the data still exists.
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
            // The index is only a cache: if it was wrong, it is rebuilt and the caller sees no error.
            guard error.code == .damaged, index.isSuspect else { throw error }
            return try writeOnce(group)
        }
    }

    private func writeOnce(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>] {
        do throws(EventLogError) {
            return try transact(group)
        } catch {
            // `settle` restores the keys that were disabled for an erasure whose event was not committed.
            if group.contains(where: { $0.erasing != nil }) { try? erasures.settle() }
            throw error
        }
    }

    private func transact(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>] {
        do {
            let written = try environment.write { transaction in try decide(group, transaction) }
            edge.withLock { $0 = written.edge }
            newest.note(written.edge.recordedAt)
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
        let news: IndexChanges
    }

    private func decide(_ group: [AppendRequest], _ transaction: borrowing WriteTransaction) throws -> Written {
        let before = try currentEdge(transaction.reading)
        try index.catchUp(tables, transaction.reading, to: before.frontier.size)
        let reading = clock.read()
        let newest = before.frontier.size == 0 ? nil : before.recordedAt
        if let problem = clock.problem(reading, newest: newest), !group.contains(where: \.acceptsClock) {
            throw problem.error
        }
        var batch = Batch(
            frontier: before.frontier,
            recordedAt: max(reading.wall, before.recordedAt),
            erased: try keys.erased()
        )
        batch.heads.reserveCapacity(group.reduce(0) { $0 + $1.frames.count })
        var results: [Result<AppendResult, EventLogError>] = []
        for request in group {
            results.append(try evaluate(request, &batch, transaction))
        }
        // No event was added: abort the transaction, so that the file is not written.
        if batch.frontier.size == before.frontier.size { throw NothingToCommit(results: results) }
        clock.keep(reading, newest: newest)
        return Written(
            results: results,
            edge: Edge(frontier: batch.frontier, recordedAt: batch.recordedAt),
            news: IndexChanges(
                after: before.frontier.size,
                through: batch.frontier.size,
                heads: batch.heads,
                keyed: batch.keyed
            )
        )
    }

    /// Accepts or refuses one append; throws errors that concern the whole group.
    private func evaluate(
        _ request: AppendRequest,
        _ batch: inout Batch,
        _ transaction: borrowing WriteTransaction
    ) throws -> Result<AppendResult, EventLogError> {
        do {
            return .success(try take(request, into: &batch, transaction))
        } catch {
            if error.refusesOneAppend { return .failure(error) }
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
            if let answer = try previousResult(request, batch, transaction.reading) { return answer }
            for expectation in request.expectations {
                let version = try head(of: expectation.stream, batch, transaction.reading).version
                guard expectation.version.admits(version) else {
                    throw EventLogError(
                        .versionConflict,
                        "this was changed in the meantime; read it again and retry"
                    )
                }
            }
            if !batch.erased.isEmpty, request.frames.contains(where: { batch.erased.contains($0.header.subject) }) {
                throw EventLogError(.subjectErased, "the data of this subject was erased; nothing can be added to it")
            }
            if let subject = request.erasing { try markForErasure(subject, &batch) }
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

    private func markForErasure(_ subject: UUID, _ batch: inout Batch) throws(EventLogError) {
        guard !batch.erased.contains(subject) else {
            throw EventLogError(.subjectErased, "the data of this subject was erased already")
        }
        try keys.markForErasure(subject, since: batch.frontier.size)
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
        // The frame is stamped and hashed in place, in the space that LMDB has reserved for it.
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

    /// Returns the skip position of the event that follows a stream's newest event.
    ///
    /// It is the position of version v & (v − 1) of the stream, where v is the version of the new event.
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

    /// Returns the result of an earlier append with the same idempotency keys; nil if there is none.
    ///
    /// Throws `.keyConflict` if the content of the earlier append is different.
    private func previousResult(
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
        // All events must be in the log, at consecutive positions: otherwise the result would name an event that was
        // never stored.
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

    /// Reports whether a stored event and an event of a repeated append are the same.
    ///
    /// An event without an idempotency key has a new id on each attempt; it is identified by its position relative to
    /// the events with a key.
    private func isSame(_ frame: Frame, _ header: EventHeader, _ payload: [UInt8]?) throws -> Bool {
        guard let payload else {
            return frame.stream == header.stream && frame.subject == header.subject && frame.type == header.type
                && !frame.id.isNameBased
        }
        guard frame.header.hasSameContent(as: header) else { return false }
        return try FrameSeal.open(frame.bytes, key: keys.key(for: frame.subject), at: frame.position) == payload
    }

    private func conflict(at position: UInt64) -> EventLogError {
        EventLogError(.keyConflict, "this idempotency key was already used with different content", position: position)
    }
}

/// The changes of the current transaction that are not in the index yet.
private struct Batch {
    var frontier: Frontier
    let recordedAt: Int64
    /// Subjects whose data is erased: nothing can be added to them.
    var erased: Set<UUID>
    var heads: [UUID: HeadChange] = [:]
    var keyed: [UUID: UInt64] = [:]
}

/// The global position, the version and the skip position of a stream's newest event; all are 0 for an empty stream.
struct StreamHead: Hashable, Sendable {
    let position: UInt64
    let version: UInt64
    let skip: UInt64

    static let empty = StreamHead(position: 0, version: 0, skip: 0)
}

extension EventHeader {
    /// Reports whether two headers are equal in all fields that a repeated append must not change.
    fileprivate func hasSameContent(as other: EventHeader) -> Bool {
        var copy = other
        copy.correlation = correlation
        copy.causation = causation
        // A repeated append may come from another actor, or through another interface.
        copy.actor = actor
        copy.source = source
        return self == copy
    }
}

extension EventLogError {
    /// Whether the error refuses a single append, and does not concern the whole group.
    fileprivate var refusesOneAppend: Bool {
        switch code {
        case .versionConflict, .keyConflict, .tooLarge, .subjectErased: true
        default: false
        }
    }
}
