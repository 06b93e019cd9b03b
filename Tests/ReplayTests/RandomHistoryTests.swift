import EventLog
import Foundation
import HealthModel
import TestSupport
import Testing

@testable import replay

/// A random history: the fold, the changes and the views must agree at every position.
@Suite("Random histories of records")
struct RandomHistoryTests {
    private static let events = 300

    @Test("The views and the folded records match the events that were appended", arguments: [UInt64(1), 0xC0FFEE])
    func viewsAndFold(seed: UInt64) async throws {
        let house = try Household()
        try await makeHistory(house, seed: seed)

        let report = try ViewCheck(house.opened).run()
        #expect(report.mismatches.map(\.what) == [], "seed \(seed)")
        #expect(report.positions == house.recorded.count)
        #expect(report.entries > RandomHistoryTests.events)
        #expect(report.totals > 0)
        #expect(report.grants > 0)
        #expect(Set(house.recorded.map(\.type)).isSuperset(of: [RecordTransferred.type, NoticeAcknowledged.type]))
        #expect(house.recorded.contains { $0.type == EntryDiverged.type })
        // The steps of the clock are part of the history: events of all kinds are recorded while it lags.
        let lagging = house.recorded.filter { $0.clock != nil }
        #expect(Set(lagging.map(\.type)).isSuperset(of: [EntryAdded.type, EntryCorrected.type, EntryRetracted.type]))
        #expect(lagging.count < house.recorded.count / 2)

        for record in (0..<4).map(record) {
            for position in stride(from: UInt64(1), through: UInt64(house.recorded.count), by: 7) {
                let folded = try house.opened.fold(record, through: position).state
                #expect(folded == house.state(of: record, at: position), "seed \(seed), position \(position)")
            }
        }
    }

    @Test("The changes of a correction are the difference between the contents before and after it")
    func changesOfCorrections() async throws {
        let house = try Household()
        try await makeHistory(house, seed: 7)
        var reader = TrailReader(house.opened, names: ShownNames())
        for event in house.recorded where event.type == EntryCorrected.type {
            let id = try #require(event.entry)
            let position = event.stamp.position
            let before = house.state(of: event.subject, at: position - 1)?.entry(id)?.content
            let after = try #require(house.state(of: event.subject, at: position)?.entry(id)?.content)
            #expect(reader.row(of: try house.log.event(at: position)).changes == after.changes(from: before))
        }
    }

    private func record(_ number: Int) -> UUID { Household.id(UInt8(100 + number)) }

    private func makeHistory(_ house: Household, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var steps = SeededGenerator(seed: ~seed)
        var entries: [(id: UUID, record: UUID, content: EntryContent, isRetracted: Bool)] = []
        for number in 0..<4 {
            let profile = try Household.profile(.animal, [("name", "Pet \(number)")])
            try await house.append(.recordCreated(profile, owners: [Household.owner]), about: record(number))
        }
        for number in 0..<RandomHistoryTests.events {
            if steps.below(4) == 0 { house.stepClockBack(seconds: Int64(steps.below(4))) }
            let record = record(random.below(4))
            let index = entries.isEmpty ? 0 : random.below(entries.count)
            if random.below(6) == 0 { try await house.append(people(&random), about: record) }
            if !entries.isEmpty, random.below(12) == 0 {
                let writer = ChangeWriter(author: Household.owner, origin: ChangeOrigin(madeAt: Household.start))
                let content = entries[index].content
                let kept = EntryDiverged(base: nil, writer: writer, fields: ["comment"], content: content)
                try await house.append(.entryDiverged(kept), about: entries[index].record, entry: entries[index].id)
            }
            switch random.below(entries.isEmpty ? 3 : 10) {
            case 0:
                let profile = try Household.profile(.animal, [("name", "Pet"), ("breed", "\(number)")])
                try await house.append(.recordChanged(profile), about: record)
            case 1:
                let terms = GrantTerms(sections: [Section.allCases[random.below(4)]])
                let event: JournalEvent =
                    random.below(2) == 0
                    ? .caregiverGranted(account: Household.anna, terms: terms)
                    : .caregiverRevoked(account: Household.anna)
                try await house.append(event, about: record, stream: UUID(nameBased: record, "grants"))
            case 2...5:
                let id = UUID(nameBased: Household.ada, "\(number)")
                let content = try self.content(&random)
                entries.append((id, record, content, false))
                try await house.append(.entryAdded(content), about: record, entry: id)
            case 6...7 where !entries[index].isRetracted:
                var content = entries[index].content
                content.comment = "\(number)"
                if content.kind == Cost.kind { try content.set("amount", text: "\(random.below(1_000)).5") }
                entries[index].content = content
                try await house.append(.entryCorrected(content), about: entries[index].record, entry: entries[index].id)
            default:
                let event: JournalEvent = entries[index].isRetracted ? .entryRestored : .entryRetracted
                entries[index].isRetracted.toggle()
                try await house.append(event, about: entries[index].record, entry: entries[index].id)
            }
        }
    }

    /// Returns a random event about an owner, an emergency access or a notice.
    private func people(_ random: inout SeededGenerator) -> JournalEvent {
        let account = [Household.owner, Household.anna, Household.ada][random.below(3)]
        return switch random.below(5) {
        case 0: .recordOwnerAdded(account)
        case 1: .recordOwnerRemoved(account)
        case 2: .recordTransferred(to: account)
        case 3: .emergencyOpened(account: account, expires: Household.start)
        default: .noticeAcknowledged(position: UInt64(1 + random.below(RandomHistoryTests.events)))
        }
    }

    private func content(_ random: inout SeededGenerator) throws -> EntryContent {
        guard random.below(2) == 0 else {
            return try Household.content(Weight.kind, [("value", "\(random.below(100)).25"), ("unit", "kg")])
        }
        let basis = random.below(2) == 0 ? "item" : "total"
        let amount = "\(random.below(1_000)).75"
        let year = "\(2_020 + random.below(3))"
        return try Household.content(
            Cost.kind,
            [("year", year), ("amount", amount), ("currency", "EUR"), ("basis", basis)]
        )
    }
}
