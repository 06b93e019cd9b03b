package import Dispatch
internal import Glibc

/// Threads of low priority, for computations that nobody's answer waits for within milliseconds.
///
/// Where there are fewer processors than threads that compute, the kernel gives each its turn: one that only has to answer
/// a small request would wait for those that read an import. On these threads, which yield to all others, such work takes
/// what is left of the processors.
///
/// A thread that holds a lock can be made to wait, and with it those of usual priority that wait for the lock: work here
/// must hold none for long.
package enum BackgroundThreads {
    private struct Work {
        var body: (@Sendable () -> Void)?
        let group: DispatchGroup?
    }

    private struct State {
        var work: [Work] = []
        /// The threads that wait for work.
        var idle = 0
    }

    /// How much is added to the `nice` value: the threads get a tenth of the share of one of usual priority (sched(7)).
    private static let nice: Int32 = 10
    /// How long a thread waits for work before it ends.
    private static let patience = DispatchTimeInterval.seconds(10)

    private static let state = Guarded(State())
    private static let added = DispatchSemaphore(value: 0)

    /// Starts work at once, and does not wait for its end.
    ///
    /// `group` contains the work until it has ended and its closure is released.
    package static func begin(in group: DispatchGroup? = nil, _ body: @escaping @Sendable () -> Void) {
        group?.enter()
        let isTaken = state.withLock { state in
            state.work.append(Work(body: body, group: group))
            guard state.idle > 0 else { return false }
            state.idle -= 1
            return true
        }
        if isTaken { added.signal() } else { startThread() }
    }

    /// Whether the calling thread has a lower priority than the process's first thread.
    static var isCurrent: Bool { priority(of: 0) > priority(of: id_t(getpid())) }

    /// The `nice` value of a thread; on Linux, the process 0 is the calling thread.
    private static func priority(of thread: id_t) -> Int32 {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), thread)
    }

    private static func startThread() {
        var thread = pthread_t()
        let status = unsafe pthread_create(&thread, nil, backgroundThread, nil)
        if status == 0 {
            pthread_detach(thread)
        } else {
            DispatchQueue(label: "healthjournal.background").async { drain() }
        }
    }

    /// Lowers the priority of the calling thread, and does work on it.
    ///
    /// The value is relative to that of the first thread, because a thread inherits that of the one that starts it.
    fileprivate static func enter() {
        let lowered = min(19, priority(of: id_t(getpid())) + nice)
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, lowered)
        work()
    }

    /// Does work until none comes for a while.
    private static func work() {
        while true {
            drain()
            let isWaiting = state.withLock { state in
                guard state.work.isEmpty else { return false }
                state.idle += 1
                return true
            }
            if isWaiting, added.wait(timeout: .now() + patience) == .timedOut {
                let ends = state.withLock { state in
                    guard state.idle > 0 else { return false }
                    state.idle -= 1
                    return true
                }
                if ends { return }
                // Work was added at this moment, and the thread was counted for it.
                added.wait()
            }
        }
    }

    private static func drain() {
        while var work = state.withLock({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) {
            work.body?()
            work.body = nil
            work.group?.leave()
        }
    }
}

/// The beginning of a thread for pthread_create.
private func backgroundThread(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    BackgroundThreads.enter()
    return nil
}
