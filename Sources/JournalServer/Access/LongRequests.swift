import HealthJournal
import Hummingbird

/// Processes the requests that compute for long: few at once, on threads of their own, and only while the client waits.
struct LongRequests: Sendable {
    /// Imports, previews of them, and their undoing: seconds for a large document, on all processors.
    let imports = ConcurrencyLimiter("imports", total: 4, perAccount: 1, retryAfter: 10)
    /// Searches, which may open every entry of a record; a client may ask for several at once, which wait.
    let searches = ConcurrencyLimiter("searches", total: 4, perAccount: 2, waitingPerAccount: 32)
    /// Batches of events of other tools.
    let batches = ConcurrencyLimiter("batches", total: 16, perAccount: 4, waitingPerAccount: 64)
    private let hangUps: HangUps

    init(_ hangUps: HangUps) {
        self.hangUps = hangUps
    }

    /// Runs work within a limit; it is cancelled if the client hangs up.
    func run<Value: Sendable>(
        _ limiter: ConcurrencyLimiter,
        _ context: ServerContext,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let account = try context.requireCaller().account
        return try await hangUps.run(for: context.responseChannel) {
            let slot = try await limiter.acquireOrWait(for: account)
            defer { slot.end() }
            return try await work()
        }
    }
}
