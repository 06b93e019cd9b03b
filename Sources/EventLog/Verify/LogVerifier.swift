internal import FoundationEssentials
internal import Glibc
internal import LMDB
internal import Platform

/// The verification of a whole log, on the pages of its file.
///
/// One thread at a time reads rows and checks pages, threads on all cores check segments, and the findings are joined
/// in order. Memory use is bounded, except for one bit per event and one bit per page.
struct LogVerifier {
    let snapshot: Snapshot
    /// The data keys, or nil if the seals are not to be opened.
    let keys: KeyStore?
    /// A checkpoint up to which the log was verified before: only the events after it are checked.
    var since: Checkpoint?
    var workers = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private static let tables: Set<String> = ["events", "tree", "meta"]

    func run(_ progress: (_ done: UInt64, _ of: UInt64) -> Void) -> Verification {
        guard let events = snapshot.tables["events"], let tree = snapshot.tables["tree"] else {
            var result = Verification()
            reportFile(&result)
            return result
        }
        // A damaged key may contain any position, so the head is limited to the number of rows.
        let rows = min(events.entries, snapshot.maximumRows)
        let lastKey = snapshot.lastKey(of: events)
        let last = lastKey.map { RowStream.position($0) ?? .max }
        let head = min(last ?? (rows == 0 ? 0 : rows), rows)
        var result = Verification()
        result.head = head
        reportFile(&result)
        if let last, last != events.entries {
            result.report("the newest event is numbered \(last), but there are \(events.entries) events", at: head)
        }
        if tree.entries != events.entries {
            result.report("the tree does not have as many rows as there are events", at: head)
        }
        var map = snapshot.map
        checkDescription(&result, &map)
        guard let start = begin(tree, &result) else { return result }
        return check(events, tree, start, result, map, progress)
    }

    /// Where the check begins: the position, the frontier of the Merkle tree there, and the recorded time there.
    private struct Start {
        var position: UInt64 = 0
        var edge = TreeFrontiers()
        var inner = TreeFrontiers()
        var recordedAt = Int64.min
    }

    /// Compares the log with the checkpoint `since`, and returns where the check begins, or nil if the log does not
    /// extend it.
    private func begin(_ tree: TableRecord, _ result: inout Verification) -> Start? {
        guard let since else { return Start() }
        guard since.size <= result.head else {
            result.report(
                "the log has fewer events than the checkpoint's \(since.size): it was truncated or rolled back",
                at: result.head
            )
            return nil
        }
        let stored = StoredTree(pages: snapshot.pages, record: tree)
        var peaks: [(hash: MerkleHash, level: Int)] = []
        do throws(EventLogError) {
            for (position, level) in Frontier.peaks(ofSize: since.size) {
                peaks.append((try stored.hash(level: level, endingAt: position), level))
            }
        } catch {
            result.report(error.message, at: error.position ?? since.size)
            return nil
        }
        guard Frontier(size: since.size, peaks: peaks.map(\.hash)).root == since.root else {
            result.report("the log up to here does not match the checkpoint: it was rewritten", at: since.size)
            return nil
        }
        var start = Start()
        start.position = since.size
        start.edge = TreeFrontiers(
            size: since.size / Segment.length,
            peaks: peaks.filter { $0.level >= Segment.level }.map(\.hash)
        )
        start.inner = TreeFrontiers(
            size: since.size % Segment.length,
            peaks: peaks.filter { $0.level < Segment.level }.map(\.hash)
        )
        if since.size > 0, let bytes = storedFrame(at: since.size),
            let frame = try? Frame(bytes.raw, at: since.size)
        {
            start.recordedAt = frame.recordedAt
        }
        return start
    }

