internal import FoundationEssentials
internal import HealthModel
internal import Platform

/// The requests with an idempotency key that this process answers, or has just refused.
///
/// A client that gets no answer sends its request again, often while the first one is still on its way. Both are decided one
/// after the other. If one was refused, so is the other for some seconds, and with the same error: otherwise it might succeed
/// after the client was told that nothing had changed.
final class RepeatedRequests: Sendable {
    /// The request that the current task answers: a command may consist of others.
    @TaskLocal private static var current: UUID?

    /// The maximum number of refusals that are remembered.
    private static let maximum = 4_096

    private struct Refusal: Sendable {
        let digest: [UInt8]
        let error: JournalError
        let end: ContinuousClock.Instant
    }

    private let turns = Turns(busy: "this request was sent too often at the same time; try again in a moment")
    private let refusals = Guarded<[UUID: Refusal]>([:])
    private let remembered: Duration

    init(remembering remembered: Duration = .seconds(5)) { self.remembered = remembered }

    /// Runs `body`, which answers the request with an event id and a digest, when no other call answers the same request.
    func answer<Result>(
        _ id: UUID,
        _ digest: [UInt8],
        _ body: () async throws -> Result
    ) async throws -> Result {
        if RepeatedRequests.current == id { return try await body() }
        return try await turns.take([id]) {
            if let error = refusal(of: id, digest) { throw error }
            do {
                return try await RepeatedRequests.$current.withValue(id) { try await body() }
            } catch let error as JournalError where error.isFinal {
                note(Refusal(digest: digest, error: error, end: .now + remembered), of: id)
                throw error
            }
        }
    }

    /// Forgets that a request was refused.
    func forget(_ id: UUID) { refusals.withLock { $0[id] = nil } }

    private func refusal(of id: UUID, _ digest: [UInt8]) -> JournalError? {
        refusals.withLock { refusals in
            guard let refusal = refusals[id], refusal.digest == digest, refusal.end > .now else { return nil }
            return refusal.error
        }
    }

    private func note(_ refusal: Refusal, of id: UUID) {
        refusals.withLock { refusals in
            if refusals.count >= RepeatedRequests.maximum { refusals = refusals.filter { $0.value.end > .now } }
            if refusals.count < RepeatedRequests.maximum { refusals[id] = refusal }
        }
    }
}

extension JournalError {
    /// Whether a client is told that the request changed nothing because of what the journal holds, and is asked nothing.
    fileprivate var isFinal: Bool {
        if field == Journal.Records.similarRecord { return false }
        return switch code {
        case .conflict, .scheduleConflict, .slotTaken, .stale: !isConcurrent
        default: false
        }
    }
}
