internal import Dispatch

/// Runs tasks that compute for long on threads outside Swift's cooperative pool.
///
/// The cooperative pool has one thread per processor: a few tasks that compute for seconds would stop all others. The
/// threads of this executor share the processors with those of the pool, so both get their turn.
package final class LongWorkExecutor: TaskExecutor {
    /// Does not limit how many tasks run at once; the caller does.
    package static let shared = LongWorkExecutor(queue: nil)

    private let queue: DispatchQueue?

    private init(queue: DispatchQueue?) {
        self.queue = queue
    }

    /// Creates an executor that runs one task at a time, on one thread; `label` names it for a debugger.
    package convenience init(oneAtATime label: String) {
        self.init(queue: DispatchQueue(label: label))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        BlockingWork.begin(on: queue) { unsafe job.runSynchronously(on: executor) }
    }
}
