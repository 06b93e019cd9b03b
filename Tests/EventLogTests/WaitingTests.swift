import Crypto
import Foundation
import LMDB
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Waiting and locks")
struct WaitingTests {
    /// Runs `body` on a thread of its own and returns nil if it does not finish in time.
    private func within<Result: Sendable>(
        seconds: Double,
        _ body: @escaping @Sendable () throws -> Result
    ) throws -> Result? {
        let outcome = Guarded<Swift.Result<Result, any Error>?>(nil)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let result = Swift.Result { try body() }
            outcome.withLock { $0 = result }
            end.signal()
        }
        guard end.wait(timeout: .now() + seconds) == .success else { return nil }
        return try outcome.withLock { $0 }?.get()
    }

    @Test(
        "Keys and streams are looked up while another process holds the log's write lock, however far the index lags"
    )
    func lookUps() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        try await journal.log.append((0..<100).map { TestJournal.event(TestJournal.id($0), subject: subject) })
        // The index receives the events of a commit at the next append; none follows, so the index lags.
        try await journal.log.append(
            (0..<2_000)
                .map {
                    TestJournal.event(
                        TestJournal.id(1_000 + $0 % 50),
                        id: TestJournal.id($0, version: 5),
                        subject: subject
                    )
                }
        )
        #expect(try journal.log.head() == 2_100)
        let newest = try journal.log.event(at: 2_100)
        try #require(newest.header.id.isNameBased)
        let first = try journal.log.event(at: 101)
        let holder = try ChildProcess(["hold-write", journal.folder.log])
        defer { holder.kill9() }
        #expect(holder.readLine() == "ready")
        let log = journal.log
        for event in [first, newest] {
            let found = try within(seconds: 10) { try log.event(withKey: event.header.id)?.position }
            #expect(found == .some(event.position))
        }
        #expect(try within(seconds: 10) { try log.event(withKey: TestJournal.keyed(250)) == nil } == true)
        let head = try within(seconds: 10) { try log.newest(of: newest.header.stream)?.position }
        #expect(head == .some(newest.position))
        #expect(try within(seconds: 10) { try log.version(of: TestJournal.id(7)) } == 1)
    }

    @Test(
        "A cached key is available while another process locks the key file, and while a thread waits for that lock"
    )
    func keys() async throws {
        let journal = try TestJournal()
        let (known, fresh) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(known)])
        let keys = journal.log.keys
        let file = try DurableFile(path: journal.folder.keyFile, mode: .read)
        let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? file.locked {
                isHeld.signal()
                mayEnd.wait()
            }
        }
        isHeld.wait()
        let made = Guarded(false)
        let isMade = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? keys.ensure([fresh])
            made.withLock { $0 = true }
            isMade.signal()
        }
        // An append that needs a new key waits without blocking a thread of the pool.
        let log = journal.log
        let waiting = (0..<16).map { _ in Task { try await log.append([TestJournal.event()]) } }
        try await Task.sleep(for: .milliseconds(200))
        #expect(!made.withLock { $0 })
        #expect(try within(seconds: 10) { try keys.key(for: known).bitCount } == 256)
        let answered = try await within(Task { try await log.append([TestJournal.event(known)]).last })
        #expect(answered == 2)
        mayEnd.signal()
        isMade.wait()
        for task in waiting { _ = try await task.value }
        #expect(try keys.key(for: fresh).bitCount == 256)
        #expect(try log.head() == 18)
    }

    @Test("Closing waits for an append that was queued while another caller committed its own")
    func finish() async throws {
        let journal = try TestJournal()
        let log = journal.log
        let writer = try #require(log.writer)
        let subject = UUID()
        // After appends that run alone and finish quickly, the next caller commits on its own thread.
        for _ in 1...10 { try await log.append([TestJournal.event(subject)]) }
        let (isCommitting, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let own = try request(subject, in: log) {
            isCommitting.signal()
            mayEnd.wait()
        }
        Thread.detachNewThread { try? writer.submit(own, mayBlockCaller: true) }
        isCommitting.wait()
        let isAnswered = Guarded(false)
        try writer.submit(try request(subject, in: log) { isAnswered.withLock { $0 = true } }, mayBlockCaller: false)
        #expect(writer.statistics.waiting == 1)
        let finished = Task {
            await BlockingWork.run {
                writer.finish()
                return isAnswered.withLock { $0 }
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        mayEnd.signal()
        #expect(await finished.value)
    }

    private func request(
        _ subject: UUID,
        in log: EventLog,
        _ answer: @escaping @Sendable () -> Void
    ) throws -> AppendRequest {
        let event = TestJournal.event(subject)
        let keys = try log.keys.sealingKeys(of: [event.header])
        return AppendRequest(
            frames: try SealedFrame.seal([event], under: keys),
            expectations: [],
            keyedPayloads: [:],
            erasing: [],
            answer: { _ in answer() }
        )
    }

    @Test("An append waits for another process on the writer's thread, not on its caller's")
    func append() async throws {
        let journal = try TestJournal()
        let log = journal.log
        let subject = UUID()
        // After appends that run alone and finish quickly, the next caller would commit on its own thread.
        for _ in 1...10 { try await log.append([TestJournal.event(subject)]) }
        let holder = try ChildProcess(["hold-write", journal.folder.log])
        #expect(holder.readLine() == "ready")
        let thread = SingleThread()
        let waiting = Task(executorPreference: thread) { try await log.append([TestJournal.event(subject)]).last }
        try await Task.sleep(for: .milliseconds(200))
        let isFree = await thread.isFree(within: 5)
        holder.kill9()
        #expect(isFree)
        #expect(try await waiting.value == 11)
    }

    @Test("The keys for a queue of appends are created off the caller's thread")
    func prepared() async throws {
        let journal = try TestJournal()
        let log = journal.log
        let file = try DurableFile(path: journal.folder.keyFile, mode: .read)
        let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? file.locked {
                isHeld.signal()
                mayEnd.wait()
            }
        }
        isHeld.wait()
        let event = TestJournal.event()
        let thread = SingleThread()
        let waiting = Task(executorPreference: thread) { try await log.prepareKeys(of: [event]) }
        try await Task.sleep(for: .milliseconds(200))
        let isFree = await thread.isFree(within: 5)
        mayEnd.signal()
        #expect(isFree)
        try await waiting.value
        #expect(try log.keys.hasLiveKeys(of: [event]))
    }

    @Test("On close the index is synced without the log's lock, and not marked clean if it changed meanwhile")
    func closing() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        for _ in 1...3 { try await journal.log.append([TestJournal.event(subject)]) }
        let log = journal.log
        let holder = try ChildProcess(["hold-write", journal.folder.log])
        #expect(holder.readLine() == "ready")
        let synced = try #require(try within(seconds: 10) { log.index.sync() } ?? nil)
        holder.kill9()
        // The last commit is in the log, but not yet in the index.
        #expect(synced == 2)
        try await log.append([TestJournal.event(subject)])
        let state = 5 * 8
        let path = journal.folder.index + "/positions"
        func mark(_ position: UInt64) {
            try? log.environment.withWriteLock { _ in log.index.markClean(ifStill: position) }
        }
        mark(synced)
        #expect(try FileBytes.read(path)[state] == 2)
        mark(try #require(log.index.sync()))
        #expect(try FileBytes.read(path)[state] == 1)
        try await log.append([TestJournal.event(subject)])
        #expect(try FileBytes.read(path)[state] == 2)
    }

    @Test("Objects that blocking work has captured are released before its result is returned")
    func released() async {
        final class Resource: Sendable {
            func use() {}
        }
        for _ in 0..<5_000 {
            weak var released: Resource?
            do {
                let resource = Resource()
                released = resource
                await BlockingWork.run { resource.use() }
            }
            #expect(released == nil)
        }
    }

    /// Returns the value of a task, or nil if the task does not finish within ten seconds.
    private func within<Value: Sendable>(_ task: Task<Value, any Error>) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await task.value }
            group.addTask {
                try await Task.sleep(for: .seconds(10))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    @Test("However much blocking work waits for a lock, tasks and other work proceed")
    func blockingWork() async throws {
        let mayEnd = DispatchSemaphore(value: 0)
        let pieces = 64
        let (waiting, entries) = AsyncStream<Void>.makeStream()
        let work = (0..<pieces)
            .map { _ in
                Task {
                    try await BlockingWork.run { () throws(EventLogError) in
                        entries.yield()
                        mayEnd.wait()
                    }
                }
            }
        defer { for _ in 0..<pieces { mayEnd.signal() } }
        let allWait = Task { () throws in
            var begun = 0
            for await _ in waiting {
                begun += 1
                if begun == pieces { break }
            }
            return begun
        }
        #expect(try await within(allWait) == pieces)
        let journal = try TestJournal()
        #expect(try await within(Task { try await journal.log.append([TestJournal.event()]).last }) == 1)
        for _ in 0..<pieces { mayEnd.signal() }
        for piece in work { try await piece.value }
    }

    @Test("A backup copies the key file without its lock, and again if keys were destroyed meanwhile")
    func backup() async throws {
        let journal = try TestJournal()
        let (one, other) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(one), TestJournal.event(other)])
        var passes = 0
        try BackupKeys.whileUnchanged(journal.folder.keyFile) { snapshot in
            passes += 1
            #expect(try FileLock(of: journal.folder.keyFile, .alone) != nil)
            if passes == 1 { try journal.log.keys.destroy([one]) }
            let slots = stride(from: KeyFile.slotLength, to: snapshot.size, by: KeyFile.slotLength)
                .map { snapshot.read(at: $0, count: KeyFile.slotLength) }
            let slot = slots.first { KeyFile.subject(of: $0[...]) == one }
            #expect(slot?.first == (passes == 1 ? KeyFile.State.live : KeyFile.State.erased))
        }
        #expect(passes == 2)
        // If keys are destroyed during every copy, the file is locked in the end.
        passes = 0
        try BackupKeys.whileUnchanged(journal.folder.keyFile) { _ in
            passes += 1
            if try FileLock(of: journal.folder.keyFile, .alone) != nil { try journal.log.keys.destroy([other]) }
        }
        #expect(passes == 6)
    }
}
