internal import LMDB

/// Splits the log into segments, and checks every page that it reads.
///
/// One thread at a time reads, because reading is a small part of the work.
struct SegmentReader {
    private var events: Table
    private var tree: Table
    private var map: PageMap
    private let head: UInt64
    private var done: UInt64
    private var edge: TreeFrontiers

    /// The state of the reading of one table.
    private struct Table {
        var stream: RowStream
        let name: String
        /// The positions whose rows are unreadable because of the damage found last.
        var unreadable: Range<UInt64> = 0..<0
        var hasEnded = false
        /// The number of bytes in the rows of the last segment.
        var usualBytes = 0
    }

    /// Begins after a position, with the frontier of the tree inside the segment that contains this position.
    ///
    /// `map` contains the pages that have been accounted for before.
    init(
        _ pages: SnapshotPages,
        _ events: TableRecord,
        _ tree: TableRecord,
        after start: UInt64,
        head: UInt64,
        edge: TreeFrontiers,
        map: PageMap
    ) {
        self.events = Table(stream: RowStream(pages, events, after: start), name: "events")
        self.tree = Table(stream: RowStream(pages, tree, after: start), name: "tree")
        self.map = map
        self.head = head
        done = start
        self.edge = edge
    }

    /// Returns the next segment, or nil at the head.
    mutating func next() -> Segment? {
        guard done < head else { return nil }
        let last = min(head, (done / Segment.length + 1) * Segment.length)
        var segment = Segment((done + 1)...last, edge: edge)
        edge = TreeFrontiers()
        SegmentReader.collect(&events, into: &segment.frames, &segment.faults, &map, head)
        SegmentReader.collect(&tree, into: &segment.tree, &segment.faults, &map, head)
        done = last
        return segment
    }

    /// Reports rows after the head and wrong table records, and returns the map of the pages accounted for.
    ///
    /// Called after all segments have been read.
    mutating func finish(_ report: (String) -> Void) -> PageMap {
        SegmentReader.finish(&events, &map, head, report)
        SegmentReader.finish(&tree, &map, head, report)
        return map
    }

    private static func collect(
        _ table: inout Table,
        into rows: inout Segment.Rows,
        _ faults: inout [Verification.Fault],
        _ map: inout PageMap,
        _ head: UInt64
    ) {
        let positions = rows.positions
        rows.reserve(table.usualBytes)
        defer { table.usualBytes = rows.bytes.count }
        func markUnreadable() {
            guard !table.unreadable.isEmpty else { return }
            for position in table.unreadable.clamped(to: positions.lowerBound..<(positions.upperBound + 1)) {
                rows[position] = .unreadable
            }
        }
        markUnreadable()
        var next = positions.lowerBound
        while !table.hasEnded {
            switch table.stream.head(&map) {
            case .end: return
            case .strange:
                faults.report("the table \(table.name) has a row whose key is not a position", at: next)
            case .damage(let from, let to, let position, let what):
                guard from <= positions.upperBound else { return }
                table.unreadable = from..<max(from, to ?? head + 1)
                faults.report(
                    "rows of the table \(table.name) cannot be read: \(what)",
                    at: min(max(position, positions.lowerBound), positions.upperBound)
                )
                markUnreadable()
            case .row(let position):
                if position > positions.upperBound { return }
                if position >= positions.lowerBound {
                    next = min(position + 1, positions.upperBound)
                    take(table, position, into: &rows, &faults)
                } else if position == 0 {
                    faults.report("the table \(table.name) has a row with the key 0, which is not a position", at: next)
                }
            }
            table.stream.take()
        }
    }

    private static func take(
        _ table: Table,
        _ position: UInt64,
        into rows: inout Segment.Rows,
        _ faults: inout [Verification.Fault]
    ) {
        switch table.stream.value {
        case .inside(let range): rows.put(table.stream.bytes[range], at: position)
        case .overflow(let page, let size): rows[position] = .overflow(page: page, size: size)
        case .table:
            faults.report("the table \(table.name) contains a table instead of its row", at: position)
            rows[position] = .unreadable
        case .bad(let what):
            faults.report("its row of the table \(table.name) cannot be read: \(what)", at: position)
            rows[position] = .unreadable
        }
    }

    private static func finish(_ table: inout Table, _ map: inout PageMap, _ head: UInt64, _ report: (String) -> Void) {
        var beyond = 0
        while true {
            switch table.stream.head(&map) {
            case .end:
                if beyond > 0 { report("the table \(table.name) has \(beyond) rows after the newest event") }
                if let problem = table.stream.problem { report("the table \(table.name): \(problem)") }
                return
            case .damage(_, _, _, let what): report("rows of the table \(table.name) cannot be read: \(what)")
            case .strange: beyond += 1
            case .row(let position): if position == 0 || position > head { beyond += 1 }
            }
            table.stream.take()
        }
    }
}
