internal import LMDB

/// The rows of a table whose keys are positions, in the order of a walk over its pages.
struct RowStream {
    enum Head {
        case row(UInt64)
        /// A row whose key is not a position.
        case strange
        /// Rows that cannot be read: their first position, the first position after them, the position to report, and
        /// why.
        case damage(from: UInt64, to: UInt64?, at: UInt64, what: String)
        case end
    }

    private var walk: TableWalk
    private var index = 0
    private var isInLeaf = false
    private var damage: PageFault?
    private var hasEnded = false

    init(_ pages: SnapshotPages, _ record: TableRecord, after start: UInt64) {
        walk = TableWalk(pages, record, from: start == 0 ? nil : RowStream.key(start + 1))
    }

    /// Returns the row, the damage or the end at the head; the same one until `take` is called.
    mutating func head(_ map: inout PageMap) -> Head {
        while !hasEnded {
            if let damage {
                let from = damage.lower.flatMap(RowStream.position) ?? 1
                return .damage(
                    from: from,
                    to: damage.upper.flatMap(RowStream.position),
                    at: from &+ UInt64(damage.node ?? 0),
                    what: damage.description
                )
            }
            if isInLeaf, index < walk.count {
                let key = walk.keyRange(index)
                return key.count == 8 ? .row(walk.bytes.raw.bigEndian(at: key.lowerBound)) : .strange
            }
            index = 0
            isInLeaf = false
            switch walk.next(&map) {
            case .leaf: isInLeaf = true
            case .damage(let fault): damage = fault
            case .end: hasEnded = true
            }
        }
        return .end
    }

    mutating func take() {
        if damage != nil { damage = nil } else { index += 1 }
    }

    /// The value of the row at the head.
    var value: TableWalk.Value { walk.value(index) }

    /// The bytes of the leaf page that contains the value.
    var bytes: [UInt8] { walk.bytes }

    /// How the table's record contradicts what a complete walk has found; nil before the end, or if it does not.
    var problem: String? { hasEnded ? walk.problem : nil }

    static func key(_ position: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: position >> UInt64(56 - 8 * $0)) }
    }

    static func position(_ key: [UInt8]) -> UInt64? {
        key.count == 8 ? key.raw.bigEndian(at: 0) : nil
    }
}
