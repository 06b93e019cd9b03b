import FoundationEssentials
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

/// A change that a device sends again, because it did not hear the answer, after others changed the entry.
@Suite("A change that is sent again")
struct RepeatedChangeTests {
    @Test(
        "A change that altered nothing is answered again, and not decided anew",
        arguments: [SyncCommand.Action.retract, .restore, .correct]
    )
    func withoutEffect(_ action: SyncCommand.Action) async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let (journal, owner) = (home.journal, home.owner)
        let drug = try await home.add("drug", ["name": "Warfarin", "dosage": "2.5 mg"], to: record)
        let before = try await journal.entries.entry(named: drug.text, owner).content
        let device = try await journal.sync.addDevice(named: "phone", owner).id
        if action == .retract { _ = try await journal.entries.retractEntry(drug, owner) }
        let command = SyncCommand(
            id: "one",
            device: device,
            seq: 1,
            madeAt: journal.now,
            record: record,
            entry: drug,
            kind: Drug.kind,
            action: action,
            base: try home.head,
            content: action == .correct ? before : nil
        )
        let first = try await journal.sync.take(command, offset: 0, owner)
        #expect(first.outcome == .merged || first.outcome == .taken)
        // Meanwhile, somebody does the opposite.
        switch action {
        case .retract: _ = try await journal.entries.restoreEntry(drug, owner)
        case .restore: _ = try await journal.entries.retractEntry(drug, owner)
        default:
            _ = try await journal.entries.correctEntry(drug, owner) { content throws(ModelError) in
                try content.set("dosage", text: "5 mg")
            }
        }
        let (head, state) = (try home.head, try await home.state(record).entries)
        let second = try await journal.sync.take(command, offset: 0, owner)
        #expect(second.outcome == .already)
        #expect(second.position == first.position)
        #expect(try await home.state(record).entries == state)
        let types = try home.events(after: head).map(\.type.name)
        #expect(!types.contains { $0.hasPrefix("entry.") })
        #expect(try await journal.sync.divergences(of: record, owner).isEmpty)
    }

    @Test("A report of a dose that was known already is answered again after the dose was taken back")
    func sameReport() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let (journal, owner) = (home.journal, home.owner)
        let drug = try await home.add("drug", ["name": "Warfarin"], to: record)
        let device = try await journal.sync.addDevice(named: "phone", owner).id
        let slot = Slot.time(rule: UUID(), day: try Day(parsing: "2026-03-01"), time: UUID())
        let dose = try entry(
            "dose",
            [
                "of": drug.text, "slot": slot.description, "status": "taken", "amount": "1",
                "date": "2026-03-01T08:00:00Z",
            ]
        )
        func report(_ id: String) -> SyncCommand {
            SyncCommand(
                id: id,
                device: device,
                seq: 1,
                madeAt: journal.now,
                record: record,
                entry: slot.entryID(of: drug),
                kind: Dose.kind,
                action: .log,
                content: dose
            )
        }
        let (first, second) = (report("one"), report("two"))
        #expect(try await journal.sync.take(first, offset: 0, owner).outcome == .taken)
        let again = try await journal.sync.take(second, offset: 0, owner)
        #expect(again.outcome == .merged)
        _ = try await journal.entries.retractEntry(slot.entryID(of: drug), owner)
        let repeated = try await journal.sync.take(second, offset: 0, owner)
        #expect(repeated.outcome == .already)
        #expect(repeated.position == again.position)
        #expect(try await home.state(record).entries.first { $0.kind == Dose.kind }?.isRetracted == true)
    }
}
