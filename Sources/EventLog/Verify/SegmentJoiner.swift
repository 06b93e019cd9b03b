internal import LMDB

/// Joins the findings of the segments in the order of the log, and makes the checks that concern several segments.
struct SegmentJoiner {
    private(set) var result: Verification
    private(set) var filter: RepeatFilter
    private var waiting: [UInt64: SegmentFindings] = [:]
    private var done: UInt64
    /// The frontier of the tree whose leaves are whole segments.
    private var edge: TreeFrontiers
    /// The frontier inside the last segment, which may be incomplete.
    private var inner: TreeFrontiers
    private var recordedAt: Int64
    private var window: LinkWindow
    /// One bit per event: whether another event names it as its predecessor in the stream, which only one event may do.
    private var followed: [UInt64]
    /// Returns the mark of an event outside the window, or 0 if it cannot be determined.
    private let farMark: (UInt64) -> UInt64

    /// Begins after a position, with the frontier of the tree and the recorded time of the event at that position.
    init(
        _ result: Verification,
        after start: UInt64,
        edge: TreeFrontiers,
        inner: TreeFrontiers,
        recordedAt: Int64,
        farMark: @escaping (UInt64) -> UInt64
    ) {
        self.result = result
        (self.edge, self.inner) = (edge, inner)
        self.recordedAt = recordedAt
        self.farMark = farMark
        done = start
        window = LinkWindow(after: start)
        filter = RepeatFilter(events: result.head - start)
        followed = Array(repeating: 0, count: Int(result.head / 64) + 1)
    }

    /// Joins the findings of a segment, and of later segments that were waiting for it; calls `step` after each.
    mutating func take(_ findings: SegmentFindings, _ step: (UInt64) -> Void) {
        waiting[findings.positions.lowerBound] = findings
        while let next = waiting.removeValue(forKey: done + 1) {
            join(next)
            done = next.positions.upperBound
            step(done)
        }
    }

    private mutating func join(_ found: SegmentFindings) {
        var faults = found.faults
        result.sealsOpened += found.sealsOpened
        result.sealsErased += found.sealsErased
        result.sealsUnread += found.sealsUnread
        if let first = found.first { (result.first, result.firstPayload) = (first, found.firstPayload) }
        var position = found.positions.lowerBound
        for event in found.events {
            check(event, at: position, &faults)
            position += 1
        }
        let last = found.positions.upperBound
        inner = found.edge
        if last % Segment.length == 0 {
            let whole = inner.whole
            if !edge.append(whole.frames, stored: whole.rows, above: found.above?[...]) {
                faults.append(
                    Verification.Fault(position: last, what: "the tree's hashes above it do not match those below")
                )
            }
            inner = TreeFrontiers()
        }
        result.report(faults.sorted { $0.position < $1.position })
    }

    private mutating func check(
        _ event: SegmentFindings.Event,
        at position: UInt64,
        _ faults: inout [Verification.Fault]
    ) {
        window.append(event.mark)
        guard event.isTrusted else { return }
        func report(_ what: String) { faults.append(Verification.Fault(position: position, what: what)) }
        if event.recordedAt < recordedAt { report("its recorded time is earlier than the previous event's") }
        recordedAt = max(recordedAt, event.recordedAt)
        if event.previous > 0 {
            if !follow(event.previous) { report("its stream position is taken by another event") }
            if !leads(to: event.previous, event.previousMark) { report("its links do not follow its stream") }
        }
        if event.skip > 0, event.skip != event.previous || event.skipMark != event.previousMark,
            !leads(to: event.skip, event.skipMark)
        {
            report("its links do not follow its stream")
        }
        if event.begun > 0 { filter.add(event.begun) }
        if event.key > 0 { filter.add(event.key) }
    }

    private mutating func follow(_ position: UInt64) -> Bool {
        let (word, bit) = (Int(position / 64), UInt64(1) << (position % 64))
        guard followed[word] & bit == 0 else { return false }
        followed[word] |= bit
        return true
    }

    /// Reports whether a link leads to the expected event, or to a faulty event, which is reported at its own position.
    private func leads(to position: UInt64, _ mark: UInt64) -> Bool {
        let there = window.mark(at: position) ?? farMark(position)
        return there == 0 || there == mark
    }

    /// The root of the tree as computed from the frames.
    var root: MerkleHash {
        let peaks = edge.frames + inner.frames
        guard var root = peaks.last else { return .empty }
        for peak in peaks.dropLast().reversed() { root = .node(peak, root) }
        return root
    }

    /// Reports faults that are found after all segments have been joined.
    mutating func report(_ faults: [Verification.Fault]) {
        result.report(faults)
    }
}
