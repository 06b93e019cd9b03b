internal import FoundationEssentials

/// One append on its way to the writer: sealed, but not yet decided.
struct AppendRequest: Sendable {
    var frames: [SealedFrame]
    let expectations: [Expectation]
    /// The payloads in clear of events with an idempotency key, to hold against those of a first append.
    let keyedPayloads: [Int: [UInt8]]
    /// Whose data key goes when the events are in the log.
    var erasing: UUID?
    let answer: @Sendable (Result<AppendResult, EventLogError>) -> Void

    var byteCount: Int { frames.reduce(0) { $0 + $1.bytes.count } }
}
