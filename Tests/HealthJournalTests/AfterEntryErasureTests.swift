import Foundation
import HealthJournal
import HealthModel
import Interchange
import MedicalRecords
import TestSupport
import Testing

@testable import EventLog
@testable import JournalCore

/// What may be added after the erasure of an entry: the same dose, the same file, the same request.
@Suite("After the erasure of an entry")
struct AfterEntryErasureTests {
    /// A person with a plan of which the dose of this morning was logged and erased.
    private struct Scene {
        let home: TestHousehold
        let record: UUID
        let plan: UUID
        let slot: Slot

        init() async throws {
            home = try await TestHousehold(clock: TestClock("2026-03-10"))
            try home.clock.set("2026-03-10T08:05:00Z")
            record = try await home.person("Ida")
            let from = try WallMoment(parsing: "2026-03-01")
            let (rule, time) = (UUID(), UUID())
            var content = try entry("drug", ["name": "Lisinopril"])
            let pattern = try PlanRule.Pattern(.daily, parsing: "08:00=1", anchor: from.day) { time }
            content.addRule(PlanRule(id: rule, from: from, pattern: pattern, recordedAt: Instant(microseconds: 0)))
            plan = try #require(try await home.journal.entries.addEntry(content, to: record, home.owner).entry)
            slot = .time(rule: rule, day: try Day(parsing: "2026-03-10"), time: time)
            let logged = try await home.journal.entries.addEntry(dose(), to: record, home.owner).entry
            #expect(logged == first)
            try await erase(first)
        }

        /// The ids that the dose has before any erasure, and after the first one.
        var first: UUID { slot.entryID(of: plan) }
        var second: UUID { UUID(nameBased: first, "after an erasure") }

        func dose() throws -> EntryContent {
            let (plan, slot) = (plan.text, slot.description)
            return try entry(
                "dose",
                ["of": plan, "slot": slot, "status": "taken", "amount": "1", "date": "2026-03-10T08:01:00Z"]
            )
        }

        func erase(_ entry: UUID) async throws {
            _ = try await home.journal.erasure.eraseEntry(entry, home.owner.giving(reason: "the wrong person"))
        }

        func doses() async throws -> [UUID] {
            try await home.state(record).activeEntries(of: Dose.kind).map(\.id)
        }
    }

