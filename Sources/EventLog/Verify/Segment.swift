/// The rows of up to 4,096 consecutive positions, copied out of the file, which one worker checks independently.
///
/// It ends where a subtree of the Merkle tree ends, so that only the uppermost hashes of its last row cover more than
/// the segment.
struct Segment: Sendable {
    /// The level of a subtree that covers a whole segment.
    static let level = 12
    static let length: UInt64 = 1 << 12

    enum Row: Sendable {
        case missing
        /// The row cannot be read, which has been reported.
        case unreadable
        case inside(Range<Int>)
        /// The row is stored in overflow pages, which are read only when it is checked, because it may be large.
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

        /// Reserves memory for the expected rows, so that the bytes are not reallocated repeatedly.
        mutating func reserve(_ count: Int) {
            bytes.reserveCapacity(count + count / 16)
        }

        mutating func put(_ value: ArraySlice<UInt8>, at position: UInt64) {
            let start = bytes.count
            bytes.append(contentsOf: value)
            self[position] = .inside(start..<bytes.count)
        }

        /// Returns the bytes of a row that is stored inline, or nil.
        func inside(_ position: UInt64) -> ArraySlice<UInt8>? {
            if case .inside(let range) = self[position] { bytes[range] } else { nil }
        }
    }

    let positions: ClosedRange<UInt64>
    var frames: Rows
    var tree: Rows
    /// The frontier inside the subtree before the first position; empty, unless the check begins inside the subtree.
    let edge: TreeFrontiers
    var faults: [Verification.Fault] = []

    init(_ positions: ClosedRange<UInt64>, edge: TreeFrontiers) {
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
