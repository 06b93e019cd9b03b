import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore

/// The public interface of the library.
@Suite("The journal as a library")
struct EmbeddedJournalTests {
    private func weight(_ value: String, of record: UUID, id: String) -> String {
        """
        {"specversion": "1.0", "id": "\(id)", "source": "/scale", "type": "org.healthjournal.weight.logged", \
        "subject": "\(record)", "data": {"value": \(value), "unit": "kg"}}
        """
    }

    /// A journal with one record and an account without access to it, which the library can open.
    private struct Home {
        let outer: TemporaryFolder
        let record: UUID
        var folder: String { outer.path + "/journal" }
        var key: String { outer.path + "/master.key" }

        init() async throws {
            outer = try TemporaryFolder()
            let master = MasterKey()
            try master.write(to: outer.path + "/master.key")
            var options = EventLog.Options()
            options.mapSize = 4 << 30
            let journal = try await Journal.create(
                in: JournalFolder(outer.path + "/journal"),
                masterKey: master,
                id: UUID(),
                zone: .gmt,
                options: options
            )
            // It is open until it is deallocated, at the end of this initializer.
            defer { journal.close() }
            let owner = try journal.accounts.caller(Journal.ownerName, source: .commandLine)
            _ = try await journal.accounts.addAccount(AccountProfile(name: "stranger"), owner)
            var profile = RecordProfile(subject: .human)
            try profile.set("givenName", text: "Ida")
            record = try #require(try await journal.records.createRecord(profile, owner).record)
        }
    }

    @Test("An event is appended once, and reads answer as of any position")
    func appendsAndReads() async throws {
        let home = try await Home()
        let journal = try EmbeddedJournal(folder: home.folder, masterKeyFile: home.key, reason: "evening")
        defer { journal.close() }
        #expect(try await journal.records().map(\.id) == [home.record])
        let before = try journal.size
        let first = try await journal.append(weight("75.40", of: home.record, id: "a"))
        #expect(first.position == before + 1)
        #expect(first.entry != nil)
        #expect(!first.isRepeated)
        let again = try await journal.append(weight("75.40", of: home.record, id: "a"))
        #expect(again.position == first.position)
        #expect(again.isRepeated)
        let now = try await journal.read(home.record)
        #expect(now.contains("75.40"))
        let document = try NativeObject(JSONReader.read(Array(now.utf8)))
        #expect(try document.object("asOf").number("position") == first.position)
        #expect(try NativeDocument.decode(document).id == home.record)
        #expect(try await !journal.read(home.record, asOf: .position(before)).contains("75.40"))
        let early = await #expect(throws: JournalError.self) {
            try await journal.read(home.record, asOf: .time(Date(timeIntervalSince1970: 1e9)))
        }
        #expect(early?.code == .notFound)
        let never = await #expect(throws: JournalError.self) {
            try await journal.read(home.record, asOf: .time(Date(timeIntervalSince1970: .infinity)))
        }
        #expect(never?.code == .invalid)
    }

    @Test("Events are followed in order, also those that are appended meanwhile")
    func follows() async throws {
        let home = try await Home()
        let journal = try EmbeddedJournal(folder: home.folder, masterKeyFile: home.key)
        defer { journal.close() }
        let before = try journal.size
        let following = Task {
            var events: [EmbeddedJournal.Event] = []
            for try await event in journal.events(after: before) {
                events.append(event)
                if events.count == 2 { break }
            }
            return events
        }
        let first = try await journal.append(weight("70", of: home.record, id: "a"))
        let second = try await journal.append(weight("71", of: home.record, id: "b"))
        let events = try await following.value
        #expect(events.map(\.position) == [first.position, second.position])
        #expect(events.allSatisfy { $0.type == "entry.added" && $0.json.contains("\"specversion\":\"1.0\"") })
    }

    @Test("The sequence of events ends when its task is cancelled")
    func cancels() async throws {
        let home = try await Home()
        let journal = try EmbeddedJournal(folder: home.folder, masterKeyFile: home.key)
        defer { journal.close() }
        let end = try journal.size
        let following = Task {
            var count = 0
            for try await _ in journal.events(after: end) { count += 1 }
            return count
        }
        // By then, the task waits for an event.
        try await Task.sleep(for: .milliseconds(100))
        following.cancel()
        #expect(try await following.value == 0)
    }

    @Test("Closing ends the sequences of events, and later calls fail")
    func closes() async throws {
        let home = try await Home()
        do {
            let journal = try EmbeddedJournal(folder: home.folder, masterKeyFile: home.key)
            let events = journal.events(after: try journal.size)
            let following = Task {
                var count = 0
                for try await _ in events { count += 1 }
                return count
            }
            try await Task.sleep(for: .milliseconds(100))
            journal.close()
            #expect(try await following.value == 0)
            let late = await #expect(throws: JournalError.self) { try await journal.read(home.record) }
            #expect(late?.code == .failed)
            #expect(journal.checkpointProblem == nil)
        }
        // Nothing refers to the journal anymore, so it can be opened again; it closes itself when it is deallocated.
        #expect(try EmbeddedJournal(folder: home.folder, masterKeyFile: home.key).size > 0)
    }

    @Test("A verification finds a sound log, with the root of its checkpoint")
    func verifies() async throws {
        let home = try await Home()
        let journal = try EmbeddedJournal(folder: home.folder, masterKeyFile: home.key)
        defer { journal.close() }
        let verified = try await journal.verify()
        #expect(verified.size == (try journal.size) && verified.faults.isEmpty && verified.root.count == 64)
    }

    @Test("The account's rights apply, and invalid events are refused with the field")
    func refuses() async throws {
        let home = try await Home()
        let journal = try EmbeddedJournal(folder: home.folder, masterKeyFile: home.key, account: "stranger")
        defer { journal.close() }
        #expect(try await journal.records().isEmpty)
        let read = await #expect(throws: JournalError.self) { try await journal.read(home.record) }
        #expect(read?.code == .refused)
        let append = await #expect(throws: JournalError.self) {
            try await journal.append(weight("75", of: home.record, id: "a"))
        }
        #expect(append?.code == .refused)
        let verify = await #expect(throws: JournalError.self) { try await journal.verify() }
        #expect(verify?.code == .refused)
        let invalid = await #expect(throws: JournalError.self) { try await journal.append("{\"id\": \"a\"}") }
        #expect(invalid?.code == .invalid)
        let unknown = #expect(throws: JournalError.self) {
            try EmbeddedJournal(folder: home.folder + "/none", masterKeyFile: home.key)
        }
        #expect(unknown?.code == .notFound)
    }
}
