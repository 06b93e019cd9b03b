/// One append on its way to the writer: sealed, but not yet decided.
struct AppendRequest: Sendable {
    var frames: [SealedFrame]
    let expectations: [Expectation]
    /// The payloads in clear of events with an idempotency key, to hold against those of a first append.
    let keyedPayloads: [Int: [UInt8]]
    let answer: @Sendable (Result<AppendResult, EventLogError>) -> Void

    var byteCount: Int { frames.reduce(0) { $0 + $1.bytes.count } }
}
