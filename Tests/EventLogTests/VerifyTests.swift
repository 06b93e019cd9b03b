import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("Verification")
struct VerifyTests {
    private func filled(_ count: Int = 40) async throws -> TestJournal {
        let journal = try TestJournal()
        for number in 0..<count {
            try await journal.log.append([TestJournal.event(TestJournal.id(number % 4), payload: "payload \(number)")])
        }
        return journal
    }

    /// Changes rows of the closed log, as an attacker who rewrites it would.
    private func edit(_ journal: TestJournal, _ body: (borrowing WriteTransaction, LogTables) throws -> Void) throws {
        journal.close()
        do {
            var options = Environment.Options()
            options.mapSize = 4 << 30
            let environment = try Environment(folder: journal.folder.log, options: options)
            try environment.write { transaction in try body(transaction, LogTables(making: transaction)) }
            // Commits once more, so that neither meta page refers to the original rows.
            try environment.write { transaction in
                let tables = try LogTables(making: transaction)
                if let description = try transaction.reading.get(Key(DescriptionRow.key), in: tables.meta) {
                    let copy = description.copy
                    try transaction.put(Key(DescriptionRow.key), copy.raw, in: tables.meta)
                }
            }
        }
        journal.forgetCheckpoint()
        try journal.open()
    }

    private func row(_ position: UInt64, _ table: Table, _ transaction: borrowing WriteTransaction) throws -> [UInt8] {
        guard let row = try transaction.reading.get(Key(position), in: table) else { return [] }
        return row.copy
    }

