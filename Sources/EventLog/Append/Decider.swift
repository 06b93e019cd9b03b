internal import FoundationEssentials

/// What the decider reads of a log.
///
/// `position(ofVersion:from:)`, `event` and `payload` include the events that were written earlier in the same
/// transaction; the decider itself keeps the stream heads and keys of these.
protocol LogState: ~Copyable, ~Escapable {
    /// Returns the head of a stream as of the last commit, or `StreamHead.empty` if the stream has no events.
    func head(of stream: UUID) throws(EventLogError) -> StreamHead

    /// Returns the position of the event with an idempotency key as of the last commit, or nil if there is none.
    func position(ofKey id: UUID) throws(EventLogError) -> UInt64?

    /// Returns the position of a version of a stream, found from a later event of the stream.
    func position(ofVersion version: UInt64, from newest: UInt64) throws(EventLogError) -> UInt64

    /// Returns the header and the recorded time of an event.
    func event(at position: UInt64) throws(EventLogError) -> (header: EventHeader, recordedAt: Int64)

    /// Returns the plaintext payload of an event.
    func payload(at position: UInt64) throws(EventLogError) -> [UInt8]
}

/// Decides the appends of one commit, each against the log and against the appends accepted before it.
///
/// It performs no input or output of its own. For each append, the caller calls `decide` and, if the append is
/// accepted, `stamp` for each of its frames, and writes the frame before it stamps the next one. If the append erases a
/// subject, it calls `noteErasure`.
struct Decider {
    /// The log's head, including the events that were stamped.
    private(set) var head: UInt64
    /// The recorded time of all events of the commit.
    let recordedAt: Int64
    /// Subjects whose data is erased: nothing can be added to them.
    private var erased: Set<UUID>
    /// Roots of keys of entries that are no longer used: events that were sealed under them must be sealed again.
    private let retired: Set<UUID>
    /// The streams that got events, and the idempotency keys of these events: the log's index does not have them yet.
    private var heads: [UUID: HeadChange] = [:]
    private var keyed: [UUID: UInt64] = [:]
    private let start: UInt64

    enum Decision {
        /// The append is to be stamped and written.
        case accepted
        /// The same append was committed before, with this result.
        case repeated(AppendResult)
        case refused(EventLogError)
    }

    /// Begins a commit on a log whose newest event has the position `head`, or 0 if the log is empty.
    init(head: UInt64, recordedAt: Int64, erased: Set<UUID>, retired: Set<UUID> = [], expectedEvents: Int = 0) {
        (self.head, start) = (head, head)
        (self.recordedAt, self.erased, self.retired) = (recordedAt, erased, retired)
        heads.reserveCapacity(expectedEvents)
    }

    /// Decides an append: first its idempotency keys, then its expected versions and the erasures of its subjects.
    ///
    /// Throws errors that concern the whole commit, such as damage of the log.
    func decide<State: LogState & ~Copyable & ~Escapable>(
        _ request: AppendRequest,
        _ state: borrowing State
    ) throws(EventLogError) -> Decision {
        do throws(EventLogError) {
            if let places = request.places {
                guard places.first.map({ $0.position > head }) ?? true else {
                    return .refused(EventLogError(.versionConflict, "the mirror has events of that position already"))
                }
                return .accepted
            }
            if let result = try earlierResult(of: request, state) { return .repeated(result) }
            for expectation in request.expectations {
                let version = try head(of: expectation.stream, state).version
                guard expectation.version.admits(version) else {
                    return .refused(
                        EventLogError(.versionConflict, "this was changed in the meantime; read it again and retry")
                    )
                }
            }
            if !erased.isEmpty, request.frames.contains(where: isErased) {
                return .refused(
                    EventLogError(.subjectErased, "the data of this subject was erased; nothing can be added to it")
                )
            }
            if !retired.isEmpty, request.frames.contains(where: { $0.root.map(retired.contains) ?? false }) {
                return .refused(EventLogError(.keyRetired, "an entry of the record was erased meanwhile; try again"))
            }
            if !erased.isDisjoint(with: request.erasing) {
                return .refused(EventLogError(.subjectErased, "the data of this subject was erased already"))
            }
            return .accepted
        } catch {
            if error.refusesOneAppend { return .refused(error) }
            throw error
        }
    }

    private func isErased(_ frame: SealedFrame) -> Bool {
        erased.contains(frame.header.subject) || frame.slot.map(erased.contains) ?? false
    }

    /// Refuses later appends that add to a subject, whose erasure was accepted.
    mutating func noteErasure(of subject: UUID) {
        erased.insert(subject)
    }

