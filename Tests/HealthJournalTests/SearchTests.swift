import EventLog
import Foundation
import HealthJournal
import HealthModel
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore

@Suite("Search")
struct SearchTests {
    private func search(
        _ text: String,
        _ home: TestHousehold,
        in record: UUID? = nil,
        _ options: ReadOptions = ReadOptions(page: Page(limit: 50)),
        by caller: Caller? = nil
    ) async throws -> SearchAnswer {
        try await home.journal.records.search(
            SearchRequest(try SearchQuery(text), in: record, options),
            caller ?? home.owner
        )
    }

    @Test("Entries of all records are found, the latest first, and profiles beside them")
    func found() async throws {
        let home = try await TestHousehold()
        let (anna, ben) = (try await home.person("Anna"), try await home.person("Benedict"))
        let old = try await home.add("illness", ["name": "Bronchitis", "date": "2024-01-05"], to: anna)
        let new = try await home.add("doctor", ["name": "Dr. Bron", "date": "2025-02-01"], to: ben)
        let month = try await home.add("history", ["name": "A bronze splint", "date": "2024-06"], to: anna)
        let answer = try await search("bron", home)
        #expect(answer.entries.map(\.id) == [new, month, old])
        #expect(answer.count == 3)
        #expect(answer.searched == 2)
        #expect(!answer.isNear)
        #expect(answer.records.map(\.id) == [anna, ben])
        #expect(!answer.records.contains { $0.matches })
        let named = try await search("winterthaler hidden", home)
        #expect(named.records.map(\.id) == [anna, ben])
        #expect(named.records.allSatisfy { $0.matches })
        #expect(named.count == 0)
        #expect(try await search("benedict bron", home).entries.map(\.id) == [new])
        let wrong = try await search("bronchtiis", home)
        #expect(wrong.isNear)
        #expect(wrong.entries.map(\.id) == [old])
        let options = ReadOptions(
            happenedFrom: try Day(parsing: "2024-02-01"),
            happenedBy: try Day(parsing: "2024-12-31"),
            page: Page(limit: 50)
        )
        #expect(try await search("bron", home, options).entries.map(\.id) == [month])
        #expect(try await search("bron", home, in: anna).entries.map(\.id) == [month, old])
        let kinds = ReadOptions(kinds: [Doctor.kind], page: Page(limit: 50))
        #expect(try await search("bron", home, kinds).entries.map(\.id) == [new])
        let first = try await search("bron", home, ReadOptions(page: Page(limit: 1)))
        #expect(first.entries.map(\.id) == [new])
        #expect(first.count == 3)
    }