    @Test("Any changed byte of a frame or tree row is found, and its position is reported first")
    func changedBytes() async throws {
        var random = SeededGenerator()
        let journal = try await filled()
        let clean = try journal.log.verify()
        #expect(clean.isSound)
        #expect(clean.head == 40)
        #expect(clean.sealsOpened == 40)
        for round in 0..<120 {
            let position = UInt64.random(in: 1...40, using: &random)
            let isFrame = round % 2 == 0
            var whole: [UInt8] = []
            var changed: [UInt8] = []
            try edit(journal) { transaction, tables in
                let table = isFrame ? tables.events : tables.tree
                whole = try row(position, table, transaction)
                changed = whole
                changed[Int.random(in: 0..<whole.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                try transaction.put(Key(position), changed.raw, in: table)
            }
            let found = try journal.log.verify()
            #expect(found.faults.first?.position == position, "\(isFrame ? "frame" : "tree") of \(position)")
            #expect((found.root == clean.root) == !isFrame)
            try edit(journal) { transaction, tables in
                try transaction.put(Key(position), whole.raw, in: isFrame ? tables.events : tables.tree)
            }
        }
        let after = try journal.log.verify()
        #expect(after.isSound)
        #expect(after.root == clean.root)
        #expect(after.sealsOpened == clean.sealsOpened)
    }

    @Test("A row that is shortened, lengthened, emptied or deleted is found", arguments: [1, 2, 8, 39, 40] as [UInt64])
    func changedLengths(position: UInt64) async throws {
        let journal = try await filled()
        for isFrame in [true, false] {
            var whole: [UInt8] = []
            let changes: [([UInt8]) -> [UInt8]?] = [
                { Array($0.dropLast()) }, { $0 + [0] }, { _ in [] }, { _ in nil },
            ]
            for change in changes {
                try edit(journal) { transaction, tables in
                    let table = isFrame ? tables.events : tables.tree
                    whole = try row(position, table, transaction)
                    if let changed = change(whole) {
                        try transaction.put(Key(position), changed.raw, in: table)
                    } else {
                        try transaction.delete(Key(position), in: table)
                    }
                }
                let found = try journal.log.verify()
                #expect(found.faults.contains { $0.position == position || $0.position == 39 && position == 40 })
                try edit(journal) { transaction, tables in
                    try transaction.put(Key(position), whole.raw, in: isFrame ? tables.events : tables.tree)
                }
                #expect(try journal.log.verify().isSound)
            }
        }
    }

    @Test("A row with an impossible key is found, and the verification does not iterate up to that key")
    func strangeKeys() async throws {
        let journal = try await filled(10)
        var longer = Key(3)
        longer.append(1 as UInt8)
        for key in [Key(0), Key(1 << 40), Key(UInt64.max), longer] {
            try edit(journal) { transaction, tables in
                let frame = try row(3, tables.events, transaction)
                try transaction.put(key, frame.raw, in: tables.events)
            }
            #expect(try !journal.log.verify().isSound)
            try edit(journal) { transaction, tables in try transaction.delete(key, in: tables.events) }
            #expect(try journal.log.verify().isSound)
        }
        // The key of the newest event, changed by one bit.
        try edit(journal) { transaction, tables in
            let frame = try row(10, tables.events, transaction)
            try transaction.put(Key(10 | 1 << 44), frame.raw, in: tables.events)
            try transaction.delete(Key(10), in: tables.events)
        }
        #expect(try journal.log.verify().faults.contains { $0.position == 10 })
        await #expect(throws: EventLogError.self) { try await journal.log.append([TestJournal.event()]) }
    }

    @Test("A past that was rewritten with matching hashes has another root")
    func rewritten() async throws {
        let journal = try await filled()
        let clean = try journal.log.verify()
        try edit(journal) { transaction, tables in
            var frame = try row(17, tables.events, transaction)
            frame[FrameLayout.recordedAt] ^= 1
            try transaction.put(Key(17), frame.raw, in: tables.events)
            var frontier = Frontier()
            for position in 1...40 as ClosedRange<UInt64> {
                let hashes = frontier.append(.leaf(try row(position, tables.events, transaction)))
                try transaction.put(Key(position), TreeRow.bytes(hashes).raw, in: tables.tree)
            }
        }
        #expect(try journal.log.verify().root != clean.root)
    }

    @Test("Links, stream positions and times that do not fit are found although every hash matches")
    func wrongStamps() async throws {
        let journal = try await filled()
        let edits: [(UInt64, Int, UInt64)] = [
            (9, FrameLayout.streamPosition, 4), (9, FrameLayout.previous, 0), (9, FrameLayout.previous, 1),
            (9, FrameLayout.previous, 4), (9, FrameLayout.previous, 9), (9, FrameLayout.previous, 900),
            (9, FrameLayout.skip, 1), (13, FrameLayout.skip, 5), (13, FrameLayout.skip, 4),
            (1, FrameLayout.previous, 3),
            (1, FrameLayout.streamPosition, 0), (20, FrameLayout.recordedAt, 5),
        ]
        for (position, offset, value) in edits {
            var whole: [[UInt8]] = []
            func restamp(_ frame: [UInt8], _ transaction: borrowing WriteTransaction, _ tables: LogTables) throws {
                try transaction.put(Key(position), frame.raw, in: tables.events)
                var frontier = Frontier()
                for each in 1...40 as ClosedRange<UInt64> {
                    let hashes = frontier.append(.leaf(try row(each, tables.events, transaction)))
                    try transaction.put(Key(each), TreeRow.bytes(hashes).raw, in: tables.tree)
                }
            }
            try edit(journal) { transaction, tables in
                whole = [try row(position, tables.events, transaction)]
                var frame = whole[0]
                var span = frame.mutableSpan
                var bytes = unsafe span.mutableBytes
                bytes.store(value, at: offset)
                try restamp(frame, transaction, tables)
            }
            let found = try journal.log.verify()
            #expect(!found.isSound, "\(position), \(offset) ← \(value)")
            try edit(journal) { transaction, tables in try restamp(whole[0], transaction, tables) }
        }
        #expect(try journal.log.verify().isSound)
    }

    @Test("All faults are counted, and at most a hundred are listed")
    func manyFaults() async throws {
        let journal = try await filled(300)
        try edit(journal) { transaction, tables in
            for position in 1...300 as ClosedRange<UInt64> {
                var frame = try row(position, tables.events, transaction)
                frame[200] ^= 1
                try transaction.put(Key(position), frame.raw, in: tables.events)
            }
        }
        let found = try journal.log.verify()
        #expect(found.faultCount >= 300)
        #expect(found.faults.count == Verification.namedFaults)
    }

    @Test("Progress is reported up to the head")
    func progress() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        for _ in 0..<3 {
            try await journal.log.append((0..<3_000).map { _ in TestJournal.event(subject, payload: "") })
        }
        var steps: [UInt64] = []
        let found = try journal.log.verify { done, all in
            steps.append(done)
            #expect(all == 9_000)
        }
        #expect(found.isSound)
        #expect(steps == [4_096, 8_192, 9_000])
    }

    @Test("An empty log passes verification and has the root of the empty tree")
    func empty() throws {
        let journal = try TestJournal()
        let found = try journal.log.verify()
        #expect(found.isSound)
        #expect(found.head == 0)
        #expect(found.root == .empty)
    }
}
