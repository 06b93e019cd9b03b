import Dispatch
import Synchronization

/// Waits on the main thread for asynchronous work.
///
/// An asynchronous `main` would end that thread in a way that valgrind does not handle.
func waiting<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) throws -> Answer {
    let answer = Answered<Answer>()
    Task.detached {
        do {
            answer.give(.success(try await body()))
        } catch {
            answer.give(.failure(error))
        }
    }
    return try answer.wait()
}

private final class Answered<Answer: Sendable>: Sendable {
    private let isThere = DispatchSemaphore(value: 0)
    private let answer = Mutex<Result<Answer, any Error>?>(nil)

    func give(_ result: Result<Answer, any Error>) {
        answer.withLock { $0 = result }
        isThere.signal()
    }

    func wait() throws -> Answer {
        while true {
            isThere.wait()
            if let answer = answer.withLock({ $0 }) { return try answer.get() }
        }
    }
}
