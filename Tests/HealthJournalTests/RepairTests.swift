import EventLog
import Foundation
import HealthJournal
import HealthModel
import JournalEvents
import MedicalRecords
import TestSupport
import Testing

@testable import JournalCore

@Suite("Undoing, moving and correcting entries")
struct RepairTests {
    private typealias Assignment = Corrections.Assignment

    /// The weight of an entry, and whether it is retracted.
    private func value(_ entry: UUID, _ home: TestHousehold) throws -> String {
        let head = try home.head
        let state = try #require(try home.journal.contents(for: .checking).entry(entry, asOf: head))
        let value = state.content.body.decimal(Weight.value)?.description ?? ""
        return state.isRetracted ? value + " retracted" : value
    }

    private func correct(_ entry: UUID, to value: String, _ home: TestHousehold, _ caller: Caller? = nil) async throws {
        _ = try await home.journal.entries.correctEntry(entry, caller ?? home.owner) { content throws(ModelError) in
            try content.set("value", text: value)
        }
    }

    @Test("Each kind of change is undone, the undoing says what it undoes, and can be undone")
    func eachChange() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let entry = try await home.add("weight", ["value": "75.4"], to: record)
        try await correct(entry, to: "754", home)
        let corrected = try home.head
        let undone = try await home.journal.entries.undo(in: record, home.owner)
        #expect(try value(entry, home) == "75.4")
        #expect(undone.position == corrected)
        #expect(undone.entries.map(\.id) == [entry])
        let last = try home.journal.log.recorded(home.journal.log.event(at: undone.result.position))
        #expect(last.type == EntryCorrected.type)
        #expect(last.reason == "undoes position \(corrected)")
        _ = try await home.journal.entries.undo(in: record, home.owner)
        #expect(try value(entry, home) == "754")
        _ = try await home.journal.entries.retractEntry(entry, home.owner)
        _ = try await home.journal.entries.undo(in: record, home.owner)
        #expect(try value(entry, home) == "754")
        _ = try await home.journal.entries.undo(in: record, home.owner)
        #expect(try value(entry, home) == "754 retracted")
        let added = try await home.add("weight", ["value": "70"], to: record)
        let result = try await home.journal.entries.undo(in: record, home.owner.giving(reason: "the other dog"))
        #expect(try value(added, home) == "70 retracted" && result.entries.first?.isRetracted == true)
        let event = try home.journal.log.recorded(home.journal.log.event(at: result.result.position))
        #expect(event.reason == "the other dog")
    }

    @Test("Only the last change of an entry is undone, and only one's own without its position")
    func conflicts() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let first = try await home.add("weight", ["value": "75"], to: record)
        let added = try home.head
        let anna = try await home.account("anna")
        let helper = try await home.account("helper")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
        _ = try await home.journal.sharing.grant(terms, to: anna.account, on: record, home.owner)
        #expect(await refusal { _ = try await home.journal.entries.undo(in: record, anna) }?.code == .notFound)
        let second = try await home.add("weight", ["value": "60"], to: record, anna)
        try await correct(first, to: "76", home)
        #expect(
            await refusal { _ = try await home.journal.entries.undo(in: record, position: added, home.owner) }?.code
                == .conflict
        )
        #expect(
            await refusal { _ = try await home.journal.entries.undo(in: record, position: added, anna) }?.code
                == .refused
        )
        #expect(await refusal { _ = try await home.journal.entries.undo(in: record, helper) }?.code == .refused)
        for position in [0, 1, home.journal.log.description.id == record ? 0 : 2, try home.head + 1] {
            #expect(
                await refusal { _ = try await home.journal.entries.undo(in: record, position: position, home.owner) }?
                    .code
                    == .notFound
            )
        }
        let undone = try await home.journal.entries.undo(in: record, anna)
        #expect(try value(second, home) == "60 retracted")
        #expect(try value(first, home) == "76")
        // The owner may undo what another added.
        _ = try await home.journal.entries.undo(in: record, position: undone.result.position, home.owner)
        #expect(try value(second, home) == "60")
    }

    @Test("A repeated request undoes once")
    func repeated() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let entry = try await home.add("weight", ["value": "75"], to: record)
        var caller = home.owner
        caller.request = RequestKey("undo-1", digest: [1])
        let first = try await home.journal.entries.undo(in: record, caller)
        let again = try await home.journal.entries.undo(in: record, caller)
        #expect(first.result.position == again.result.position)
        #expect(try value(entry, home) == "75 retracted")
    }

    @Test(
        "A moved entry is in the right record and retracted in the wrong one, in one append that is undone as a whole"
    )
    func moved() async throws {
        let home = try await TestHousehold()
        let (anna, ben) = (try await home.person("Anna"), try await home.person("Ben"))
        let entry = try await home.add("weight", ["value": "20", "comment": "on the big scale"], to: anna)
        let before = try home.head
        let result = try await home.journal.entries.moveEntry(entry, to: ben, home.owner)
        let moved = try #require(result.entry)
        #expect(result.record == ben)
        #expect(result.position == before + 2)
        let state = try await home.state(ben)
        #expect(state.entries.map(\.id) == [moved] && state.entries[0].content.comment == "on the big scale")
        #expect(try value(entry, home) == "20 retracted")
        // The reason may be about the person of the wrong record, which does not say where the entry went.
        #expect(try home.events(after: before).first { $0.subject == ben }?.reason == "")
        for event in try home.events(after: before) where event.subject == anna {
            #expect(!"\(event)".contains(ben.text))
            #expect(event.reason == "was in a wrong record")
        }
        _ = try await home.journal.entries.undo(in: ben, home.owner)
        #expect(try value(entry, home) == "20")
        #expect(try value(moved, home) == "20 retracted")
    }

    @Test("Who may only add is refused an undo and a move, which would show what others wrote; readers are audited")
    func rights() async throws {
        let home = try await TestHousehold()
        let (anna, own) = (try await home.person("Anna"), try await home.person("Scale"))
        let adder = try await home.account("adder")
        _ = try await home.journal.sharing.grant(
            GrantTerms(sections: [.myhealth], verbs: [.contribute]),
            to: adder.account,
            on: anna,
            home.owner
        )
        _ = try await home.journal.sharing.grant(
            GrantTerms(verbs: [.read, .contribute]),
            to: adder.account,
            on: own,
            home.owner
        )
        let entry = try await home.add("illness", ["name": "Cold"], to: anna, adder)
        let added = try home.head
        _ = try await home.journal.entries.correctEntry(entry, home.owner) { content throws(ModelError) in
            try content.set("name", text: "Secretitis")
        }
        for position in [added, try home.head, nil] {
            let refused = await refusal { _ = try await home.journal.entries.undo(in: anna, position: position, adder) }
            #expect(refused?.code == .refused)
        }
        #expect(await refusal { _ = try await home.journal.entries.moveEntry(entry, to: own, adder) }?.code == .refused)
        let head = try home.head
        _ = try await home.journal.entries.undo(in: anna, home.owner)
        let reads = try home.events(after: head).compactMap { ($0.event.data as? RecordRead)?.access }
        #expect(reads.map(\.entryCount) == [1])
        #expect(reads.first?.shown.count == 1)
        let reader = try await home.account("reader")
        let doctors = GrantTerms(sections: [.doctorlist], verbs: [.read])
        _ = try await home.journal.sharing.grant(doctors, to: reader.account, on: anna, home.owner)
        // A change that the caller may not see is as if it were not there.
        #expect(
            await refusal { _ = try await home.journal.entries.undo(in: anna, position: added, reader) }?.code
                == .notFound
        )
    }

    @Test("An import is not undone, and a change of several entries not from the page of one")
    func limits() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        for _ in 0..<3 { _ = try await home.add("weight", ["value": "70", "unit": "kg"], to: record) }
        let all = Corrections(of: Weight.kind, where: [], set: [.init("unit", "lb")])
        _ = try await home.journal.entries.correct(all, in: record, home.owner)
        let refused = await refusal { _ = try await home.journal.entries.undo(in: record, ofAtMost: 2, home.owner) }
        #expect(refused?.code == .conflict)
        var importer = home.owner
        importer.source = .import
        _ = try await home.add("weight", ["value": "71", "unit": "kg"], to: record, importer)
        #expect(await refusal { _ = try await home.journal.entries.undo(in: record, home.owner) }?.code == .conflict)
    }

    @Test("A file goes with its document, and what refers to another entry stays where it is")
    func movedFiles() async throws {
        let home = try await TestHousehold()
        let (anna, ben) = (try await home.person("Anna"), try await home.person("Ben"))
        let content = try entry("document", ["name": "Letter"])
        let attached = try await home.journal.entries.attachDocument(
            Array("secret".utf8),
            content,
            to: anna,
            home.owner
        )
        let moved = try await home.journal.entries.moveEntry(try #require(attached.entry), to: ben, home.owner)
        let file = try await home.journal.entries.document(try #require(moved.entry), of: ben, home.owner)
        #expect(file.bytes == Array("secret".utf8))
        let drug = try await home.add("drug", ["name": "Aspirin", "unit": "tablet"], to: anna)
        let supply = try await home.add(
            "supply",
            ["of": drug.text, "what": "received", "amount": "10", "date": "2026-03-01T08:00:00Z"],
            to: anna
        )
        let refused = await refusal { _ = try await home.journal.entries.moveEntry(supply, to: ben, home.owner) }
        #expect(refused?.code == .conflict)
        #expect(refused?.field == "of")
        #expect(
            await refusal { _ = try await home.journal.entries.moveEntry(drug, to: anna, home.owner) }?.code
                == .conflict
        )
        let helper = try await home.account("helper")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
        _ = try await home.journal.sharing.grant(terms, to: helper.account, on: ben, home.owner)
        let own = try await home.add("allergy", ["name": "Nuts"], to: ben, helper)
        let head = try home.head
        #expect(await refusal { _ = try await home.journal.entries.moveEntry(own, to: anna, helper) }?.code == .refused)
        #expect(try home.events(after: head).allSatisfy { $0.type == AccessDenied.type })
    }

    @Test(
        "All entries with a value are corrected in one append, after a preview that changes nothing, and undone at once"
    )
    func several() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        var entries: [UUID] = []
        for (value, unit) in [("70", "kg"), ("155", "kg"), ("71", "kg"), ("160", "lb")] {
            let date = "2025-0\(entries.count + 1)-01"
            entries.append(try await home.add("weight", ["value": value, "unit": unit, "date": date], to: record))
        }
        let corrections = Corrections(of: Weight.kind, where: [.init("unit", "kg")], set: [.init("unit", "lb")])
        let before = try home.head
        let preview = try await home.journal.entries.preview(corrections, in: record, home.owner)
        #expect(preview.items.map(\.entry) == Array(entries.prefix(3)))
        #expect(preview.result == nil)
        #expect(preview.items[0].changes.map(\.path) == ["unit"] && preview.items[0].changes[0].after == "lb")
        #expect(try home.events(after: before).map(\.type) == [RecordRead.type])
        let stale = await refusal {
            _ = try await home.journal.entries.correct(corrections, in: record, expecting: 2, home.owner)
        }
        #expect(stale?.code == .stale)
        var narrow = corrections
        narrow.period = Period(first: try Day(parsing: "2025-02-01"), last: try Day(parsing: "2025-02-28"))
        let head = try home.head
        let done = try await home.journal.entries.correct(narrow, in: record, expecting: 1, home.owner)
        #expect(done.items.map(\.entry) == [entries[1]])
        #expect(done.result?.position == head + 1)
        let reads = try home.events(after: head).compactMap { ($0.event.data as? RecordRead)?.access }
        #expect(reads.map(\.entryCount) == [1])
        _ = try await home.journal.entries.correct(corrections, in: record, expecting: 2, home.owner)
        let units = try await home.state(record).entries.map { $0.content.body.text(Weight.unit) }
        #expect(units == ["lb", "lb", "lb", "lb"])
        let undone = try await home.journal.entries.undo(in: record, home.owner)
        #expect(undone.entries.map(\.id) == [entries[0], entries[2]])
        let none = try await home.journal.entries.correct(
            Corrections(of: Weight.kind, where: [.init("unit", "g")], set: [.init("unit", "lb")]),
            in: record,
            home.owner
        )
        #expect(none.items.isEmpty)
        #expect(none.result?.isChanged == false)
        for wrong in [
            Corrections(of: Weight.kind, where: [], set: []),
            Corrections(of: Weight.kind, where: [.init("colour", "red")], set: [.init("unit", "lb")]),
            Corrections(of: Weight.kind, where: [], set: [.init("unit", "stone-age")]),
        ] {
            let problem = await refusal { _ = try await home.journal.entries.correct(wrong, in: record, home.owner) }
            #expect(problem?.code == .invalid)
        }
    }

    @Test("A closed record is reopened, and was closed at the moments in between")
    func reopened() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        _ = try await home.journal.records.closeRecord(record, home.owner)
        let closed = try home.head
        #expect(await refusal { _ = try await home.add("weight", ["value": "70"], to: record) }?.code == .conflict)
        _ = try await home.journal.records.reopenRecord(record, home.owner.giving(reason: "came back"))
        let entry = try await home.add("weight", ["value": "70"], to: record)
        #expect(try await home.state(record).closed == nil)
        #expect(try await home.state(record, asOf: .position(closed)).isClosed)
        #expect(try await home.state(record).entries.map(\.id) == [entry])
        #expect(
            await refusal { _ = try await home.journal.records.reopenRecord(record, home.owner) }?.code == .conflict
        )
        try home.reopen { try home.remove(home.folder.views) }
        #expect(try await home.state(record).closed == nil)
        #expect(try await home.state(record, asOf: .position(closed)).isClosed)
    }

    /// Random changes, each undone at once: the entry must be what it was.
    @Test("Undoing any change leaves every entry as it was before")
    func anyChange() async throws {
        var random = SeededGenerator()
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        var entries: [UUID] = []
        func contents() async throws -> [UUID: EntryContent] {
            try await home.journal.records.read(record, ReadOptions(), home.owner).state.entries
                .reduce(into: [:]) { $0[$1.id] = $1.content }
        }
        for number in 0..<60 {
            home.clock.step(milliseconds: Int64.random(in: -3_000...3_000, using: &random))
            let before = try await contents()
            let entry = entries.randomElement(using: &random)
            switch (Int.random(in: 0..<5, using: &random), entry) {
            case (1, let entry?): _ = await refusal { try await correct(entry, to: "\(100 + number)", home) }
            case (2, let entry?):
                _ = await refusal { _ = try await home.journal.entries.retractEntry(entry, home.owner) }
            case (3, let entry?):
                _ = await refusal { _ = try await home.journal.entries.restoreEntry(entry, home.owner) }
            case (4, _?):
                let values = Corrections(of: Weight.kind, where: [], set: [.init("comment", "round \(number)")])
                _ = try await home.journal.entries.correct(values, in: record, home.owner)
            default: entries.append(try await home.add("weight", ["value": "\(50 + number)"], to: record))
            }
            guard try await contents() != before else { continue }
            _ = try await home.journal.entries.undo(in: record, home.owner)
            #expect(try await contents() == before)
            if Bool.random(using: &random) { _ = try await home.journal.entries.undo(in: record, home.owner) }
        }
    }
}

@Suite("Doubts about what a caller wants to add")
struct DoubtTests {
    @Test("A caller who may only add is told nothing about what is there, and a shown entry is audited")
    func rights() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let known = try await home.add("weight", ["value": "75.4", "unit": "kg"], to: record)
        let scale = try await home.account("scale")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await home.journal.sharing.grant(terms, to: scale.account, on: record, home.owner)
        let new = try entry("weight", ["value": "754", "unit": "kg"])
        let head = try home.head
        #expect(try await home.journal.entries.doubts(about: new, in: record, scale).isEmpty)
        #expect(try home.head == head)
        let doubts = try await home.journal.entries.doubts(about: new, in: record, home.owner)
        #expect(doubts.map(\.other?.entry) == [known])
        #expect(try home.events(after: head).compactMap { ($0.event.data as? RecordRead)?.access.entryCount } == [1])
        let right = try entry("weight", ["value": "75", "unit": "kg"])
        #expect(try await home.journal.entries.doubts(about: right, in: record, home.owner).isEmpty)
        #expect(try home.head == head + 1)
        let stranger = try await home.account("stranger")
        #expect(
            await refusal { _ = try await home.journal.entries.doubts(about: new, in: record, stranger) }?.code
                == .refused
        )
    }
}