    @Test(
        "A date of a year or a month, and the year of a cost, belong to each period that they may be in",
        arguments: [
            ("2025", "2025", ["cost", "year", "month", "day"]), ("2025-06", "2025-06", ["cost", "year", "month"]),
            ("2025-07", nil, ["cost", "year"]), ("2026", nil, []), (nil, "2024", ["old", "undated"]),
            (nil, "2025-01", ["cost", "year", "day", "old", "undated"]),
            (nil, nil, ["cost", "year", "month", "day", "old", "undated"]),
        ] as [(String?, String?, [String])]
    )
    func periods(first: String?, last: String?, expected: [String]) async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        var names: [UUID: String] = [:]
        let cost = ["year": "2025", "amount": "12", "currency": "CHF", "basis": "item", "comment": "bill"]
        names[try await home.add("cost", cost, to: record)] = "cost"
        for (name, date) in [
            ("year", "2025"), ("month", "2025-06"), ("day", "2025-01-31"), ("old", "2024-12-31"), ("undated", ""),
        ] {
            let content = ["name": "bill", "date": date]
            names[try await home.add("illness", content, to: record)] = name
        }
        let options = ReadOptions(
            happenedFrom: try first.map { try PartialDate(parsing: $0).firstDay },
            happenedBy: try last.map { try PartialDate(parsing: $0).lastDay },
            page: Page(limit: 50)
        )
        let found = try await search("bill", home, options)
        #expect(Set(found.entries.compactMap { names[$0.id] }) == Set(expected))
        guard first != nil else { return }
        let read = try await home.journal.records.read(record, options, home.owner).state.entries
        #expect(Set(read.compactMap { names[$0.id] }) == Set(expected))
    }

    @Test("A caregiver finds only what the grant covers, and a stranger nothing")
    func caregiver() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let other = try await home.person("Ben")
        _ = try await home.add("illness", ["name": "Secretitis"], to: record)
        let doctor = try await home.add("doctor", ["name": "Dr. Secretary"], to: record)
        _ = try await home.add("doctor", ["name": "Dr. Secretan"], to: other)
        let helper = try await home.account("helper")
        #expect(try await search("secret", home, by: helper).searched == 0)
        let terms = GrantTerms(sections: [.doctorlist], verbs: [.read])
        _ = try await home.journal.sharing.grant(terms, to: helper.account, on: record, home.owner)
        let found = try await search("secret", home, by: helper)
        #expect(found.entries.map(\.id) == [doctor])
        #expect(found.count == 1)
        #expect(found.searched == 1)
        #expect(try await search("secretiits", home, by: helper).count == 0)
        // The grant shows the name alone.
        #expect(try await search("anna", home, by: helper).records.map(\.id) == [record])
        #expect(try await search("hidden", home, by: helper).records.isEmpty)
        let hidden = ReadOptions(kinds: [Illness.kind], page: Page(limit: 50))
        let head = try home.head
        #expect(try await search("secret", home, hidden, by: helper).count == 0)
        // The trail names no section that the grant does not cover.
        let reads = try home.events(after: head).compactMap { ($0.event.data as? RecordRead)?.access }
        #expect(reads.map(\.sections) == [[]])
        #expect(
            await refusal { _ = try await search("secret", home, in: record, hidden, by: helper) }?.code == .refused
        )
        #expect(await refusal { _ = try await search("secret", home, in: other, by: helper) }?.code == .refused)
    }

    @Test("Each searched record's trail shows the search and what was found, and never the words")
    func audited() async throws {
        let home = try await TestHousehold()
        let (anna, ben) = (try await home.person("Anna"), try await home.person("Ben"))
        let first = try await home.add("illness", ["name": "Bronchitis"], to: anna)
        _ = try await home.add("illness", ["name": "Measles"], to: anna)
        let last = try await home.add("illness", ["name": "Bronchitis again"], to: anna)
        let before = try home.head
        _ = try await search("bronchitis", home)
        let events = try home.events(after: before)
        #expect(events.map(\.subject) == [anna, ben] && events.allSatisfy { $0.type == RecordRead.type })
        let reads = events.compactMap { ($0.event.data as? RecordRead)?.access }
        #expect(reads.map(\.action) == [.search, .search] && reads.map(\.entryCount) == [2, 0])
        let state = try await home.state(anna)
        let added = state.entries.filter { [first, last].contains($0.id) }.map(\.added.position)
        #expect(reads[0].shown.map(\.added) == added.map { $0...$0 })
        for event in events { #expect(!"\(event)".lowercased().contains("bronch")) }
    }

    @Test("A corrected or retracted entry is found as it is now, and as it was then")
    func past() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        let entry = try await home.add("illness", ["name": "Influenza"], to: record)
        let then = try home.head
        _ = try await home.journal.entries.correctEntry(entry, home.owner) { content throws(ModelError) in
            try content.set("name", text: "Common cold")
        }
        let corrected = try home.head
        _ = try await home.journal.entries.retractEntry(entry, home.owner)
        let was = ReadOptions(asOf: .position(then), page: Page(limit: 50))
        let between = ReadOptions(asOf: .position(corrected), page: Page(limit: 50))
        let retracted = ReadOptions(includesRetracted: true, page: Page(limit: 50))
        #expect(try await search("influenza", home, was).entries.map(\.id) == [entry])
        #expect(try await search("influenza", home, between).count == 0)
        #expect(try await search("cold", home, between).entries.map(\.id) == [entry])
        #expect(try await search("cold", home).count == 0)
        #expect(try await search("cold", home, retracted).entries.map(\.id) == [entry])
        let early = ReadOptions(asOf: .position(1), page: Page(limit: 50))
        #expect(try await search("influenza", home, early).searched == 0)
    }

    @Test("Nothing of an erased record is found, at no moment")
    func erased() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Anna")
        _ = try await home.add("illness", ["name": "Influenza"], to: record)
        let then = try home.head
        _ = try await home.journal.erasure.eraseRecord(record, home.owner.giving(reason: "asked for it"))
        for options in [
            ReadOptions(page: Page(limit: 50)), ReadOptions(asOf: .position(then), page: Page(limit: 50)),
        ] {
            let answer = try await search("influenza", home, options)
            #expect(answer.count == 0)
            #expect(answer.searched == 0)
            #expect(try await search("anna", home, options).records.isEmpty)
        }
    }

    /// Each record is searched by a task of its own, so that answers are merged.
    @Test("A search finds the same as a reader who looks at each entry, in random records")
    func everyEntry() async throws {
        var random = SeededGenerator()
        let home = try await TestHousehold()
        let records = [try await home.person("Anna"), try await home.person("Ben")]
        let words = ["cough", "fever", "coughs", "cold", "scold", "Fieber"]
        for number in 0..<120 {
            let name = (0..<3).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
            let day = String(format: "2025-%02d-%02d", 1 + number % 12, Int.random(in: 1...28, using: &random))
            let record = records[Int.random(in: 0..<2, using: &random)]
            let entry = try await home.add("illness", ["name": name, "date": day], to: record)
            if number % 7 == 0 { _ = try await home.journal.entries.retractEntry(entry, home.owner) }
        }
        for text in ["cough", "cold fever", "fieber cough"] {
            let wanted = text.split(separator: " ").map(String.init)
            var expected: [EntryState] = []
            for record in records {
                expected += try await home.journal.records.read(record, ReadOptions(), home.owner).state.entries
                    .filter { entry in
                        let found = (entry.content.body.text(Illness.name) ?? "").lowercased().split(separator: " ")
                        return wanted.allSatisfy { word in found.contains { $0.hasPrefix(word) } }
                    }
            }
            let sorted = expected.sorted {
                ($0.content.date?.day ?? home.journal.today, $0.added.position)
                    > ($1.content.date?.day ?? home.journal.today, $1.added.position)
            }
            let answer = try await search(text, home, ReadOptions(page: Page(limit: 10)))
            #expect(answer.count == expected.count)
            #expect(answer.entries.map(\.id) == sorted.prefix(10).map(\.id))
        }
    }
}
