import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

@Suite("Authorization of the ingest interface")
struct IngestAuthorizationTests {
    /// Returns what became of an event, and checks that a refusal was recorded.
    private func outcome(_ fixture: IngestFixture, _ event: CloudEvent, _ caller: Caller) async throws -> String {
        let before = try fixture.home.head
        let answer = try await #require(fixture.append([event], caller).first)
        let types = try fixture.home.events(after: before).map(\.type)
        switch answer {
        case .success(let taken):
            #expect(types == [taken.entry == nil ? ExternalReceived.type : EntryAdded.type])
            return taken.entry == nil ? "kept" : "entry"
        case .failure(let error):
            #expect(types == (error.code == .refused ? [AccessDenied.type] : []))
            return error.code.rawValue
        }
    }

    @Test(
        "A token's category limits kinds and streams",
        arguments: [
            ("full", ["entry", "entry", "kept", "kept"]), ("append", ["entry", "entry", "kept", "kept"]),
            ("append:weight", ["entry", "refused", "refused", "kept"]),
            ("append:scale", ["refused", "refused", "kept", "refused"]),
            ("append:blood", ["refused", "entry", "refused", "refused"]),
            ("read", ["refused", "refused", "refused", "refused"]),
            ("audit", ["refused", "refused", "refused", "refused"]),
        ]
    )
    func scopes(scope: String, expected: [String]) async throws {
        let fixture = try await IngestFixture()
        for account in [fixture.scale, fixture.home.owner] {
            var caller = account
            caller.scope = try TokenScope(parsing: scope)
            let events = [
                try fixture.weight("72.5", id: "\(account.name) 1"),
                try fixture.event("blood", id: "\(account.name) 2", data: #"{"name": "HbA1c"}"#),
                try fixture.event("note", id: "\(account.name) 3", data: "5", ["source": "scale-kitchen"]),
                try fixture.event("note", id: "\(account.name) 4", data: "5", ["source": "weight"]),
            ]
            var outcomes: [String] = []
            for event in events { outcomes.append(try await outcome(fixture, event, caller)) }
            #expect(outcomes == expected, "\(account.name)")
        }
    }

    @Test("The scope is checked against the stream that the request names, not against the source")
    func namedStream() async throws {
        let fixture = try await IngestFixture()
        var caller = fixture.scale
        caller.scope = try TokenScope(parsing: "append:lab")
        let event = try fixture.event("note", data: "5")
        let journal = fixture.home.journal
        #expect(await journal.ingest.append([event], stream: "scale-1", caller).first?.failure?.code == .refused)
        #expect(await journal.ingest.append([event], stream: "lab-1", caller).first?.failure == nil)
    }

    @Test("A tool cannot block another tool's readings by sending an event with its source first")
    func foreignSource() async throws {
        let fixture = try await IngestFixture()
        var spy = try await fixture.home.account("spy", .tool)
        spy.scope = try TokenScope(parsing: "append:notes")
        let forged = try fixture.event("weight", data: "{}", ["type": "com.example.note"])
        #expect(await fixture.home.journal.ingest.append([forged], stream: "notes", spy).first?.failure == nil)
        let reading = try await fixture.append(fixture.weight("72.5"))
        #expect(!reading.isRepeated)
        #expect(reading.entry != nil)
        // An event of a person who may contribute does not conflict with the scale's either.
        let anna = try await fixture.home.account("anna")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await fixture.home.journal.sharing.grant(
            terms,
            to: anna.account,
            on: fixture.record,
            fixture.home.owner
        )
        #expect(try await fixture.append(fixture.weight("99"), anna).entry != reading.entry)
        #expect(try await fixture.append(fixture.weight("72.5")).position == reading.position)
    }

    @Test("A tool may add what its grant covers, from the first to the last day, and nothing after a revoke")
    func grants() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        #expect(try await outcome(fixture, fixture.weight("1", id: "1"), fixture.scale) == "entry")
        let doctor = try fixture.event("doctor", id: "2", data: #"{"name": "Dr. A"}"#)
        #expect(try await outcome(fixture, doctor, fixture.scale) == "refused")
        // The section is checked before the data is read.
        #expect(try await outcome(fixture, fixture.event("doctor", id: "2", data: "5"), fixture.scale) == "refused")
        let other = try await home.person("Other")
        #expect(
            try await outcome(fixture, fixture.weight("1", id: "3", ["subject": other.text]), fixture.scale)
                == "refused"
        )
        let nobody = UUID().text
        #expect(
            try await outcome(fixture, fixture.weight("1", id: "4", ["subject": nobody]), fixture.scale) == "notFound"
        )
        _ = try await journal.sharing.revoke(fixture.scale.account, on: fixture.record, home.owner)
        #expect(try await outcome(fixture, fixture.weight("1", id: "5"), fixture.scale) == "refused")
        // A repeated event is refused as well, even to the tool that sent it.
        #expect(try await outcome(fixture, fixture.weight("1", id: "1"), fixture.scale) == "refused")
        let from = try Day(parsing: "2026-03-05")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute], from: from, until: from)
        _ = try await journal.sharing.grant(terms, to: fixture.scale.account, on: fixture.record, home.owner)
        for (day, expected) in [("04", "refused"), ("05", "entry"), ("06", "refused")] {
            try home.clock.set("2026-03-\(day)T12:00:00Z")
            #expect(try await outcome(fixture, fixture.weight("1", id: "day \(day)"), fixture.scale) == expected)
        }
    }

    @Test("A tool can neither see nor change what it has added")
    func nothingElse() async throws {
        let fixture = try await IngestFixture()
        let journal = fixture.home.journal
        let entry = try #require(try await fixture.append(fixture.weight("72.5")).entry)
        let tries: [() async throws -> Void] = [
            { _ = try await journal.records.read(fixture.record, ReadOptions(), fixture.scale) },
            { _ = try await journal.trail.history(ofEntry: entry, fixture.scale) },
            { _ = try await journal.entries.retractEntry(entry, fixture.scale) },
            { _ = try await journal.entries.correctEntry(entry, fixture.scale) { _ in } },
            { _ = try await journal.records.costs(of: fixture.record, fixture.scale) },
        ]
        for attempt in tries { #expect(await refusal(attempt)?.code == .refused) }
        #expect(try await journal.records.listRecords(fixture.scale).isEmpty)
        #expect(throws: JournalError.self) {
            try journal.records.record(String(fixture.record.text.prefix(12)), fixture.scale)
        }
    }

    @Test("A person may add what the grant covers; only the owner of the journal may add to streams")
    func persons() async throws {
        let fixture = try await IngestFixture()
        let home = fixture.home
        let anna = try await home.account("anna")
        let note = try fixture.event("note", id: "note", data: "5")
        #expect(try await outcome(fixture, fixture.weight("1", id: "1"), anna) == "refused")
        #expect(try await outcome(fixture, note, anna) == "refused")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await home.journal.sharing.grant(terms, to: anna.account, on: fixture.record, home.owner)
        #expect(try await outcome(fixture, fixture.weight("1", id: "1"), anna) == "entry")
        #expect(try await outcome(fixture, fixture.weight("1", id: "2"), home.owner) == "entry")
        #expect(try await outcome(fixture, note, home.owner) == "kept")
        let auditor = try await home.account("auditor", .auditor)
        #expect(try await outcome(fixture, fixture.weight("1", id: "3"), auditor) == "refused")
        #expect(try await outcome(fixture, note, auditor) == "refused")
    }

    @Test("A tool does not count toward the limit of three caregivers, and an auditor gets no grant")
    func limits() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        for name in ["anna", "ben", "cleo"] {
            let caregiver = try await home.account(name)
            _ = try await journal.sharing.grant(GrantTerms(), to: caregiver.account, on: fixture.record, home.owner)
        }
        let cuff = try await home.account("cuff", .tool)
        let adds = GrantTerms(verbs: [.contribute])
        _ = try await journal.sharing.grant(adds, to: cuff.account, on: fixture.record, home.owner)
        for verbs: Set<Verb> in [[.read], [.read, .contribute]] {
            let terms = GrantTerms(verbs: verbs)
            let error = await refusal {
                _ = try await journal.sharing.grant(terms, to: cuff.account, on: fixture.record, home.owner)
            }
            #expect(error?.field == "verbs")
        }
        let dora = try await home.account("dora")
        let fourth = await refusal {
            _ = try await journal.sharing.grant(adds, to: dora.account, on: fixture.record, home.owner)
        }
        #expect(fourth?.code == .conflict)
        let auditor = try await home.account("auditor", .auditor)
        let audited = await refusal {
            _ = try await journal.sharing.grant(adds, to: auditor.account, on: fixture.record, home.owner)
        }
        #expect(audited?.field == "account")
    }

    @Test("An erased record takes no events, and a tool does not learn that it was erased")
    func erased() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        _ = try await fixture.append(fixture.weight("72.5"))
        var eraser = home.owner
        eraser.reason = "asked for"
        _ = try await journal.erasure.eraseRecord(fixture.record, eraser)
        #expect(try await outcome(fixture, fixture.weight("72.5"), fixture.scale) == "refused")
        #expect(try await outcome(fixture, fixture.weight("72.6", id: "2"), fixture.scale) == "refused")
        #expect(try await outcome(fixture, fixture.weight("72.6", id: "3"), home.owner) == "erased")
    }
}