    @Test("A tool can log the dose again, and repeats it without effect")
    func tool() async throws {
        let fixture = try await IngestFixture()
        let home = fixture.home
        try home.clock.set("2026-03-02T12:06:00Z")
        var content = try entry("drug", ["name": "Lisinopril", "unit": "tablet"])
        let first = try WallMoment(parsing: "2026-03-01")
        let pattern = try PlanRule.Pattern(.daily, parsing: "12:03=1", anchor: first.day) { UUID() }
        content.addRule(PlanRule(id: UUID(), from: first, pattern: pattern, recordedAt: Instant(microseconds: 0)))
        let plan = try #require(try await home.journal.entries.addEntry(content, to: fixture.record, home.owner).entry)
        func send(_ id: String, slot: String? = nil) async throws -> IngestResult {
            let planned = slot.map { #", "slot": "\#($0)", "amount": "1""# } ?? ""
            let data = #"{"of": "\#(plan.text)", "status": "taken"\#(planned)}"#
            return try await fixture.append(fixture.event("dose", id: id, data: data, ["time": "2026-03-02T12:05:00Z"]))
        }
        let wrong = try #require(try await send("1").entry)
        _ = try await home.journal.erasure.eraseEntry(wrong, home.owner.giving(reason: "the wrong person"))
        #expect(await refusal { _ = try await send("1") }?.code == .erased)
        let again = try await send("2")
        let entry = try #require(again.entry)
        #expect(entry != wrong)
        let dose = try #require(try await home.state(fixture.record).entry(entry))
        #expect(dose.content.body.text(Dose.slot)?.isEmpty == false)
        let repeated = try await send("2")
        #expect(repeated.isRepeated)
        #expect(repeated.entry == entry)
        // Even if another one follows from the content by now.
        _ = try await home.journal.erasure.eraseEntry(entry, home.owner.giving(reason: "the wrong person"))
        let slot = try #require(dose.content.body.text(Dose.slot))
        let third = try #require(try await send("3", slot: slot).entry)
        #expect(third != entry)
        _ = try await home.journal.erasure.eraseEntry(third, home.owner.giving(reason: "the wrong person"))
        #expect(await refusal { _ = try await send("3", slot: slot) }?.code == .erased)
    }

    @Test("A dose that was logged again can be imported elsewhere, and is then the only one of its time")
    func imported() async throws {
        let scene = try await Scene()
        let again = try await scene.home.journal.entries.addEntry(scene.dose(), to: scene.record, scene.home.owner)
            .entry
        #expect(again == scene.second)
        let state = try await scene.home.state(scene.record)
        func document(_ dose: UUID) throws -> ImportedRecord {
            ImportedRecord(
                id: scene.record,
                profile: state.profile,
                entries: [
                    ImportedEntry(
                        id: scene.plan,
                        content: try #require(state.entry(scene.plan)).content,
                        path: "entries[0]"
                    ),
                    ImportedEntry(id: dose, content: try scene.dose(), path: "entries[1]"),
                ],
                shape: .native,
                unrepresented: []
            )
        }
        let other = try await TestHousehold(clock: TestClock("2026-03-10"))
        try other.clock.set("2026-03-10T09:00:00Z")
        let report = try await other.journal.imports.take(document(scene.second), other.owner)
        #expect(report.added == 2)
        // Logging it here finds the imported one.
        let known = await refusal {
            _ = try await other.journal.entries.addEntry(scene.dose(), to: scene.record, other.owner)
        }
        #expect(known?.code == .conflict)
        var request = DoseRequest(plan: scene.plan, status: .taken)
        request.target = .wall(try WallMoment(parsing: "2026-03-10T08:00"))
        request.at = .instant(try Instant(parsing: "2026-03-10T08:01:00Z"))
        let logged = try await other.journal.care.logDose(request, in: scene.record, other.owner)
        #expect(logged.write.entry == scene.second)
        // A second dose of the same time is refused, whichever id it has.
        let twice = await refusal { _ = try await other.journal.imports.take(document(scene.first), other.owner) }
        #expect(twice?.code == .conflict && twice?.field == "entries[1].id")
        let foreign = await refusal { _ = try await other.journal.imports.take(document(UUID()), other.owner) }
        #expect(foreign?.code == .invalid)
        #expect(try await other.state(scene.record).activeEntries(of: Dose.kind).map(\.id) == [scene.second])
    }

    @Test("A device that does not know of the erasure can log the dose again, and does not bring back the erased one")
    func device() async throws {
        let scene = try await Scene()
        let (home, journal) = (scene.home, scene.home.journal)
        let device = try await journal.sync.addDevice(named: "phone", home.owner).id
        let madeAt = journal.now
        func report(_ id: String) throws -> SyncCommand {
            SyncCommand(
                id: id,
                device: device,
                seq: 1,
                madeAt: madeAt,
                record: scene.record,
                entry: scene.first,
                kind: Dose.kind,
                action: .log,
                content: try scene.dose()
            )
        }
        #expect(try await journal.sync.take(report("one"), offset: 0, home.owner).outcome == .taken)
        #expect(try await scene.doses() == [scene.second])
        #expect(try await journal.sync.take(report("one"), offset: 0, home.owner).outcome == .already)
        try await scene.erase(scene.second)
        let erased = await refusal { _ = try await journal.sync.take(report("one"), offset: 0, home.owner) }
        #expect(erased?.code == .erased)
        #expect(try await scene.doses() == [])
        #expect(try await journal.sync.take(report("two"), offset: 0, home.owner).outcome == .taken)
        #expect(try await scene.doses().count == 1)
        // Whatever else has the id of an erased entry is refused.
        var retraction = try report("three")
        (retraction.action, retraction.content) = (.retract, nil)
        #expect(await refusal { _ = try await journal.sync.take(retraction, offset: 0, home.owner) }?.code == .erased)
    }

    @Test(
        "A file that is added while another entry with the same file is erased is not lost",
        arguments: [false, true]
    )
    func sameFile(isImported: Bool) async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let (journal, owner) = (home.journal, home.owner)
        let profile = try await home.state(record).profile
        var random = SeededGenerator()
        for round in 0..<60 {
            let bytes = Array("letter \(round)".utf8)
            let content = try entry("document", ["name": "letter.txt"])
            let wrong = try #require(try await journal.entries.attachDocument(bytes, content, to: record, owner).entry)
            async let erasure = journal.erasure.eraseEntry(wrong, owner.giving(reason: "not hers"))
            // Between nothing and about the time that an erasure takes.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...15_000, using: &random)))
            let kept: UUID
            if isImported {
                kept = UUID()
                let imported = ImportedEntry(id: kept, content: content, attachment: bytes, path: "entries[0]")
                let document = ImportedRecord(
                    id: record,
                    profile: profile,
                    entries: [imported],
                    shape: .native,
                    unrepresented: []
                )
                _ = try await journal.imports.take(document, owner)
            } else {
                kept = try #require(try await journal.entries.attachDocument(bytes, content, to: record, owner).entry)
            }
            _ = try await erasure
            #expect(try await journal.entries.document(kept, owner).bytes == bytes)
            #expect(await refusal { _ = try await journal.entries.document(wrong, owner) }?.code == .erased)
        }
    }

    @Test("A repeated request is told of the erasure only if its caller may still add to the record")
    func repeated() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let anna = try await home.account("Anna")
        _ = try await home.journal.sharing.grant(
            GrantTerms(verbs: [.read, .contribute]),
            to: anna.account,
            on: record,
            home.owner
        )
        var caller = anna
        caller.request = RequestKey("weight", digest: [1])
        let content = try entry("weight", ["value": "70", "unit": "kg"])
        let added = try #require(try await home.journal.entries.addEntry(content, to: record, caller).entry)
        _ = try await home.journal.erasure.eraseEntry(added, home.owner.giving(reason: "the wrong person"))
        func repeated() async -> JournalError? {
            await refusal { _ = try await home.journal.entries.addEntry(content, to: record, caller) }
        }
        #expect(await repeated()?.code == .erased)
        _ = try await home.journal.sharing.revoke(anna.account, on: record, home.owner)
        let refused = await repeated()
        #expect(refused != nil)
        #expect(refused?.code != .erased)
        #expect(refused?.message.contains("erased") == false)
    }
}
