internal import FoundationEssentials

/// One append on its way to the writer: sealed, but not yet decided.
struct AppendRequest: Sendable {
    let frames: [SealedFrame]
    let expectations: [Expectation]
    /// The payloads in clear of events with an idempotency key, to hold against those of a first append.
    let keyedPayloads: [Int: [UInt8]]
    /// Whose data key goes when the events are in the log.
    let erasing: UUID?
    let byteCount: Int
    let answer: @Sendable (Result<AppendResult, EventLogError>) -> Void

    init(
        frames: [SealedFrame],
        expectations: [Expectation],
        keyedPayloads: [Int: [UInt8]],
        erasing: UUID?,
        answer: @escaping @Sendable (Result<AppendResult, EventLogError>) -> Void
    ) {
        (self.frames, self.expectations, self.keyedPayloads) = (frames, expectations, keyedPayloads)
        (self.erasing, self.answer) = (erasing, answer)
        var bytes = 0
        for frame in frames { bytes += frame.bytes.count }
        byteCount = bytes
    }
}
