internal import FoundationEssentials
internal import LMDB
internal import Platform

/// The log of record in LMDB: decides, stamps, hashes and writes the frames of a group in one write transaction.
final class LocalLog: LogOfRecord {
    private let environment: Environment
    private let tables: LogTables
    private let index: StreamIndex
    private let keys: KeyStore
    private let erasures: Erasures
    private let clock: ClockGuard
    private let newest: NewestRecordedAt
    /// The log's edge as of this process's last commit.
    private let edge = Guarded<Edge?>(nil)

    /// The head, the Merkle tree's frontier and the last recorded time; a mirror has no tree.
    private struct Edge: Sendable {
        var head: UInt64
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
        newest: NewestRecordedAt
    ) {
        self.environment = environment
        self.tables = tables
        self.index = index
        self.keys = keys
        self.erasures = erasures
        self.clock = clock
        self.newest = newest
    }

    var isWriting: Bool { environment.isWriting }

    func commit(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>] {
        var results: [Result<AppendResult, EventLogError>]
        do throws(EventLogError) {
            results = try transact(group)
        } catch {
            // The index is only a cache: if it was wrong, it is rebuilt and the caller sees no error.
            guard error.code == .damaged, index.isSuspect else { throw error }
            results = try transact(group)
        }
        for (offset, request) in group.enumerated() {
            guard !request.erasing.isEmpty, case .success = results[offset] else { continue }
            do throws(EventLogError) {
                try erasures.finish(request.erasing)
            } catch {
                // The append fails too: a success would hide that the data still exists.
                results[offset] = .failure(error)
            }
        }
        return results
    }

    /// What a transaction has decided and written.
    private struct Written {
        let results: [Result<AppendResult, EventLogError>]
        let edge: Edge
        /// Nil if no event was added.
        let changes: IndexChanges?
    }

    private func transact(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>] {
        do {
            // If no event was added, the transaction is aborted, so that the file is not written.
            let written = try environment.write(
                committingIf: { $0.changes != nil },
                { transaction in try write(group, transaction) }
            )
            if let changes = written.changes {
                edge.withLock { $0 = written.edge }
                newest.note(written.edge.recordedAt)
                index.note(changes)
            }
            return written.results
        } catch {
            // `settle` restores the keys that were disabled for an erasure whose event was not committed. If that fails as
            // well, it is done when the log is opened again; the error of the append is reported in either case.
            if group.contains(where: { !$0.erasing.isEmpty }) { try? erasures.settle() }
            throw EventLogError(error, "the append failed")
        }
    }

    /// Decides each append of a group, and writes the frames of the accepted ones.
    private func write(_ group: [AppendRequest], _ transaction: borrowing WriteTransaction) throws -> Written {
        var edge = try currentEdge(transaction.reading)
        let isEmpty = edge.head == 0
        try index.catchUp(tables, transaction.reading, to: edge.head)
        let reading = clock.read()
        let newest = isEmpty ? nil : edge.recordedAt
        if let problem = clock.problem(reading, newest: newest), !group.contains(where: \.acceptsClock) {
            throw problem.error
        }
        let unusable = try keys.unusable()
        var decider = Decider(
            head: edge.head,
            recordedAt: max(reading.wall, edge.recordedAt),
            erased: unusable.erased,
            retired: unusable.retired,
            expectedEvents: group.reduce(0) { $0 + $1.frames.count }
        )
        let state = LocalLogState(transaction.reading.lent, tables, index, keys)
        var results: [Result<AppendResult, EventLogError>] = []
        var newestTime = edge.recordedAt
        for request in group {
            switch try decider.decide(request, state) {
            case .refused(let error): results.append(.failure(error))
            case .repeated(let result): results.append(.success(result))
            case .accepted:
                for subject in request.erasing {
                    try keys.markForErasure(subject, since: decider.head)
                    decider.noteErasure(of: subject)
                }
                let first = decider.head + 1
                for (offset, frame) in request.frames.enumerated() {
                    let stamp = try decider.stamp(frame, at: request.places?[offset], state)
                    try write(frame, stamp, &edge.frontier, transaction)
                    newestTime = stamp.recordedAt
                }
                results.append(
                    .success(
                        AppendResult(
                            first: first,
                            last: decider.head,
                            recordedAt: decider.recordedAt,
                            isRepeated: false
                        )
                    )
                )
            }
        }
        guard decider.hasEvents else { return Written(results: results, edge: edge, changes: nil) }
        clock.keep(reading, newest: newest)
        (edge.head, edge.recordedAt) = (decider.head, newestTime)
        return Written(results: results, edge: edge, changes: decider.changes)
    }

