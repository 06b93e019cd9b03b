import Dispatch
import HealthJournal
import Synchronization

/// Where records are printed: a few at a time, and on threads of their own.
///
/// A large record takes a processor for seconds. The threads that answer requests are as many as there are processors, and
/// would answer nobody meanwhile.
final class PrintingPress: Sendable {
    /// Pages to print: seconds for a large record.
    static let pages = PrintingPress()
    /// Documents: minutes, and a processor besides.
    static let documents = PrintingPress()

    /// How many are printed at once.
    private static let most = 2
    private let taken = Mutex(0)

    static func press(for format: ExportFormat) -> PrintingPress? {
        switch format {
        case .native, .purus, .csv: nil
        case .html: pages
        case .pdf: documents
        }
    }

    /// Runs `body` with a place at the press, or says that there is none.
    func withPlace<Value>(_ body: () async throws -> Value) async throws -> Value {
        let hasPlace = taken.withLock { count in
            guard count < PrintingPress.most else { return false }
            count += 1
            return true
        }
        guard hasPlace else {
            throw JournalError(.busy, "other documents are being printed; try again in a moment", retryAfter: 10)
        }
        defer { taken.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Runs work that takes long beside the threads that answer requests.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            // A queue of its own has a thread of its own; those that are shared are the ones that answer.
            DispatchQueue(label: "printing").async { continuation.resume(returning: work()) }
        }
    }
}
