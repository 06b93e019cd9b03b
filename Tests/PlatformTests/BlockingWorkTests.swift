import Foundation
import Platform
import Testing

@Suite("Work that blocks")
struct BlockingWorkTests {
    private struct Failed: Error {}

    @Test("Work that cannot be interrupted gives its result, its error, or nothing in time")
    func limited() async throws {
        #expect(try await BlockingWork.run(within: .seconds(60)) { 7 } == 7)
        await #expect(throws: Failed.self) {
            try await BlockingWork.run(within: .seconds(60)) { () throws -> Int in throw Failed() }
        }
        let start = ContinuousClock.now
        await #expect(throws: BlockingWork.TimedOut.self) {
            try await BlockingWork.run(within: .milliseconds(50)) { Thread.sleep(forTimeInterval: 20) }
        }
        let task = Task { try await BlockingWork.run(within: .seconds(60)) { Thread.sleep(forTimeInterval: 20) } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test("An executor for one task at a time runs no two at once")
    func oneAtATime() async {
        let executor = LongWorkExecutor(oneAtATime: "test")
        let running = Guarded((now: 0, most: 0))
        let tasks = (0..<20)
            .map { _ in
                Task(executorPreference: executor) {
                    running.withLock {
                        $0.now += 1
                        $0.most = max($0.most, $0.now)
                    }
                    usleep(2_000)
                    running.withLock { $0.now -= 1 }
                }
            }
        for task in tasks { await task.value }
        #expect(running.withLock { $0.most } == 1)
    }
}
