import Glibc
import Platform
import Testing

@Suite("Threads of low priority")
struct BackgroundThreadsTests {
    private static func priority(of thread: id_t) -> Int32 {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), thread)
    }

    @Test("Every piece of work runs once, also those that other work begins, on threads that yield to all others")
    func work() async {
        let usual = Self.priority(of: id_t(getpid()))
        let values = await withTaskGroup(of: [Int32].self) { group in
            for number in 0..<100 {
                group.addTask {
                    await BlockingWork.run(inBackground: true) {
                        // A piece waits for another one, which needs a thread of its own.
                        let inner = Guarded([Int32]())
                        let results = Threads.map(Array(0..<(number % 7)), chunk: 1) { _ in Self.priority(of: 0) }
                        inner.withLock { $0 = results + [Self.priority(of: 0)] }
                        return inner.withLock { $0 }
                    }
                }
            }
            return await group.reduce(into: [Int32]()) { $0 += $1 }
        }
        #expect(values.count == (0..<100).reduce(0) { $0 + $1 % 7 + 1 })
        #expect(Set(values) == [min(19, usual + 10)])
        // Other threads keep their priority.
        #expect(await BlockingWork.run { Self.priority(of: 0) } == usual)
    }

    @Test("Tasks of the executor for long work run on these threads, and continue there after they waited")
    func tasks() async throws {
        let usual = Self.priority(of: id_t(getpid()))
        let task = Task(executorPreference: LongWorkExecutor.shared) {
            let before = Self.priority(of: 0)
            try await Task.sleep(for: .milliseconds(5))
            return (before, Self.priority(of: 0))
        }
        let (before, after) = try await task.value
        #expect(before > usual || usual == 19)
        #expect(after == before)
    }
}
