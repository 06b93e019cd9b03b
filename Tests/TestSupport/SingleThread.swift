internal import Dispatch

/// An executor of one thread: blocking that thread stops all tasks on it, as in an exhausted thread pool.
package final class SingleThread: TaskExecutor {
    private let queue = DispatchQueue(label: "healthjournal.test.single-thread")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Reports whether the thread accepts more work within a time.
    package func isFree(within seconds: Double) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async {
                    let done = DispatchSemaphore(value: 0)
                    self.queue.async { done.signal() }
                    continuation.resume(returning: done.wait(timeout: .now() + seconds) == .success)
                }
        }
    }
}
