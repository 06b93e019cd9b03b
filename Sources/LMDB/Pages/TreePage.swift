internal import Glibc

/// A checked branch or leaf page of a table: all nodes are inside it, do not overlap and are in order.
///
///     0    u64 number, u16 pad, u16 flags, u16 lower, u16 upper
///     16   u16 for each node: where it begins; up to `lower`. Nodes fill the page from `upper` to its end
///     node u16 low, u16 high, u16 flags, u16 key size, key, data; of even length
///          in a leaf low and high are the data's size; in a branch they and the flags are the number of a page
struct TreePage {
    /// How a table's keys are compared.
    enum Order {
        case bytes
        /// Eight-byte integers in native byte order, for the free list.
        case integers
    }

    /// The value of a leaf's row.
    enum Value: Hashable {
        case inside(Range<Int>)
        case overflow(page: UInt64, size: Int)
        case table
    }

    static let headerLength = 16
    static let nodeHeaderLength = 8
    static let maximumKey = 511
    private static let branch: UInt16 = 0x01
    private static let leaf: UInt16 = 0x02
    private static let bigData: UInt16 = 0x01
    private static let subData: UInt16 = 0x02

    private(set) var bytes: [UInt8]
    private(set) var number: UInt64 = 0
    private(set) var isLeaf = false
    private(set) var count = 0

    /// Creates a buffer that holds no page yet.
    init(pageSize: Int) {
        bytes = Array(repeating: 0, count: pageSize)
    }

    /// Reads a page into this buffer, and checks it.
    mutating func load(_ number: UInt64, _ pages: SnapshotPages, _ order: Order) throws(PageFault) {
        try pages.read(number, into: &bytes)
        self.number = number
        count = 0
        let (isLeaf, lower, upper) = try header()
        self.isLeaf = isLeaf
        let count = (lower - TreePage.headerLength) / 2
        try checkNodes(count, from: upper)
        self.count = count
        try checkOrder(order)
    }

    private func header() throws(PageFault) -> (isLeaf: Bool, lower: Int, upper: Int) {
        let raw = bytes.raw
        guard raw.integer(at: 0, as: UInt64.self) == number else { throw fault("it has another page's number") }
        let flags = raw.integer(at: 10, as: UInt16.self)
        guard raw.integer(at: 8, as: UInt16.self) == 0, flags == TreePage.branch || flags == TreePage.leaf else {
            throw fault("it is not a page of a table")
        }
        let (lower, upper) = (Int(raw.integer(at: 12, as: UInt16.self)), Int(raw.integer(at: 14, as: UInt16.self)))
        guard lower > TreePage.headerLength, lower % 2 == 0, lower <= upper, upper <= bytes.count else {
            throw fault("its bounds are wrong")
        }
        return (flags == TreePage.leaf, lower, upper)
    }

    /// Checks that the nodes fill the page from `upper` without a gap, so that no bit of a bound or a size is
    /// arbitrary.
    private func checkNodes(_ count: Int, from upper: Int) throws(PageFault) {
        // An appended row is stored directly before the previous one, so most pages need no sorting.
        var end = bytes.count
        var isStacked = true
        for index in 0..<count {
            let (start, length) = try node(index, from: upper)
            if start + length != end { isStacked = false }
            end = start
        }
        if isStacked, end == upper { return }
        var nodes: [(start: Int, index: Int, length: Int)] = []
        for index in 0..<count {
            let (start, length) = try node(index, from: upper)
            nodes.append((start, index, length))
        }
        nodes.sort { $0.start < $1.start }
        var next = upper
        for node in nodes {
            guard node.start == next else { throw fault("its nodes overlap or leave a gap", node: node.index) }
            next += node.length
        }
        guard next == bytes.count else { throw fault("its nodes do not fill it") }
    }

    /// Returns the start and the length of a node, after checking the header fields that LMDB reads.
    private func node(_ index: Int, from upper: Int) throws(PageFault) -> (start: Int, length: Int) {
        let raw = bytes.raw
        let start = Int(raw.integer(at: TreePage.headerLength + 2 * index, as: UInt16.self))
        guard start >= upper, start + TreePage.nodeHeaderLength <= bytes.count else {
            throw fault("a node is outside it", node: index)
        }
        let keySize = Int(raw.integer(at: start + 6, as: UInt16.self))
        // The first key of a branch is never compared, and may be empty.
        guard keySize <= TreePage.maximumKey, keySize > 0 || !isLeaf && index == 0 else {
            throw fault("a key has an invalid size", node: index)
        }
        var length = TreePage.nodeHeaderLength + keySize
        if isLeaf {
            let size = Int(raw.integer(at: start, as: UInt32.self))
            switch raw.integer(at: start + 4, as: UInt16.self) {
            case 0: length += size
            case TreePage.bigData: length += 8
            case TreePage.subData where size == TableRecord.length: length += size
            default: throw fault("a node has invalid flags", node: index)
            }
        }
        length += length & 1
        guard length <= bytes.count - start else { throw fault("a node extends beyond it", node: index) }
        return (start, length)
    }

