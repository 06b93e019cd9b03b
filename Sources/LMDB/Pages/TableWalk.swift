/// A walk over the leaves of a table in key order that trusts nothing in the file.
///
/// If the keys of each page are within the bounds that the branches above it set, each key is where LMDB's search looks
/// for it. So the walk finds exactly what a lookup finds.
package struct TableWalk {
    package enum Step {
        /// The walk is at the next leaf.
        case leaf
        /// A page, or the subtree below it, cannot be read.
        case damage(PageFault)
        case end
    }

    private struct Level {
        var page: TreePage
        var index = 0
        let lower: [UInt8]?
        let upper: [UInt8]?
    }

    private let pages: SnapshotPages
    private let record: TableRecord
    private let order: TreePage.Order
    /// Leaves that end before this key are skipped.
    private let start: [UInt8]?
    private var levels: [Level] = []
    private var hasBegun = false
    /// Whether pages were skipped or unreadable, so that the record's counts cannot be checked.
    private var isPartial = false
    private var (branches, leaves, overflows, rows): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The leaf that the last step led to.
    private(set) var leaf: TreePage
    private(set) var leafLower: [UInt8]?
    private(set) var leafUpper: [UInt8]?
    /// The rows of that leaf whose overflow pages are damaged, by index.
    private var badRows: [Int: String] = [:]

    package init(_ pages: SnapshotPages, _ record: TableRecord) {
        self.init(pages, record, order: .bytes, from: nil)
    }

    package init(_ pages: SnapshotPages, _ record: TableRecord, from start: [UInt8]?) {
        self.init(pages, record, order: .bytes, from: start)
    }

    init(_ pages: SnapshotPages, _ record: TableRecord, order: TreePage.Order, from start: [UInt8]? = nil) {
        self.pages = pages
        self.record = record
        self.order = order
        self.start = start
        leaf = TreePage(pageSize: pages.pageSize)
    }

    /// Moves to the next leaf, and marks each page on the way.
    package mutating func next(_ map: inout PageMap) -> Step {
        do throws(PageFault) {
            if !hasBegun {
                hasBegun = true
                if let root = record.root, try descend(to: root, nil, nil, &map) { return .leaf }
            }
            while let top = levels.indices.last {
                let level = levels[top]
                let index = level.index
                guard index < level.page.count else {
                    levels.removeLast()
                    continue
                }
                levels[top].index += 1
                let lower = index == 0 ? level.lower : level.page.key(index)
                let upper = index + 1 < level.page.count ? level.page.key(index + 1) : level.upper
                if let start, let upper, !start.lexicographicallyPrecedes(upper) {
                    isPartial = true
                    continue
                }
                if try descend(to: level.page.child(index), lower, upper, &map) { return .leaf }
            }
        } catch {
            isPartial = true
            return .damage(error)
        }
        return .end
    }

    /// The first contradiction between the record and what a complete walk found; valid after its end.
    package var problem: String? {
        guard !isPartial else { return nil }
        if rows != record.entries { return "its record counts \(record.entries) rows, but it has \(rows)" }
        if (branches, leaves, overflows) != (record.branchPages, record.leafPages, record.overflowPages) {
            return "the page counts of its record do not match its pages"
        }
        return nil
    }

    /// Visits a page; returns whether it is a leaf.
    private mutating func descend(
        to number: UInt64,
        _ lower: [UInt8]?,
        _ upper: [UInt8]?,
        _ map: inout PageMap
    ) throws(PageFault) -> Bool {
        let isLeaf = levels.count + 1 == record.depth
        do throws(PageFault) {
            guard map.mark(number) else {
                throw PageFault(
                    number,
                    number < 2 || number > pages.lastPage ? "the file has no such page" : "it is referenced twice"
                )
            }
            if isLeaf {
                try leaf.load(number, pages, order)
                guard leaf.isLeaf else { throw leaf.fault("it is a branch where a leaf must be") }
                try check(leaf, from: 0, lower, upper)
                leaves += 1
                rows += UInt64(leaf.count)
                (leafLower, leafUpper) = (lower, upper)
                checkOverflows(&map)
                return true
            }
            var page = TreePage(pageSize: pages.pageSize)
            try page.load(number, pages, order)
            guard !page.isLeaf else { throw page.fault("it is a leaf where a branch must be") }
            try check(page, from: 1, lower, upper)
            branches += 1
            levels.append(Level(page: page, lower: lower, upper: upper))
            return false
        } catch {
            throw error.within(lower, upper)
        }
    }

    /// Checks the keys of a page against the bounds that the branches above it set.
    private func check(_ page: TreePage, from first: Int, _ lower: [UInt8]?, _ upper: [UInt8]?) throws(PageFault) {
        guard first < page.count else { return }
        if let lower {
            let place = page.compare(first, with: lower.raw, order)
            // The first key of a branch equals the lower bound, so its second key must be greater.
            guard place > 0 || place == 0 && page.isLeaf else {
                throw page.fault("its keys begin before the range that its parent page gives", node: first)
            }
        }
        if let upper, page.compare(page.count - 1, with: upper.raw, order) >= 0 {
            throw page.fault("its keys continue after the range that its parent page gives", node: page.count - 1)
        }
    }

    private mutating func checkOverflows(_ map: inout PageMap) {
        if !badRows.isEmpty { badRows = [:] }
        for index in 0..<leaf.count {
            guard leaf.hasOwnPages(index), case .overflow(let page, let size) = leaf.value(index) else { continue }
            do throws(PageFault) {
                try pages.checkOverflow(page, size: size)
                let count = pages.overflowPages(size: size)
                overflows += count
                guard map.mark(page, count: count) else { throw PageFault(page, "it is referenced twice") }
            } catch {
                isPartial = true
                badRows[index] = error.description
            }
        }
    }
}

/// The rows of the current leaf of a walk.
extension TableWalk {
    package enum Value: Sendable {
        /// A range of the leaf's bytes.
        case inside(Range<Int>)
        /// Overflow pages: the first page, and the number of bytes.
        case overflow(page: UInt64, size: Int)
        case table(TableRecord)
        case bad(String)
    }

    package var count: Int { leaf.count }

    /// The bytes of the leaf, which contain its keys and values.
    package var bytes: [UInt8] { leaf.bytes }

    package func keyRange(_ index: Int) -> Range<Int> { leaf.keyRange(index) }

    package func key(_ index: Int) -> [UInt8] { leaf.key(index) }

    package func value(_ index: Int) -> Value {
        if let what = badRows[index] { return .bad(what) }
        return switch leaf.value(index) {
        case .inside(let range): .inside(range)
        case .overflow(let page, let size): .overflow(page: page, size: size)
        case .table: .table(leaf.record(index))
        }
    }
}
