internal import FoundationEssentials

/// One append in the writer's queue: sealed, but not yet accepted or refused.
struct AppendRequest: Sendable {
    let frames: [SealedFrame]
    let expectations: [Expectation]
    /// The plaintext payloads of events with an idempotency key, by their index, to compare with an earlier append.
    let keyedPayloads: [Int: [UInt8]]
    /// The subjects and entries whose data keys are destroyed once the events are committed.
    let erasing: Set<UUID>
    /// Whether the events are appended even if the clock check fails.
    let acceptsClock: Bool
    /// The positions and times of events that are copied from another log; nil for new events.
    let places: [EventPlace]?
    let byteCount: Int
    let answer: @Sendable (Result<AppendResult, EventLogError>) -> Void

    init(
        frames: [SealedFrame],
        expectations: [Expectation],
        keyedPayloads: [Int: [UInt8]],
        erasing: Set<UUID>,
        acceptsClock: Bool = false,
        places: [EventPlace]? = nil,
        answer: @escaping @Sendable (Result<AppendResult, EventLogError>) -> Void
    ) {
        (self.frames, self.expectations, self.keyedPayloads) = (frames, expectations, keyedPayloads)
        (self.erasing, self.acceptsClock, self.places, self.answer) = (erasing, acceptsClock, places, answer)
        var bytes = 0
        for frame in frames { bytes += frame.bytes.count }
        byteCount = bytes
    }
}

/// Where an event is in the log from which it is copied, and when that log recorded it.
struct EventPlace: Hashable, Sendable {
    let position: UInt64
    /// In microseconds since 1970.
    let recordedAt: Int64
}

/// An event to append: its header is stored in plaintext, its payload is sealed.
package struct NewEvent: Hashable, Sendable {
    package var header: EventHeader
    package var payload: [UInt8]

    package init(header: EventHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }
}

/// The positions and the recorded time of the events of one append.
///
/// No other event lies between the first and the last global position.
package struct AppendResult: Hashable, Sendable {
    package let first: UInt64
    package let last: UInt64
    /// When the log recorded them, in microseconds since 1970.
    package let recordedAt: Int64
    /// Whether the same append was committed before; if so, this is the result of the first one.
    package let isRepeated: Bool

    package init(first: UInt64, last: UInt64, recordedAt: Int64, isRepeated: Bool = false) {
        (self.first, self.last, self.recordedAt, self.isRepeated) = (first, last, recordedAt, isRepeated)
    }
}

/// The limits of the writer.
package enum AppendLimits {
    /// Events in one append.
    package static let eventsPerAppend = 200_000
    /// Events of an append; of a larger one, nothing is kept in memory by which it could be repeated after a conflict.
    package static let largeAppend = 10_000
    /// Bytes of one append, payloads and headers.
    package static let bytesPerAppend = 256 << 20
    /// Appends that may be queued; a further one is refused as `.busy`.
    package static let waitingAppends = 4_096
    /// Bytes that may be queued.
    package static let waitingBytes = 512 << 20
    /// Disk space that a journal in use reserves for reads and erasures, in bytes.
    package static let reserveBytes = 64 << 20
    /// Events and bytes of one commit; a larger append is committed alone.
    package static let eventsPerCommit = 16_384
    package static let bytesPerCommit = 32 << 20
}
