/// A walk over the leaves of a table in the order of their keys, on which nothing is believed.
///
/// A key lies where LMDB's search looks for it if each page's keys keep within the bounds that the branches above it set:
/// so what the walk finds is what a get finds.
package struct TableWalk {
    package enum Step {
        /// There is a leaf to be looked at.
        case leaf
        /// A page, or what lies under it, cannot be read.
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
    /// Leaves that end before this key are passed over.
    private let start: [UInt8]?
    private var levels: [Level] = []
    private var hasBegun = false
    /// Some pages were passed over or could not be read, so that the record's counts cannot be told.
    private var isPartial = false
    private var (branches, leaves, overflows, rows): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The leaf that the last step led to.
    private(set) var leaf: TreePage
    private(set) var leafLower: [UInt8]?
    private(set) var leafUpper: [UInt8]?
    /// Rows of that leaf whose own pages are wrong.
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

    /// Goes on to the next leaf, marking each page that it comes by.
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

    /// What the record says that the whole walk did not find, once it has ended.
    package var problem: String? {
        guard !isPartial else { return nil }
        if rows != record.entries { return "its record counts \(record.entries) rows, but it has \(rows)" }
        if (branches, leaves, overflows) != (record.branchPages, record.leafPages, record.overflowPages) {
            return "its record counts other pages than it has"
        }
        return nil
    }

    /// Goes to a page; true if it is a leaf.
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
                    number < 2 || number > pages.lastPage ? "the file has no such page" : "two places lead to it"
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

    /// Holds the keys of a page against the bounds that those above it set.
    private func check(_ page: TreePage, from first: Int, _ lower: [UInt8]?, _ upper: [UInt8]?) throws(PageFault) {
        guard first < page.count else { return }
        if let lower {
            let place = page.compare(first, with: lower.raw, order)
            // A branch's second child begins behind where its first does.
            guard place > 0 || place == 0 && page.isLeaf else {
                throw page.fault("its keys begin before where it is looked for", node: first)
            }
        }
        if let upper, page.compare(page.count - 1, with: upper.raw, order) >= 0 {
            throw page.fault("its keys go on behind where it is looked for", node: page.count - 1)
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
                guard map.mark(page, count: count) else { throw PageFault(page, "two places lead to it") }
            } catch {
                isPartial = true
                badRows[index] = error.description
            }
        }
    }
}

/// The rows of the leaf that a walk has come to.
extension TableWalk {
    package enum Value: Sendable {
        /// Bytes of the leaf, from an offset on.
        case inside(Range<Int>)
        /// Pages of its own: the first, and how many bytes.
        case overflow(page: UInt64, size: Int)
        case table(TableRecord)
        case bad(String)
    }

    package var count: Int { leaf.count }

    /// The leaf's bytes, in which keys and values lie.
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