    private func check(
        _ events: TableRecord,
        _ tree: TableRecord,
        _ start: Start,
        _ result: Verification,
        _ map: PageMap,
        _ progress: (UInt64, UInt64) -> Void
    ) -> Verification {
        let head = result.head
        let reader = Guarded(
            SegmentReader(snapshot.pages, events, tree, after: start.position, head: head, edge: start.inner, map: map)
        )
        var joiner = SegmentJoiner(
            result,
            after: start.position,
            edge: start.edge,
            inner: start.inner,
            recordedAt: start.recordedAt,
            farMark: farMark
        )
        // One segment is done before a second thread has begun.
        let threads = head - start.position <= Segment.length ? 1 : workers
        let work = SegmentWork(reader, SegmentCheck(pages: snapshot.pages, keys: keys), workers: threads)
        work.run { findings in
            joiner.take(findings) { done in
                work.makeRoom()
                progress(done, head)
            }
        }
        var ending: [Verification.Fault] = []
        let map = reader.withLock { reader in
            reader.finish { ending.append(Verification.Fault(position: head, what: $0)) }
        }
        joiner.report(ending)
        if since == nil { checkPages(map, &joiner) }
        if !joiner.filter.candidates.isEmpty {
            joiner.report(Repeats(snapshot, events, after: start.position, head).find(joiner.filter.candidates))
        }
        var result = joiner.result
        result.root = joiner.root
        result.sort()
        return result
    }

    /// Checks that each page of the file is in use or free.
    ///
    /// Does nothing if the log has another fault, because a fault can hide pages that are in use.
    private func checkPages(_ map: PageMap, _ joiner: inout SegmentJoiner) {
        guard joiner.result.isSound, let lost = Snapshot.lost(map) else { return }
        joiner.report([Verification.Fault(position: joiner.result.head, what: lost)])
    }

    /// Reports faults of the file outside the contents of its tables, and rows missing since the previous transaction.
    private func reportFile(_ result: inout Verification) {
        let head = result.head
        for fault in snapshot.faults { result.report(fault.description, at: head) }
        let names = Set(snapshot.tables.keys)
        if names != LogVerifier.tables, snapshot.faults.isEmpty {
            result.report("the file does not have the tables of a journal's log", at: head)
        }
        for (name, older) in snapshot.olderTables {
            guard let newer = snapshot.tables[name], newer.entries >= older.entries else {
                result.report(
                    "the table \(name) had more rows before the newest transaction: the log was rolled back",
                    at: head
                )
                continue
            }
        }
    }

    /// Checks the journal's description against the hash that was stored with it.
    private func checkDescription(_ result: inout Verification, _ map: inout PageMap) {
        guard let record = snapshot.tables["meta"] else { return }
        var walk = TableWalk(snapshot.pages, record)
        var rows: [[UInt8]: [UInt8]] = [:]
        loop: while true {
            switch walk.next(&map) {
            case .end: break loop
            case .damage(let fault): result.report("the journal description cannot be read: \(fault)", at: 0)
            case .leaf:
                for index in 0..<walk.count {
                    if case .inside(let range) = walk.value(index) { rows[walk.key(index)] = Array(walk.bytes[range]) }
                }
            }
        }
        if let problem = walk.problem { result.report("the table meta: \(problem)", at: 0) }
        result.description = LogVerifier.description(in: snapshot)
        result.report(DescriptionRow.problems(rows).map { Verification.Fault(position: 0, what: $0) })
    }

    /// Returns the journal's description, or nil if it cannot be read.
    static func description(in snapshot: Snapshot) -> JournalDescription? {
        guard let record = snapshot.tables["meta"] else { return nil }
        let bytes = (try? snapshot.pages.value(of: DescriptionRow.key, in: record)) ?? nil
        return bytes.flatMap { try? JournalDescription($0.raw) }
    }

    private func storedFrame(at position: UInt64) -> [UInt8]? {
        guard let record = snapshot.tables["events"] else { return nil }
        return (try? snapshot.pages.value(of: RowStream.key(position), in: record)) ?? nil
    }

    private func farMark(_ position: UInt64) -> UInt64 {
        guard let bytes = storedFrame(at: position), let frame = try? Frame(bytes.raw, at: position) else { return 0 }
        return Mark.place(frame.stream, frame.streamPosition)
    }
}
