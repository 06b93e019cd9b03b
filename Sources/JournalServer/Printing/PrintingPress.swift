import Dispatch
import HealthJournal
import Synchronization

/// Where records are printed: a few at a time, and on threads of their own.
///
/// A large record takes a processor for seconds. The threads that answer requests are as many as there are processors, and
/// would answer nobody meanwhile.
enum PrintingPress {
    static let most = 2
    /// Above so many, WeasyPrint would not be done in time.
    static let mostEntriesOfPDF = 20_000

    private static let printing = Mutex(0)

    /// Runs `body` with a place at the press, or says that there is none.
    static func withPlace<Value>(_ body: () async throws -> Value) async throws -> Value {
        let isTaken = printing.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
        guard isTaken else {
            throw JournalError(.busy, "other documents are being printed; try again in a moment", retryAfter: 10)
        }
        defer { printing.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Runs work that takes long beside the threads that answer requests.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }
}
