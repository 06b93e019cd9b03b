package import Dispatch

/// Runs work that blocks, or that takes long, on threads outside Swift's cooperative pool.
///
/// The cooperative pool has one thread per processor: a few blocked threads would stop all tasks.
package enum BlockingWork {
    /// Runs work and waits for its result.
    ///
    /// Pieces of work with the same serial `queue` run one after the other. Without one, work starts at once.
    package static func run<Output: Sendable, Failure: Error>(
        on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable () throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        let work = SingleUse { () -> Result<Output, Failure> in
            do throws(Failure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        await withCheckedContinuation { continuation in
            (queue ?? newQueue())
                .async {
                    work.run()
                    continuation.resume()
                }
        }
        return try work.takeOutput().get()
    }

    /// Runs work that cannot be interrupted, and waits for its result for a time at most.
    ///
    /// Throws ``TimedOut`` after that time, and `CancellationError` if the caller is cancelled; the work goes on, and its
    /// result is dropped.
    package static func run<Output: Sendable>(
        within limit: Duration,
        _ body: @escaping @Sendable () throws -> Output
    ) async throws -> Output {
        let wait = Wait<Output>()
        let milliseconds = Int(limit / .milliseconds(1))
        return try await withTaskCancellationHandler {
            newQueue().async { wait.end(Result { try body() }) }
            newQueue().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { wait.end(.failure(TimedOut())) }
            return try await wait.result()
        } onCancel: {
            wait.end(.failure(CancellationError()))
        }
    }

    /// Work took longer than its caller waits.
    package struct TimedOut: Error {}

    /// Starts work and does not wait for its end; `queue` is as in `run`.
    package static func begin(on queue: DispatchQueue? = nil, _ body: @escaping @Sendable () -> Void) {
        (queue ?? newQueue()).async(execute: body)
    }

    /// Creates the serial queue of one piece of work.
    ///
    /// Libdispatch runs serial queues on a separate pool of up to 255 threads. The threads of a concurrent queue come
    /// from the pool that also runs Swift's tasks, and on Linux that pool never grows beyond two threads per processor,
    /// however many of them are blocked.
    private static func newQueue() -> DispatchQueue { DispatchQueue(label: "healthjournal.blocking") }
}

/// A closure that runs once and is released before its caller is resumed.
///
/// The queue keeps its block for a moment after the block has resumed the caller. Everything that the closure captures
/// would stay alive that much longer: a log that its owner has released could not be opened again at once.
///
/// The output is passed under the lock and not with the continuation, because the thread sanitizer does not see that
/// resuming a continuation happens before the task continues, if the task was not suspended yet.
private final class SingleUse<Output: Sendable>: Sendable {
    private enum State {
        case waiting(@Sendable () -> Output)
        case running
        case finished(Output)
    }

    private let state: Guarded<State>

    init(_ body: @escaping @Sendable () -> Output) {
        state = Guarded(.waiting(body))
    }

    func run() {
        let body = state.withLock { state -> (@Sendable () -> Output)? in
            guard case .waiting(let body) = state else { return nil }
            state = .running
            return body
        }
        guard let body else { preconditionFailure("the work ran already") }
        let output = body()
        state.withLock { $0 = .finished(output) }
    }

    func takeOutput() -> Output {
        state.withLock { state in
            guard case .finished(let output) = state else { preconditionFailure("the work has not run") }
            state = .running
            return output
        }
    }
}

/// The first result of several that may come; one task waits for it.
///
/// The result is passed under the lock and not with the continuation, as in `SingleUse`.
private final class Wait<Output: Sendable>: Sendable {
    private struct State {
        var result: Result<Output, any Error>?
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())

    /// Sets the result unless there is one.
    func end(_ result: Result<Output, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    func result() async throws -> Output {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.result == nil { state.continuation = continuation }
                return state.result != nil
            }
            if isOver { continuation.resume() }
        }
        guard let result = state.withLock({ $0.result }) else { preconditionFailure("the work has not ended") }
        return try result.get()
    }
}
