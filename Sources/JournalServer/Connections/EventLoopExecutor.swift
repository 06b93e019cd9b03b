import NIOCore

/// Runs tasks on the thread of an event loop.
///
/// Only for tasks that never block or compute for long: all connections of the loop wait for them.
final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        loop.execute { unsafe job.runSynchronously(on: executor) }
    }
}
