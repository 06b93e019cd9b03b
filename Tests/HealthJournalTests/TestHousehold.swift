import EventLog
import Foundation
import HealthJournal
import HealthModel
import JournalEvents
import Synchronization
import TestSupport
import Testing

@testable import JournalCore

/// A clock that the test sets.
final class TestClock: Sendable {
    private let time: Atomic<Int64>

    /// Starts at noon UTC of a day.
    init(_ day: String = "2026-03-02") throws {
        time = Atomic(try Instant(parsing: day + "T12:00:00Z").microseconds)
    }

    var now: Int64 { time.wrappingAdd(1_000, ordering: .sequentiallyConsistent).newValue }

    func set(_ text: String) throws {
        time.store(try Instant(parsing: text).microseconds, ordering: .sequentiallyConsistent)
    }

    /// Steps forwards, or backwards if the number is negative.
    func step(milliseconds: Int64) {
        time.wrappingAdd(milliseconds * 1_000, ordering: .sequentiallyConsistent)
    }
}

/// A journal in a temporary folder, with accounts that use it.
final class TestHousehold {
    let folder: JournalFolder
    let clock: TestClock
    private let master = MasterKey()
    private let outer: TemporaryFolder
    private var options = EventLog.Options()
    private var opened: Journal?
    /// A low cost of password hashing, for tests that do not depend on its time.
    private let cheap = PasswordCost(rounds: 1 << 4, blockSize: 8, parallelism: 1)
    private(set) var owner: Caller

    init(zone: String = "UTC", clock: TestClock? = nil) async throws {
        let clock = try clock ?? TestClock()
        self.clock = clock
        outer = try TemporaryFolder()
        folder = JournalFolder(outer.path + "/journal")
        options.mapSize = 4 << 30
        options.now = { clock.now }
        let journal = try await Journal.create(
            in: folder,
            masterKey: master,
            id: UUID(),
            zone: try #require(TimeZone(identifier: zone)),
            options: options,
            passwordCost: cheap
        )
        owner = try journal.accounts.caller(Journal.ownerName, source: .commandLine)
        opened = journal
    }

    deinit {
        opened?.close()
    }

    var journal: Journal {
        guard let opened else { fatalError("the test closed its journal") }
        return opened
    }

    var head: UInt64 { get throws { try journal.log.head() } }

    /// Closes the journal, runs `body`, which may change its files, and reopens it.
    func reopen(after body: () throws -> Void = {}) throws {
        opened?.close()
        opened = nil
        try body()
        opened = try Journal(folder: folder, masterKey: master, options: options, passwordCost: cheap)
    }

    /// Writes the master key to a file beside the journal, for another process, and returns its path.
    func writeMasterKey() throws -> String {
        let path = outer.path + "/master.key"
        try master.write(to: path)
        return path
    }

    func remove(_ parts: String...) throws {
        for part in parts { try FileManager.default.removeItem(atPath: part) }
    }

    /// Adds an account and returns a caller that acts as it.
    func account(_ name: String, _ kind: AccountKind = .person) async throws -> Caller {
        _ = try await journal.accounts.addAccount(AccountProfile(name: name, kind: kind), owner)
        return try journal.accounts.caller(name, source: .commandLine, purpose: "to test")
    }

    func person(_ given: String, _ caller: Caller? = nil) async throws -> UUID {
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: given)
        try profile.set("familyName", text: "Winterthaler")
        try profile.set("employer", text: "Hidden Employer AG")
        try profile.set("birthdate", text: "1931-05-06")
        return try #require(try await journal.records.createRecord(profile, caller ?? owner).record)
    }

    func add(
        _ kind: String,
        _ values: [String: String],
        to record: UUID,
        _ caller: Caller? = nil
    ) async throws -> UUID {
        try #require(try await journal.entries.addEntry(entry(kind, values), to: record, caller ?? owner).entry)
    }

    func state(_ record: UUID, asOf: AsOf? = nil) async throws -> RecordState {
        try await journal.records.read(record, ReadOptions(asOf: asOf, includesRetracted: true), owner).state
    }

    /// Returns the decoded events after a position.
    func events(after position: UInt64) throws -> [RecordedEvent] {
        try journal.log.events(after: position, limit: 100_000).map { try journal.log.recorded($0) }
    }
}

/// Returns an entry's content from texts, which may include `date` and `comment`.
func entry(_ kind: String, _ values: [String: String]) throws -> EntryContent {
    var content = EntryContent(kind: try #require(Kind.named(kind)))
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { try content.set(name, text: value) }
    return content
}

/// Runs an operation and returns its error, or nil if it succeeded.
func refusal(_ body: () async throws -> Void) async -> JournalError? {
    do {
        try await body()
        return nil
    } catch {
        return JournalError(error)
    }
}