    private func checkOrder(_ order: Order) throws(PageFault) {
        guard isLeaf || count > 1 || order == .integers else { throw fault("it points to only one page") }
        if order == .integers {
            for index in (isLeaf ? 0 : 1)..<count where keyRange(index).count != 8 {
                throw fault("a transaction's number has the wrong size", node: index)
            }
        }
        for index in stride(from: isLeaf ? 1 : 2, to: count, by: 1) {
            guard compare(index - 1, with: bytes.raw.extracting(keyRange(index)), order) < 0 else {
                throw fault("its keys do not ascend", node: index)
            }
        }
    }

    /// Compares a key with another: below 0, 0 or above.
    func compare(_ index: Int, with other: RawSpan, _ order: Order) -> Int {
        let key = bytes.raw.extracting(keyRange(index))
        if order == .integers {
            let (left, right) = (key.integer(at: 0, as: UInt64.self), other.integer(at: 0, as: UInt64.self))
            return left < right ? -1 : left == right ? 0 : 1
        }
        if key.byteCount == 8, other.byteCount == 8 {
            let (left, right) = (key.bigEndian(at: 0, as: UInt64.self), other.bigEndian(at: 0, as: UInt64.self))
            return left < right ? -1 : left == right ? 0 : 1
        }
        return key.compared(with: other)
    }

    func keyRange(_ index: Int) -> Range<Int> {
        let start = start(index)
        let size = Int(bytes.raw.integer(at: start + 6, as: UInt16.self))
        return (start + TreePage.nodeHeaderLength)..<(start + TreePage.nodeHeaderLength + size)
    }

    func key(_ index: Int) -> [UInt8] { Array(bytes[keyRange(index)]) }

    /// The page that a node of a branch points to.
    func child(_ index: Int) -> UInt64 {
        let (raw, start) = (bytes.raw, start(index))
        return UInt64(raw.integer(at: start, as: UInt32.self))
            | UInt64(raw.integer(at: start + 4, as: UInt16.self)) << 32
    }

    func value(_ index: Int) -> Value {
        let (raw, start) = (bytes.raw, start(index))
        let size = Int(raw.integer(at: start, as: UInt32.self))
        let data = keyRange(index).upperBound
        switch raw.integer(at: start + 4, as: UInt16.self) {
        case TreePage.bigData: return .overflow(page: raw.integer(at: data), size: size)
        case TreePage.subData: return .table
        default: return .inside(data..<(data + size))
        }
    }

    /// Whether a row of a leaf is stored in overflow pages.
    func hasOwnPages(_ index: Int) -> Bool {
        bytes.raw.integer(at: start(index) + 4, as: UInt16.self) == TreePage.bigData
    }

    /// The record of a table, in a leaf of the main table.
    func record(_ index: Int) -> TableRecord {
        let data = keyRange(index).upperBound
        return TableRecord(bytes.raw.extracting(data..<(data + TableRecord.length)))
    }

    /// Creates a fault, which names the node only in a leaf, where a node is a row.
    func fault(_ what: String, node: Int? = nil) -> PageFault {
        PageFault(number, what, node: isLeaf ? node : nil)
    }

    private func start(_ index: Int) -> Int {
        Int(bytes.raw.integer(at: TreePage.headerLength + 2 * index, as: UInt16.self))
    }
}

extension RawSpan {
    /// Compares as LMDB does: byte by byte; if one is a prefix of the other, the shorter one is less.
    fileprivate func compared(with other: RawSpan) -> Int {
        let common = Swift.min(byteCount, other.byteCount)
        for index in 0..<common {
            let (left, right) = (integer(at: index, as: UInt8.self), other.integer(at: index, as: UInt8.self))
            if left != right { return left < right ? -1 : 1 }
        }
        return byteCount < other.byteCount ? -1 : byteCount == other.byteCount ? 0 : 1
    }
}
