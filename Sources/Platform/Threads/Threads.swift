internal import FoundationEssentials
internal import Glibc

/// The threads of this process, and the processors that they may use.
package enum Threads {
    /// The number of processors that this process may use; cached, because each query reads system files.
    package static let processorCount = ProcessInfo.processInfo.activeProcessorCount

    /// Yields the processor to another thread that is ready to run.
    package static func giveWay() {
        sched_yield()
    }
}
