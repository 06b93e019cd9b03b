internal import Glibc

/// The threads of this process.
package enum Threads {
    /// Lets another thread that is ready run first.
    package static func giveWay() {
        sched_yield()
    }
}
