internal import FoundationEssentials
internal import LMDB

/// A second pass over the log that checks a filter's candidates: streams that begin twice, idempotency keys used twice.
struct Repeats {
    private var stream: RowStream
    private var map: PageMap
    private let pages: SnapshotPages
    private let start: UInt64
    private let head: UInt64

    init(_ snapshot: Snapshot, _ events: TableRecord, after start: UInt64, _ head: UInt64) {
        pages = snapshot.pages
        stream = RowStream(snapshot.pages, events, after: start)
        // Starts with the map from before the tables were walked, because this walk marks the pages of `events` again.
        map = snapshot.map
        self.start = start
        self.head = head
    }

    /// Returns a fault for each repetition of a candidate.
    func find(_ candidates: Set<UInt64>) -> [Verification.Fault] {
        var copy = self
        return copy.walk(candidates)
    }

    private mutating func walk(_ candidates: Set<UInt64>) -> [Verification.Fault] {
        var faults: [Verification.Fault] = []
        var (streams, keys): (Set<UUID>, Set<UUID>) = ([], [])
        func look(_ frame: borrowing Frame) {
            let (position, id, stream) = (frame.position, frame.id, frame.stream)
            if frame.previous == 0, candidates.contains(Mark.stream(stream)), !streams.insert(stream).inserted {
                faults.append(Verification.Fault(position: position, what: "its stream begins a second time"))
            }
            if id.isNameBased, candidates.contains(Mark.key(id)), !keys.insert(id).inserted {
                faults.append(Verification.Fault(position: position, what: "its idempotency key was already used"))
            }
        }
        while true {
            switch stream.head(&map) {
            case .end: return faults
            case .row(let position) where position > start && position <= head:
                switch stream.value {
                case .inside(let range):
                    if let frame = try? Frame(stream.bytes.raw.extracting(range), at: position) { look(frame) }
                case .overflow(let page, let size):
                    if let bytes = try? pages.overflow(page, size: size, atMost: FrameLayout.maximumLength),
                        let frame = try? Frame(bytes.raw, at: position)
                    {
                        look(frame)
                    }
                default: break
                }
            default: break
            }
            stream.take()
        }
    }
}
