internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The threads of this process, and the processors that they may use.
package enum Threads {
    /// The number of processors that this process may use; cached, because each query reads system files.
    package static let processorCount = ProcessInfo.processInfo.activeProcessorCount

    /// Transforms elements on all processors, and returns the results in the order of the elements.
    ///
    /// A thread takes `chunk` elements at a time; fewer are transformed without other threads. Blocks until all is done.
    ///
    /// The other threads are none of Swift's cooperative pool, as those of `concurrentPerform` would be: the tasks there
    /// would not run until all is done.
    package static func map<Element: Sendable, Output: Sendable>(
        _ elements: [Element],
        chunk: Int,
        _ transform: @Sendable (Element) -> Output
    ) -> [Output] {
        guard elements.count > chunk else { return elements.map(transform) }
        let chunks = (elements.count + chunk - 1) / chunk
        let results = Guarded([[Output]](repeating: [], count: chunks))
        let next = Atomic(0)
        withoutActuallyEscaping(transform) { transform in
            let work = { @Sendable in
                while true {
                    let number = next.add(1, ordering: .relaxed).oldValue
                    guard number < chunks else { return }
                    let range = number * chunk..<min((number + 1) * chunk, elements.count)
                    let part = elements[range].map(transform)
                    results.withLock { $0[number] = part }
                }
            }
            let group = DispatchGroup()
            for _ in 1..<max(1, min(processorCount, chunks)) {
                DispatchQueue(label: "healthjournal.map").async(group: group, execute: work)
            }
            work()
            group.wait()
        }
        return results.withLock { Array($0.joined()) }
    }

    /// Yields the processor to another thread that is ready to run.
    package static func giveWay() {
        sched_yield()
    }
}
