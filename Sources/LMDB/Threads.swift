internal import Glibc

/// The threads of this process.
package enum Threads {
    /// Yields the processor to another thread that is ready to run.
    package static func giveWay() {
        sched_yield()
    }
}
