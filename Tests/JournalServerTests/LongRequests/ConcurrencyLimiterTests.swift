import Foundation
import HealthJournal
import Platform
import Testing

@testable import JournalServer

@Suite("Concurrency limiter", .timeLimit(.minutes(10)))
struct ConcurrencyLimiterTests {
    private let anna = UUID()
    private let ben = UUID()

    @Test("Operations beyond the limit of an account wait in their order, and those beyond the queue are refused")
    func waiting() async throws {
        let limiter = ConcurrencyLimiter("searches", total: 3, perAccount: 1, waitingPerAccount: 2)
        let first = try await limiter.acquireOrWait(for: anna)
        let order = Guarded<[Int]>([])
        let waiting = await (1...2)
            .asyncMap { number in
                let task = Task { [anna] in
                    let slot = try await limiter.acquireOrWait(for: anna)
                    order.withLock { $0.append(number) }
                    slot.end()
                }
                while limiter.waiting < number { await Task.yield() }
                return task
            }
        await #expect(throws: JournalError.self) { _ = try await limiter.acquireOrWait(for: anna) }
        // Another account does not wait for them.
        let other = try await limiter.acquireOrWait(for: ben)
        other.end()
        #expect(order.withLock { $0 } == [])
        first.end()
        for task in waiting { try await task.value }
        #expect(order.withLock { $0 } == [1, 2])
        #expect(limiter.waiting == 0)
    }

    @Test("An operation that is cancelled while it waits takes no slot")
    func cancelled() async throws {
        let limiter = ConcurrencyLimiter("searches", total: 1, perAccount: 1, waitingPerAccount: 2)
        let first = try await limiter.acquireOrWait(for: anna)
        let task = Task { [anna] in _ = try await limiter.acquireOrWait(for: anna) }
        while limiter.waiting == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(limiter.waiting == 0)
        first.end()
        _ = try limiter.acquire(for: anna)
    }

    @Test("No more operations than allowed are in progress, whoever asks, waits or gives up", arguments: 0..<4)
    func property(seed: Int) async throws {
        let limiter = ConcurrencyLimiter("searches", total: 4, perAccount: 2, waitingPerAccount: 100)
        let accounts = (0..<5).map { _ in UUID() }
        let running = Guarded<[UUID: Int]>([:])
        let isBroken = Guarded(false)
        await withTaskGroup { group in
            for number in 0..<200 {
                let account = accounts[(number * 7 + seed) % accounts.count]
                group.addTask {
                    let task = Task {
                        let slot = try await limiter.acquireOrWait(for: account)
                        running.withLock { running in
                            running[account, default: 0] += 1
                            if running[account, default: 0] > 2 || running.values.reduce(0, +) > 4 {
                                isBroken.withLock { $0 = true }
                            }
                        }
                        await Task.yield()
                        running.withLock { $0[account, default: 0] -= 1 }
                        slot.end()
                    }
                    if (number + seed) % 3 == 0 { task.cancel() }
                    _ = try? await task.value
                }
            }
        }
        #expect(!isBroken.withLock { $0 } && limiter.waiting == 0)
        for account in accounts.prefix(2) { for _ in 0..<2 { _ = try await limiter.acquireOrWait(for: account) } }
    }
}
