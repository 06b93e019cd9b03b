internal import FoundationEssentials

/// One append in the writer's queue: sealed, but not yet accepted or refused.
struct AppendRequest: Sendable {
    let frames: [SealedFrame]
    let expectations: [Expectation]
    /// The plaintext payloads of events with an idempotency key, by their index, to compare with an earlier append.
    let keyedPayloads: [Int: [UInt8]]
    /// The subject whose data key is destroyed once the events are committed.
    let erasing: UUID?
    /// Whether the events are appended even if the clock check fails.
    let acceptsClock: Bool
    let byteCount: Int
    let answer: @Sendable (Result<AppendResult, EventLogError>) -> Void

    init(
        frames: [SealedFrame],
        expectations: [Expectation],
        keyedPayloads: [Int: [UInt8]],
        erasing: UUID?,
        acceptsClock: Bool = false,
        answer: @escaping @Sendable (Result<AppendResult, EventLogError>) -> Void
    ) {
        (self.frames, self.expectations, self.keyedPayloads) = (frames, expectations, keyedPayloads)
        (self.erasing, self.acceptsClock, self.answer) = (erasing, acceptsClock, answer)
        var bytes = 0
        for frame in frames { bytes += frame.bytes.count }
        byteCount = bytes
    }
}