    /// Writes a frame and the hashes of the tree that it completes.
    private func write(
        _ sealed: SealedFrame,
        _ stamp: FrameStamp,
        _ frontier: inout Frontier,
        _ transaction: borrowing WriteTransaction
    ) throws {
        // The frame is stamped and hashed in place, in the space that LMDB has reserved for it.
        let key = Key(stamp.position)
        let leaf = try transaction.append(key, byteCount: sealed.bytes.count, to: tables.events) { frame in
            frame.take(sealed.bytes.raw)
            stamp.write(to: &frame)
            return MerkleHash.leaf(frame.bytes)
        }
        if tables.isMirror {
            // The leaf hash alone, by which the index and the views recognize the log.
            try transaction.append(key, byteCount: MerkleHash.length, to: tables.tree) { row in
                leaf.write(to: &row, at: 0)
            }
            return
        }
        let rowLength = frontier.completedByNext * MerkleHash.length
        try transaction.append(key, byteCount: rowLength, to: tables.tree) { row in
            var offset = 0
            frontier.append(leaf) { hash in
                hash.write(to: &row, at: offset)
                offset += MerkleHash.length
            }
        }
    }

    private func currentEdge(_ transaction: borrowing ReadTransaction) throws -> Edge {
        let head = try tables.head(transaction)
        if let edge = edge.withLock({ $0 }), edge.head == head { return edge }
        let recordedAt = head == 0 ? Int64.min : try tables.frame(at: head, transaction).recordedAt
        let frontier = tables.isMirror ? Frontier() : try tables.frontier(ofSize: head, transaction)
        return Edge(head: head, frontier: frontier, recordedAt: recordedAt)
    }
}

/// The log as a write transaction sees it, for the decider; the index has caught up with the last commit.
private struct LocalLogState: LogState, ~Copyable, ~Escapable {
    private let snapshot: LentTransaction
    private let tables: LogTables
    private let index: StreamIndex
    private let keys: KeyStore

    @_lifetime(copy snapshot)
    init(_ snapshot: consuming LentTransaction, _ tables: LogTables, _ index: StreamIndex, _ keys: KeyStore) {
        self.snapshot = snapshot
        (self.tables, self.index, self.keys) = (tables, index, keys)
    }

    func head(of stream: UUID) throws(EventLogError) -> StreamHead {
        try index.head(of: stream, tables, snapshot.transaction)
    }

    func position(ofKey id: UUID) throws(EventLogError) -> UInt64? {
        try index.position(ofKey: id, tables, snapshot.transaction)
    }

    func position(ofVersion version: UInt64, from newest: UInt64) throws(EventLogError) -> UInt64 {
        do {
            return try tables.position(ofVersion: version, from: newest, snapshot.transaction)
        } catch {
            throw EventLogError(error, "the append failed")
        }
    }

    func event(at position: UInt64) throws(EventLogError) -> (header: EventHeader, recordedAt: Int64) {
        do {
            let frame = try tables.frame(at: position, snapshot.transaction)
            return (frame.header, frame.recordedAt)
        } catch {
            throw EventLogError(error, "the append failed")
        }
    }

    func payload(at position: UInt64) throws(EventLogError) -> [UInt8] {
        do {
            let frame = try tables.frame(at: position, snapshot.transaction)
            return try FrameSeal.open(frame.bytes, key: keys.key(of: frame.bytes), at: position)
        } catch {
            throw EventLogError(error, "the append failed")
        }
    }
}

/// The authoritative log: an append has happened once this log has committed it.
///
/// It orders the events, and what it commits is durable.
///
/// It is called once for each group of appends, never for each event.
protocol LogOfRecord: Sendable {
    /// Whether a commit would have to wait for another writer.
    var isWriting: Bool { get }

    /// Decides a group of appends in order, and commits the accepted ones together.
    ///
    /// Returns the result of each append. A result is returned only once it is durable, including the destruction of
    /// the keys and attachments of an erased subject. When this throws, no append of the group was committed, so that
    /// the caller may commit the group again; an implementation that cannot know resolves the outcome before it
    /// returns.
    func commit(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>]
}
