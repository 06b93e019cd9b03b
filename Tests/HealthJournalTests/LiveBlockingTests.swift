import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Shared threads during locks of other processes")
struct LiveBlockingTests {
    /// Starts `body` on a single thread while another process holds a lock.
    ///
    /// Returns whether that thread stayed free, and the value of `body` after the lock was released.
    private func whileHeld<Value: Sendable>(
        _ folder: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> (isFree: Bool, value: Value) {
        let holder = try ChildProcess(["hold-write", folder])
        #expect(holder.readLine() == "ready")
        let thread = SingleThread()
        let waiting = Task(executorPreference: thread) { try await body() }
        try await Task.sleep(for: .milliseconds(300))
        let isFree = await thread.isFree(within: 5)
        holder.kill9()
        return (isFree, try await waiting.value)
    }

    @Test("A read that waits for another process to write the views blocks no thread, and succeeds after that")
    func read() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Vi")
        journal.answerOnlyWhenViewsAreUpToDate()
        _ = try await home.add("weight", ["value": "61"], to: record)
        let (isFree, count) = try await whileHeld(home.folder.views) {
            try await journal.records.read(record, ReadOptions(), owner).state.entries.count
        }
        #expect(isFree)
        #expect(count == 1)
    }

    @Test("A change that waits for another process to write the log blocks no thread, and succeeds after that")
    func write() async throws {
        let home = try await TestHousehold()
        let (journal, owner) = (home.journal, home.owner)
        let record = try await home.person("Vi")
        journal.answerOnlyWhenViewsAreUpToDate()
        for value in 61...65 { _ = try await home.add("weight", ["value": "\(value)"], to: record) }
        let content = try entry("weight", ["value": "66"])
        let (isFree, _) = try await whileHeld(home.folder.log) {
            try await journal.entries.addEntry(content, to: record, owner)
        }
        #expect(isFree)
        #expect(try await home.state(record).entries.count == 6)
    }
}
