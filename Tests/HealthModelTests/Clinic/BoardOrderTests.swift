import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The order of the triage board, and what it shows about waiting times.
@Suite("Triage board")
struct BoardOrderTests {
    private static let now = Instant(microseconds: 1_772_452_800_000_000)

    private static func entry(
        _ level: UrgencyLevel,
        arrived minutesAgo: Int,
        assessed assessedAgo: Int? = 0
    ) -> TriageBoardEntry {
        TriageBoardEntry(
            id: UUID(),
            level: level,
            arrivedAt: now.adding(minutes: -minutesAgo),
            assessedAt: assessedAgo.map { now.adding(minutes: -$0) }
        )
    }

    @Test("An overdue green patient never passes an orange one")
    func overdueGreen() {
        let green = Self.entry(.green, arrived: 600)
        let orange = Self.entry(.orange, arrived: 0)
        #expect(green.status(at: Self.now).isOverdue)
        #expect(!orange.status(at: Self.now).isOverdue)
        #expect([green, orange].inBoardOrder == [orange, green])
    }

    @Test("Within a level the order is by due time: a patient who was not assessed is due in five minutes")
    func dueTimes() {
        let early = Self.entry(.yellow, arrived: 26)
        let late = Self.entry(.yellow, arrived: 24)
        let begun = TriageBoardEntry.begun(id: UUID(), arrivedAt: Self.now)
        #expect(begun.level == .yellow)
        #expect(begun.dueAt == Self.now.adding(minutes: 5))
        #expect(begun.lookAgainAt == nil)
        #expect([late, begun, early].inBoardOrder == [early, begun, late])
    }

    @Test("Equal due times are ordered by arrival, then by id")
    func ties() {
        // Due at the same moment: 30 and 5 minutes after arrival.
        let assessed = Self.entry(.yellow, arrived: 25)
        let begun = TriageBoardEntry.begun(id: UUID(), arrivedAt: Self.now)
        #expect(assessed.dueAt == begun.dueAt)
        #expect([begun, assessed].inBoardOrder == [assessed, begun])
        let twins = (0..<20).map { _ in Self.entry(.green, arrived: 3) }
        #expect(twins.inBoardOrder.map(\.id) == twins.map(\.id).sorted { $0.uuidString < $1.uuidString })
    }

    @Test(
        "Due on time, overdue after it",
        arguments: [
            (UrgencyLevel.red, 0, 0), (.orange, 15, 15), (.yellow, 30, 60),
            (.green, 120, 120), (.blue, 240, 240),
        ]
    )
    func status(level: UrgencyLevel, due: Int, overdue: Int) {
        let entry = Self.entry(level, arrived: 0)
        func status(_ minutes: Int, plus microseconds: Int64 = 0) -> TriageBoardEntry.Status {
            entry.status(at: Instant(microseconds: Self.now.adding(minutes: minutes).microseconds + microseconds))
        }
        #expect(!status(due, plus: -1).isDue)
        #expect(status(due).isDue)
        #expect(!status(overdue).isOverdue)
        #expect(status(overdue, plus: 1).isOverdue)
        #expect(status(overdue).isDue)
    }

    @Test("Staff look again after the time of the level, counted from the last assessment")
    func lookAgain() {
        for (level, minutes) in [(UrgencyLevel.orange, 15), (.yellow, 30), (.green, 60), (.blue, 120)] {
            func isDue(_ assessedAgo: Int) -> Bool {
                Self.entry(level, arrived: 500, assessed: assessedAgo).status(at: Self.now).isLookAgainDue
            }
            #expect(!isDue(minutes - 1))
            #expect(isDue(minutes))
            #expect(isDue(minutes + 1))
        }
        #expect(!Self.entry(.red, arrived: 500, assessed: 400).status(at: Self.now).isLookAgainDue)
        #expect(!Self.entry(.yellow, arrived: 500, assessed: nil).status(at: Self.now).isLookAgainDue)
    }

    @Test("The order of 500 random patients is that of a slow reference, whatever order they come in")
    func reference() throws {
        try checkProperty("order of the board", times: 20) { random, comment in
            let entries = try (0..<500)
                .map { _ in
                    TriageBoardEntry(
                        id: random.id(),
                        level: try random.pick(UrgencyLevel.allCases),
                        arrivedAt: Self.now.adding(minutes: -random.below(60)),
                        assessedAt: random.bool() ? Self.now : nil
                    )
                }
            let board = entries.inBoardOrder
            #expect(board == entries.shuffled(using: &random).inBoardOrder, comment)
            #expect(board.map(\.id) == Self.slowOrder(entries), comment)
        }
    }

    /// Takes the first patient of those that are left, again and again.
    private static func slowOrder(_ entries: [TriageBoardEntry]) -> [UUID] {
        let waiting = [1: 0, 2: 15, 3: 30, 4: 120, 5: 240]
        func key(_ entry: TriageBoardEntry) -> [String] {
            let minutes = entry.assessedAt == nil ? 5 : waiting[entry.level.rawValue] ?? 0
            let due = entry.arrivedAt.microseconds + Int64(minutes) * 60_000_000
            return ["\(entry.level.rawValue)", "\(due)", "\(entry.arrivedAt.microseconds)", entry.id.uuidString]
        }
        var left = entries.map { (key: key($0), id: $0.id) }
        var order: [UUID] = []
        while !left.isEmpty {
            var first = 0
            for index in left.indices where left[index].key.lexicographicallyPrecedes(left[first].key) { first = index }
            order.append(left.remove(at: first).id)
        }
        return order
    }
}
