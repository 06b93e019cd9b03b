internal import FoundationEssentials
internal import LMDB

extension EventLog {
    /// Checks everything that the log claims: positions, streams, recorded times, every hash and every seal.
    ///
    /// It works beside a running writer, on the events that were there when it began. `progress` is told how far it is.
    package func verify(progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }) throws(EventLogError)
        -> Verification
    {
        var check = try reading { transaction in
            let (head, rows) = try (tables.head(transaction), UInt64(transaction.count(of: tables.events)))
            var check = LogCheck(log: self, head: min(head, rows))
            // A damaged key may name any position: no more are looked for than there are rows.
            if head != rows { check.report("the newest event is numbered so, but there are \(rows)", at: head) }
            if try transaction.count(of: tables.tree) != rows {
                check.report("the tree does not have as many rows as there are events", at: head)
            }
            return check
        }
        var done: UInt64 = 0
        while done < check.head {
            let last = min(check.head, done + EventLog.pageLength)
            try reading { transaction in
                var next = done + 1
                let cursor = try transaction.cursor(in: tables.events)
                var row = try? cursor.seek(Key(next))
                while next <= last {
                    do {
                        if let found = row, found.key.byteCount == 8,
                            found.key.bigEndian(at: 0, as: UInt64.self) == next
                        {
                            try check.take(found.value, at: next, transaction)
                            row = next < last ? try cursor.next() : nil
                        } else {
                            check.missing(next)
                        }
                    } catch let error as LMDBError {
                        // What cannot be reached is named, and the rest is looked for behind it.
                        check.report(error.description, at: next)
                        row = next < last ? try? cursor.seek(Key(next + 1)) : nil
                    }
                    next += 1
                }
            }
            done = last
            progress(done, check.head)
        }
        return check.finish()
    }
}

/// The running state of a verification.
private struct LogCheck {
    let log: EventLog
    let head: UInt64
    private var result = Verification()
    private var frontier = Frontier()
    /// The edge of the tree that the rows tell, once it is another than that of the frames.
    private var rows: Frontier?
    private var recordedAt = Int64.min
    /// Whether an event has been named as the one before another of its stream: it can be that only once.
    private var isFollowed: [Bool]
    private var streams: Set<UUID> = []

    init(log: EventLog, head: UInt64) {
        self.log = log
        self.head = head
        isFollowed = Array(repeating: false, count: Int(head) + 1)
        result.head = head
    }

    mutating func report(_ what: String, at position: UInt64) {
        result.report(what, at: position)
    }

    mutating func missing(_ position: UInt64) {
        result.report("there is no event", at: position)
        _ = frontier.append(.empty)
    }

    mutating func take(
        _ bytes: RawSpan,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws {
        let copy = bytes.copy
        try checkTree(copy, at: position, transaction)
        do {
            let frame = try Frame(bytes, at: position)
            if frame.recordedAt < recordedAt { result.report("its recorded time goes back", at: position) }
            recordedAt = max(recordedAt, frame.recordedAt)
            try checkStream(frame, transaction)
            try checkSeal(frame, copy)
        } catch let error as EventLogError {
            result.report(error.message, at: position)
        }
    }

    mutating func finish() -> Verification {
        result.root = frontier.root
        return result
    }

    /// Holds a frame against its own leaf hash, and the hashes above it against what the rows below them say.
    ///
    /// So one changed frame is found at its own position and nowhere else. The root is that of the frames.
    private mutating func checkTree(
        _ frame: [UInt8],
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws {
        let leaf = MerkleHash.leaf(frame)
        let before = frontier
        let computed = frontier.append(leaf)
        guard let row = try transaction.get(Key(position), in: log.tables.tree),
            row.byteCount >= MerkleHash.length
        else {
            if rows != nil { _ = rows?.append(leaf) }
            return result.report("the tree has no hash of it", at: position)
        }
        if rows == nil, row.isEqual(to: TreeRow.bytes(computed).raw) { return }
        // From here on the rows tell another tree than the frames: each is followed by itself.
        var followed = rows ?? before
        let stored = try TreeRow.hash(level: 0, in: row, at: position)
        if stored != leaf { result.report("it is not what the tree says was written", at: position) }
        if !row.isEqual(to: TreeRow.bytes(followed.append(stored)).raw) {
            result.report("the tree's hashes above it do not follow from those below", at: position)
        }
        rows = followed
    }

    private mutating func checkStream(_ frame: Frame, _ transaction: borrowing ReadTransaction) throws {
        let version = frame.streamPosition
        let previous = frame.previous
        guard previous < frame.position, frame.skip < frame.position, version > 0 else {
            return result.report("its links lead forward", at: frame.position)
        }
        if previous == 0 {
            if version != 1 {
                result.report("its stream position is not 1, yet none comes before it", at: frame.position)
            }
            if !streams.insert(frame.stream).inserted {
                result.report("its stream begins a second time", at: frame.position)
            }
        } else {
            if isFollowed[Int(previous)] {
                result.report("its stream position is taken by another event", at: frame.position)
            }
            isFollowed[Int(previous)] = true
            try checkLink(to: previous, version: version - 1, of: frame, transaction)
        }
        let target = version & (version - 1)
        if target == 0 {
            if frame.skip != 0 { result.report("its skip position should be 0", at: frame.position) }
        } else {
            try checkLink(to: frame.skip, version: target, of: frame, transaction)
        }
    }

    private mutating func checkLink(
        to position: UInt64,
        version: UInt64,
        of frame: Frame,
        _ transaction: borrowing ReadTransaction
    ) throws {
        guard position > 0, let bytes = try transaction.get(Key(position), in: log.tables.events),
            let target = try? Frame(bytes, at: position), target.stream == frame.stream,
            target.streamPosition == version
        else {
            return result.report("its links do not lead along its stream", at: frame.position)
        }
    }

    private mutating func checkSeal(_ frame: Frame, _ copy: [UInt8]) throws(EventLogError) {
        guard log.keys.hasMasterKey else {
            result.sealsUnread += 1
            return
        }
        do throws(EventLogError) {
            _ = try FrameSeal.open(copy, key: log.keys.key(for: frame.subject), at: frame.position)
            result.sealsOpened += 1
        } catch {
            guard error.code == .subjectErased else { throw error }
            result.sealsErased += 1
        }
    }
}
