internal import FoundationEssentials

/// The findings of the check of one segment, and the data to be checked against other segments.
struct SegmentFindings: Sendable {
    /// The data of an event that is needed to check other events.
    struct Event: Sendable {
        /// Whether the event is as it was written; if not, its other fields are not used.
        var isTrusted = false
        var recordedAt: Int64 = 0
        /// The event's stream and version as one number, and the same of the events to which its links should lead.
        var mark: UInt64 = 0
        var (previous, previousMark): (UInt64, UInt64) = (0, 0)
        var (skip, skipMark): (UInt64, UInt64) = (0, 0)
        /// The mark of its stream, if the event is the stream's first; the mark of its id, if that is an idempotency
        /// key.
        var (begun, key): (UInt64, UInt64) = (0, 0)
    }

    let positions: ClosedRange<UInt64>
    var faults: [Verification.Fault]
    var events: [Event] = []
    var (sealsOpened, sealsErased, sealsUnread): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var edge: TreeFrontiers
    /// The stored hashes of the segment's last row that cover more than the segment.
    var above: [UInt8]?
    /// The first event of the journal, if it is in this segment.
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

/// Hashes of 64 bits that represent longer values: different values have the same mark with a probability of 1 in 2⁶⁴.
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

    /// Returns the hash, but never 0, which means that there is no mark.
    private static func of(_ hasher: consuming Hasher) -> UInt64 {
        max(1, UInt64(bitPattern: Int64(hasher.finalize())))
    }
}
