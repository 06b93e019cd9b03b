import EventLog
import Foundation
import HealthModel
import Interchange
import Testing

@testable import HealthJournal

@Suite("Who may come through the door")
struct DoorRightsTests {
    /// What became of an event, and that a refusal left its event behind.
    private func outcome(_ ground: DoorGround, _ event: CloudEvent, _ caller: Caller) async throws -> String {
        let before = try ground.home.head
        let answer = try await #require(ground.append([event], caller).first)
        let types = try ground.home.events(after: before).map(\.type)
        switch answer {
        case .success(let taken):
            #expect(types == [taken.entry == nil ? .externalReceived : .entryAdded])
            return taken.entry == nil ? "kept" : "entry"
        case .failure(let error):
            #expect(types == (error.code == .refused ? [.accessDenied] : []))
            return error.code.rawValue
        }
    }

    @Test(
        "A token's category bounds kinds and streams alike",
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
        let ground = try await DoorGround()
        for account in [ground.scale, ground.home.owner] {
            var caller = account
            caller.scope = try TokenScope(parsing: scope)
            let events = [
                try ground.weight("72.5", id: "\(account.name) 1"),
                try ground.event("blood", id: "\(account.name) 2", data: #"{"name": "HbA1c"}"#),
                try ground.event("note", id: "\(account.name) 3", data: "5", ["source": "scale-kitchen"]),
                try ground.event("note", id: "\(account.name) 4", data: "5", ["source": "weight"]),
            ]
            var outcomes: [String] = []
            for event in events { outcomes.append(try await outcome(ground, event, caller)) }
            #expect(outcomes == expected, "\(account.name)")
        }
    }

    @Test("The stream that is named, not the source, is held against the scope")
    func namedStream() async throws {
        let ground = try await DoorGround()
        var caller = ground.scale
        caller.scope = .append(category: "lab")
        let event = try ground.event("note", data: "5")
        let journal = ground.home.journal
        #expect(await journal.append([event], stream: "scale-1", caller).first?.failure?.code == .refused)
        #expect(await journal.append([event], stream: "lab-1", caller).first?.failure == nil)
    }

    @Test("No tool keeps another's readings out by sending something in its name first")
    func foreignSource() async throws {
        let ground = try await DoorGround()
        var spy = try await ground.home.account("spy", .tool)
        spy.scope = .append(category: "notes")
        let forged = try ground.event("weight", data: "{}", ["type": "com.example.note"])
        #expect(await ground.home.journal.append([forged], stream: "notes", spy).first?.failure == nil)
        let reading = try await ground.append(ground.weight("72.5"))
        #expect(!reading.isRepeated && reading.entry != nil)
        // Nor does a person who may contribute take the scale's entry.
        let anna = try await ground.home.account("anna")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await ground.home.journal.grant(terms, to: anna.account, on: ground.record, ground.home.owner)
        #expect(try await ground.append(ground.weight("99"), anna).entry != reading.entry)
        #expect(try await ground.append(ground.weight("72.5")).position == reading.position)
    }

    @Test("Only what a grant says, from its first day to its last, and nothing after a revoke")
    func grants() async throws {
        let ground = try await DoorGround()
        let (home, journal) = (ground.home, ground.home.journal)
        #expect(try await outcome(ground, ground.weight("1", id: "1"), ground.scale) == "entry")
        let doctor = try ground.event("doctor", id: "2", data: #"{"name": "Dr. A"}"#)
        #expect(try await outcome(ground, doctor, ground.scale) == "refused")
        // What it says is not looked at before that.
        #expect(try await outcome(ground, ground.event("doctor", id: "2", data: "5"), ground.scale) == "refused")
        let other = try await home.person("Other")
        #expect(
            try await outcome(ground, ground.weight("1", id: "3", ["subject": other.text]), ground.scale) == "refused"
        )
        let nobody = UUID().text
        #expect(try await outcome(ground, ground.weight("1", id: "4", ["subject": nobody]), ground.scale) == "notFound")
        _ = try await journal.revoke(ground.scale.account, on: ground.record, home.owner)
        #expect(try await outcome(ground, ground.weight("1", id: "5"), ground.scale) == "refused")
        // Not even what it sent itself is answered to it again.
        #expect(try await outcome(ground, ground.weight("1", id: "1"), ground.scale) == "refused")
        let from = try Day(parsing: "2026-03-05")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute], from: from, until: from)
        _ = try await journal.grant(terms, to: ground.scale.account, on: ground.record, home.owner)
        for (day, expected) in [("04", "refused"), ("05", "entry"), ("06", "refused")] {
            try home.clock.set("2026-03-\(day)T12:00:00Z")
            #expect(try await outcome(ground, ground.weight("1", id: "day \(day)"), ground.scale) == expected)
        }
    }

    @Test("A tool sees and changes nothing of what it added")
    func nothingElse() async throws {
        let ground = try await DoorGround()
        let journal = ground.home.journal
        let entry = try #require(try await ground.append(ground.weight("72.5")).entry)
        let tries: [() async throws -> Void] = [
            { _ = try await journal.read(ground.record, ReadOptions(), ground.scale) },
            { _ = try await journal.history(ofEntry: entry, ground.scale) },
            { _ = try await journal.retractEntry(entry, ground.scale) },
            { _ = try await journal.correctEntry(entry, ground.scale) { _ in } },
            { _ = try await journal.costs(of: ground.record, ground.scale) },
        ]
        for attempt in tries { #expect(await refusal(attempt)?.code == .refused) }
        #expect(try await journal.listRecords(ground.scale).isEmpty)
        #expect(throws: JournalError.self) { try journal.record(String(ground.record.text.prefix(12)), ground.scale) }
    }

    @Test("A person adds what its grant says; to streams only the one who runs the journal")
    func persons() async throws {
        let ground = try await DoorGround()
        let home = ground.home
        let anna = try await home.account("anna")
        let note = try ground.event("note", id: "note", data: "5")
        #expect(try await outcome(ground, ground.weight("1", id: "1"), anna) == "refused")
        #expect(try await outcome(ground, note, anna) == "refused")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await home.journal.grant(terms, to: anna.account, on: ground.record, home.owner)
        #expect(try await outcome(ground, ground.weight("1", id: "1"), anna) == "entry")
        #expect(try await outcome(ground, ground.weight("1", id: "2"), home.owner) == "entry")
        #expect(try await outcome(ground, note, home.owner) == "kept")
        let auditor = try await home.account("auditor", .auditor)
        #expect(try await outcome(ground, ground.weight("1", id: "3"), auditor) == "refused")
        #expect(try await outcome(ground, note, auditor) == "refused")
    }

    @Test("Three caregivers and a tool: the tool takes nobody's place, and an auditor is let in to nothing")
    func limits() async throws {
        let ground = try await DoorGround()
        let (home, journal) = (ground.home, ground.home.journal)
        for name in ["anna", "ben", "cleo"] {
            let caregiver = try await home.account(name)
            _ = try await journal.grant(GrantTerms(), to: caregiver.account, on: ground.record, home.owner)
        }
        let cuff = try await home.account("cuff", .tool)
        let adds = GrantTerms(verbs: [.contribute])
        _ = try await journal.grant(adds, to: cuff.account, on: ground.record, home.owner)
        for verbs: Set<Verb> in [[.read], [.read, .contribute]] {
            let terms = GrantTerms(verbs: verbs)
            let error = await refusal {
                _ = try await journal.grant(terms, to: cuff.account, on: ground.record, home.owner)
            }
            #expect(error?.field == "verbs")
        }
        let dora = try await home.account("dora")
        let fourth = await refusal {
            _ = try await journal.grant(adds, to: dora.account, on: ground.record, home.owner)
        }
        #expect(fourth?.code == .conflict)
        let auditor = try await home.account("auditor", .auditor)
        let audited = await refusal {
            _ = try await journal.grant(adds, to: auditor.account, on: ground.record, home.owner)
        }
        #expect(audited?.field == "account")
    }

    @Test("An erased record takes nothing, and its tool learns nothing of that")
    func erased() async throws {
        let ground = try await DoorGround()
        let (home, journal) = (ground.home, ground.home.journal)
        _ = try await ground.append(ground.weight("72.5"))
        var eraser = home.owner
        eraser.reason = "asked for"
        _ = try await journal.eraseRecord(ground.record, eraser)
        #expect(try await outcome(ground, ground.weight("72.5"), ground.scale) == "refused")
        #expect(try await outcome(ground, ground.weight("72.6", id: "2"), ground.scale) == "refused")
        #expect(try await outcome(ground, ground.weight("72.6", id: "3"), home.owner) == "erased")
    }
}
