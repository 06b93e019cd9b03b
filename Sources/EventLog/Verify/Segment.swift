/// The rows of up to 4,096 positions that follow each other, copied out of the file: what one worker checks by itself.
///
/// It ends where a subtree of the Merkle tree does, so that all but its last row's uppermost hashes lie inside it.
struct Segment: Sendable {
    /// The level of a subtree that covers a whole segment.
    static let level = 12
    static let length: UInt64 = 1 << 12

    enum Row: Sendable {
        case missing
        /// It lies on a page that cannot be read, which has been told.
        case unreadable
        case inside(Range<Int>)
        /// It has pages of its own, and is read only when it is looked at: it may be large.
        case overflow(page: UInt64, size: Int)
    }

    struct Rows: Sendable {
        let positions: ClosedRange<UInt64>
        private(set) var bytes: [UInt8] = []
        private var rows: [Row]

        init(_ positions: ClosedRange<UInt64>) {
            self.positions = positions
            rows = Array(repeating: .missing, count: Int(positions.upperBound - positions.lowerBound) + 1)
        }

        subscript(position: UInt64) -> Row {
            get { rows[Int(position - positions.lowerBound)] }
            set { rows[Int(position - positions.lowerBound)] = newValue }
        }

        /// Takes room for rows that are likely to come, so that what is there is not moved again and again.
        mutating func reserve(_ count: Int) {
            bytes.reserveCapacity(count + count / 16)
        }

        mutating func put(_ value: ArraySlice<UInt8>, at position: UInt64) {
            let start = bytes.count
            bytes.append(contentsOf: value)
            self[position] = .inside(start..<bytes.count)
        }

        /// The bytes of a row that lies inside.
        func inside(_ position: UInt64) -> ArraySlice<UInt8>? {
            if case .inside(let range) = self[position] { bytes[range] } else { nil }
        }
    }

    let positions: ClosedRange<UInt64>
    var frames: Rows
    var tree: Rows
    /// The tree's edge inside the segment, where it does not begin with the segment's first position.
    let edge: TreeEdge
    var faults: [Verification.Fault] = []

    init(_ positions: ClosedRange<UInt64>, edge: TreeEdge) {
        self.positions = positions
        self.edge = edge
        frames = Rows(positions)
        tree = Rows(positions)
    }

}

extension [Verification.Fault] {
    mutating func report(_ what: String, at position: UInt64) {
        append(Verification.Fault(position: position, what: what))
    }
}
