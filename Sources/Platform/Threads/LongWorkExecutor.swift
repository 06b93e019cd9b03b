/// Runs tasks that compute for long on threads outside Swift's cooperative pool.
///
/// The cooperative pool has one thread per processor: a few tasks that compute for seconds would stop all others. The
/// threads of this executor share the processors with those of the pool, so both get their turn. It does not limit how
/// many tasks run at once; the caller does.
package final class LongWorkExecutor: TaskExecutor {
    package static let shared = LongWorkExecutor()

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        BlockingWork.begin { unsafe job.runSynchronously(on: executor) }
    }
}