    /// Gives an event of an accepted append its positions; `place` is that of an event which is copied from another log.
    mutating func stamp<State: LogState & ~Copyable & ~Escapable>(
        _ frame: SealedFrame,
        at place: EventPlace? = nil,
        _ state: borrowing State
    ) throws(EventLogError) -> FrameStamp {
        let stream = frame.header.stream
        let before = try head(of: stream, state)
        let stamp = FrameStamp(
            position: place?.position ?? head + 1,
            streamPosition: before.version + 1,
            previous: before.position,
            skip: try skip(after: before, state),
            recordedAt: place?.recordedAt ?? recordedAt
        )
        let newest = StreamHead(position: stamp.position, version: stamp.streamPosition, skip: stamp.skip)
        heads[stream, default: HeadChange(before: before.position, head: newest)].head = newest
        if frame.header.id.isNameBased { keyed[frame.header.id] = stamp.position }
        head = stamp.position
        return stamp
    }

    /// Whether any event was stamped.
    var hasEvents: Bool { head > start }

    /// What the index has to add once the stamped events are committed.
    var changes: IndexChanges { IndexChanges(after: start, through: head, heads: heads, keyed: keyed) }

    private func head<State: LogState & ~Copyable & ~Escapable>(
        of stream: UUID,
        _ state: borrowing State
    ) throws(EventLogError) -> StreamHead {
        if let known = heads[stream] { return known.head }
        return try state.head(of: stream)
    }

    /// Returns the skip position of the event that follows a stream's newest event.
    ///
    /// It is the position of version v & (v − 1) of the stream, where v is the version of the new event.
    private func skip<State: LogState & ~Copyable & ~Escapable>(
        after head: StreamHead,
        _ state: borrowing State
    ) throws(EventLogError) -> UInt64 {
        let target = head.version & (head.version + 1)
        if target == 0 { return 0 }
        if target == head.version { return head.position }
        if target == head.version & (head.version - 1) { return head.skip }
        return try state.position(ofVersion: target, from: head.skip)
    }

    /// Returns the result of an earlier append with the same idempotency keys; nil if there is none.
    ///
    /// Throws `.keyConflict` if the content of the earlier append is different.
    private func earlierResult<State: LogState & ~Copyable & ~Escapable>(
        of request: AppendRequest,
        _ state: borrowing State
    ) throws(EventLogError) -> AppendResult? {
        var known: [Int: UInt64] = [:]
        for offset in request.keyedPayloads.keys {
            let id = request.frames[offset].header.id
            known[offset] = if let position = keyed[id] { position } else { try state.position(ofKey: id) }
        }
        guard let (offset, position) = known.first else { return nil }
        // All events must be in the log, at consecutive positions: otherwise the result would name an event that was
        // never stored.
        guard known.count == request.keyedPayloads.count, position > UInt64(offset) else {
            throw .differentContent(at: position)
        }
        let first = position - UInt64(offset)
        let last = first + UInt64(request.frames.count) - 1
        guard last <= head else { throw .differentContent(at: position) }
        for (offset, frame) in request.frames.enumerated() {
            let position = first + UInt64(offset)
            guard try isSame(position, frame.header, request.keyedPayloads[offset], state) else {
                throw .differentContent(at: position)
            }
        }
        return AppendResult(
            first: first,
            last: last,
            recordedAt: try state.event(at: first).recordedAt,
            isRepeated: true
        )
    }

    /// Reports whether a stored event and an event of a repeated append are the same.
    ///
    /// An event without an idempotency key has a new id on each attempt; it is identified by its position relative to
    /// the events with a key.
    private func isSame<State: LogState & ~Copyable & ~Escapable>(
        _ position: UInt64,
        _ header: EventHeader,
        _ payload: [UInt8]?,
        _ state: borrowing State
    ) throws(EventLogError) -> Bool {
        let stored = try state.event(at: position).header
        guard let payload else {
            return stored.stream == header.stream && stored.subject == header.subject && stored.type == header.type
                && !stored.id.isNameBased
        }
        guard stored.hasSameContent(as: header) else { return false }
        return try state.payload(at: position) == payload
    }
}

/// The global position, the version and the skip position of a stream's newest event; all are 0 for an empty stream.
struct StreamHead: Hashable, Sendable {
    let position: UInt64
    let version: UInt64
    let skip: UInt64

    static let empty = StreamHead(position: 0, version: 0, skip: 0)
}

extension EventHeader {
    /// Reports whether two headers are equal in all fields that a repeated append must not change.
    fileprivate func hasSameContent(as other: EventHeader) -> Bool {
        var copy = other
        copy.correlation = correlation
        copy.causation = causation
        // A repeated append may come from another actor, or through another interface.
        copy.actor = actor
        copy.source = source
        return self == copy
    }
}

extension EventLogError {
    /// Whether the error refuses a single append, and does not concern the whole commit.
    fileprivate var refusesOneAppend: Bool {
        switch code {
        case .keyConflict, .subjectErased: true
        default: false
        }
    }

    fileprivate static func differentContent(at position: UInt64) -> EventLogError {
        EventLogError(.keyConflict, "this idempotency key was already used with different content", position: position)
    }
}
