import EventLog
import Foundation
import HealthJournal
import HealthModel
import JournalEvents
import Testing

@testable import JournalCore

@Suite("Accesses that disclosed an entry")
struct DisclosedEntryTests {
    /// A record with 60 weights, of which the fifth is retracted, and a drug.
    private struct Fixture {
        let home: TestHousehold
        let record: UUID
        let weights: [UUID]
        let drug: UUID

        init() async throws {
            home = try await TestHousehold()
            record = try await home.person("Ida")
            var weights: [UUID] = []
            for number in 0..<60 {
                let date = String(format: "%d-%02d-01", 2_022 + number / 12, 1 + number % 12)
                let values = ["value": "\(60 + number)", "date": date]
                weights.append(try await home.add("weight", values, to: record))
            }
            drug = try await home.add("drug", ["name": "Aspirin", "date": "2025-01-01"], to: record)
            var owner = home.owner
            owner.reason = "read off wrongly"
            _ = try await home.journal.entries.retractEntry(weights[4], owner)
            self.weights = weights
        }

        /// Returns the entries that the newest access to the record showed.
        func shown(_ look: () async throws -> Void) async throws -> Set<UUID> {
            try await look()
            let position = try home.head
            var shown: Set<UUID> = []
            for entry in weights + [drug] {
                let looks = try await home.journal.trail.accesses(of: record, showing: entry, home.owner)
                if looks.contains(where: { $0.stamp.position == position }) { shown.insert(entry) }
            }
            return shown
        }
    }

    @Test("Accesses are found exactly for pages, all entries, kinds, past positions, single entries and histories")
    func looks() async throws {
        let fixture = try await Fixture()
        let (journal, owner, record) = (fixture.home.journal, fixture.home.owner, fixture.record)
        let (weights, drug) = (fixture.weights, fixture.drug)
        let standing = Set(weights).subtracting([weights[4]])
        var checks = 0
        for options in [
            ReadOptions(), ReadOptions(includesRetracted: true),
            ReadOptions(kinds: [Weight.kind], page: Page(limit: 50)),
            ReadOptions(kinds: [Weight.kind], page: .newest(7)), ReadOptions(page: .newest(3)),
            ReadOptions(asOf: .position(20)), ReadOptions(happenedBy: try Day(parsing: "2024-12-31")),
            ReadOptions(kinds: [Weight.kind], includesRetracted: true, page: Page(limit: 6)),
            ReadOptions(happenedFrom: try Day(parsing: "2024-12-31")),
            ReadOptions(happenedFrom: try Day(parsing: "2024-03-01"), happenedBy: try Day(parsing: "2024-12-31")),
            ReadOptions(
                happenedFrom: try Day(parsing: "2024-03-01"),
                happenedBy: try Day(parsing: "2025-03-31"),
                kinds: [Weight.kind],
                includesRetracted: true,
                page: .newest(5)
            ),
        ] {
            var expected: Set<UUID> = []
            let found = try await fixture.shown {
                expected = Set(try await journal.records.read(record, options, owner).state.entries.map(\.id))
            }
            #expect(found == expected, "\(options)")
            #expect(!expected.isEmpty, "\(options)")
            // Reads that are answered from the cache record the same entries.
            for _ in 0..<2 {
                let again = try await fixture.shown {
                    _ = try await journal.records.read(record, options, as: .entries, owner) { _ in [] }
                }
                #expect(again == expected, "\(options)")
            }
            checks += 1
        }
        #expect(checks == 11)
        let one = try await fixture.shown {
            _ = try await journal.entries.entry(weights[9], of: Weight.kind, in: record, owner)
        }
        #expect(one == [weights[9]])
        let history = try await fixture.shown { _ = try await journal.trail.history(ofEntry: weights[4], owner) }
        #expect(history == [weights[4]])
        let changes = try await fixture.shown {
            _ = try await journal.trail.history(ofRecord: record, page: .newest(3), owner)
        }
        #expect(changes == [weights[4], drug, weights[59]])
        let list = try await fixture.shown { _ = try await journal.records.listRecords(owner) }
        #expect(list.isEmpty)
        let export = try await fixture.shown { _ = try await journal.records.read(record, as: .export, owner) }
        #expect(export == standing.union([drug]))
        let timeline = try await fixture.shown { _ = try await journal.trail.compare(record, ReadOptions(), owner) }
        #expect(timeline == Set(weights + [drug]))
    }

    @Test("The download of a document is found for that document alone, and an unknown entry is refused")
    func documents() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        var saved: [UUID] = []
        for name in ["a", "b"] {
            let content = try entry("document", ["name": name])
            let result = try await home.journal.entries.attachDocument(
                Array(name.utf8),
                content,
                to: record,
                home.owner
            )
            saved.append(try #require(result.entry))
        }
        _ = try await home.journal.entries.document(saved[1], home.owner)
        _ = try await home.journal.entries.document(saved[1], of: record, home.owner)
        let looks = try await home.journal.trail.accesses(of: record, showing: saved[1], home.owner)
        #expect(looks.count == 2)
        #expect(try await home.journal.trail.accesses(of: record, showing: saved[0], home.owner).isEmpty)
        let missing = await refusal {
            _ = try await home.journal.trail.accesses(of: record, showing: UUID(), home.owner)
        }
        #expect(missing?.code == .notFound)
    }

    @Test("An access that was recorded without entries possibly showed those that it could have shown")
    func older() async throws {
        let fixture = try await Fixture()
        let events = try await fixture.home.journal.trail.history(ofEntry: fixture.drug, fixture.home.owner)
        let added = EntryHistory.Change(position: try #require(events.first).stamp.position, effect: .adds, day: nil)
        let drug = try #require(EntryHistory(of: fixture.drug, kind: Drug.kind, [added]))
        let read = Access(action: .read, sections: [.myhealth], entryCount: 3, grantedBy: .owner)
        #expect(read.disclosure(of: drug, recordedAt: drug.added + 1) == .possible)
        #expect(read.disclosure(of: drug, recordedAt: drug.added - 1) == nil)
        let other = Access(action: .read, sections: [.doctorlist], entryCount: 3, grantedBy: .owner)
        #expect(other.disclosure(of: drug, recordedAt: drug.added + 1) == nil)
        let list = Access(action: .list, sections: [], grantedBy: .owner)
        #expect(list.disclosure(of: drug, recordedAt: drug.added + 1) == nil)
    }

    @Test("The entries of a page of fifty take up few bytes in the access event")
    func size() async throws {
        let fixture = try await Fixture()
        let (journal, owner) = (fixture.home.journal, fixture.home.owner)
        func bytes(_ change: (inout Access) -> Void) throws -> Int {
            let event = try journal.log.recorded(journal.log.event(at: try fixture.home.head))
            guard var access = (event.event.data as? RecordRead)?.access else { return 0 }
            change(&access)
            return try EventCodec.encode(.recordRead(access), reason: "").count
        }
        let page = ReadOptions(kinds: [Weight.kind], page: Page(limit: 50))
        _ = try await journal.records.read(fixture.record, page, owner)
        let (with, without) = try (
            bytes { _ in },
            bytes { access in
                access.version = nil
                access.shown = []
            }
        )
        #expect(with - without <= 24, "\(with) bytes with, \(without) without")
    }
}
