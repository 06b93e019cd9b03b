internal import FoundationEssentials

/// What the check of one segment found, and what is left to be held against other segments.
struct SegmentFindings: Sendable {
    /// What others need to know of an event.
    struct Event: Sendable {
        /// Nothing else is concluded from an event that is not as it was written.
        var isTrusted = false
        var recordedAt: Int64 = 0
        /// Its stream and its place there, in one number; and those that it says its links lead to.
        var mark: UInt64 = 0
        var (previous, previousMark): (UInt64, UInt64) = (0, 0)
        var (skip, skipMark): (UInt64, UInt64) = (0, 0)
        /// Its stream, if it is the first of it; its id, if that is an idempotency key.
        var (begun, key): (UInt64, UInt64) = (0, 0)
    }

    let positions: ClosedRange<UInt64>
    var faults: [Verification.Fault]
    var events: [Event] = []
    var (sealsOpened, sealsErased, sealsUnread): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var edge: TreeEdge
    /// Stored hashes of the segment's last row that cover more than the segment.
    var above: [UInt8]?
    /// The event that began the journal.
    var first: StoredEvent?
    var firstPayload: [UInt8]?

    init(_ segment: Segment) {
        positions = segment.positions
        faults = segment.faults
        edge = segment.edge
        events.reserveCapacity(Int(positions.upperBound - positions.lowerBound) + 1)
    }

    mutating func report(_ what: String, at position: UInt64) {
        faults.append(Verification.Fault(position: position, what: what))
    }
}

/// Numbers that stand for what is longer: equal for what is equal, and for nothing else but by a chance of 1 in 2⁶⁴.
enum Mark {
    static func place(_ stream: UUID, _ version: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(stream)
        hasher.combine(version)
        return of(hasher)
    }

    static func stream(_ id: UUID) -> UInt64 { whole(id, 1) }

    static func key(_ id: UUID) -> UInt64 { whole(id, 2) }

    private static func whole(_ id: UUID, _ kind: UInt8) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(id)
        return of(hasher)
    }

    /// 0 stands for none.
    private static func of(_ hasher: consuming Hasher) -> UInt64 {
        max(1, UInt64(bitPattern: Int64(hasher.finalize())))
    }
}
