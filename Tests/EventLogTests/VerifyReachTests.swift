import Dispatch
import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

/// Tests of verifications that span several segments, snapshots or checkpoints.
@Suite("Verification of long logs")
struct VerifyReachTests {
    /// Returns a journal of 9,000 events in three appends: two whole segments and part of a third.
    private func long() async throws -> TestJournal {
        let journal = try TestJournal()
        for round in 0..<3 {
            try await journal.log.append(
                (0..<3_000).map { TestJournal.event(TestJournal.id(($0 + round) % 50), payload: "p") }
            )
        }
        return journal
    }

    private func edit(_ journal: TestJournal, _ body: (borrowing WriteTransaction, LogTables) throws -> Void) throws {
        journal.close()
        do {
            var options = Environment.Options()
            options.mapSize = 4 << 30
            let environment = try Environment(folder: journal.folder.log, options: options)
            try environment.write { transaction in try body(transaction, LogTables(making: transaction)) }
        }
        journal.forgetCheckpoint()
        try journal.open()
    }

    /// Changes the row at a position and keeps its key.
    private func change(
        _ position: UInt64,
        _ table: KeyPath<LogTables, Table>,
        of journal: TestJournal,
        _ body: (inout [UInt8]) -> Void
    ) throws {
        try edit(journal) { transaction, tables in
            guard let row = try transaction.reading.get(Key(position), in: tables[keyPath: table]) else { return }
            var copy = row.copy
            body(&copy)
            try transaction.put(Key(position), copy.raw, in: tables[keyPath: table])
        }
    }

    @Test("A change in any segment is reported at its own position only, and the root is that of the frames")
    func segments() async throws {
        let journal = try await long()
        let clean = try journal.log.verify()
        #expect(clean.isSound)
        #expect(clean.head == 9_000)
        #expect(try clean.root == journal.log.root(ofSize: 9_000))
        // Frames at the boundaries of segments; tree rows whose highest hashes cover one and two segments.
        for position in [1, 4_096, 4_097, 9_000] as [UInt64] {
            try change(position, \.events, of: journal) { $0[50] ^= 1 }
            let found = try journal.log.verify()
            #expect(Set(found.faults.map(\.position)) == [position])
            #expect(found.root != clean.root)
            try change(position, \.events, of: journal) { $0[50] ^= 1 }
        }
        for (position, level) in [(4_095, 0), (4_096, 12), (4_096, 0), (8_192, 13), (9_000, 3)]
            as [(UInt64, Int)]
        {
            try change(position, \.tree, of: journal) { $0[level * 32 + 7] ^= 1 }
            let found = try journal.log.verify()
            #expect(found.faults.map(\.position) == [position], "level \(level)")
            #expect(found.root == clean.root)
            try change(position, \.tree, of: journal) { $0[level * 32 + 7] ^= 1 }
        }
        let after = try journal.log.verify()
        #expect(after.isSound)
        #expect(after.root == clean.root)
    }

    @Test("A missing event is reported at its position, and the hashes above it are taken from the tree")
    func missing() async throws {
        let journal = try await long()
        let clean = try journal.log.verify()
        try edit(journal) { transaction, tables in try transaction.delete(Key(5_000), in: tables.events) }
        let found = try journal.log.verify()
        #expect(found.faults.contains(Verification.Fault(position: 5_000, what: "there is no event")))
        // All other faults concern the counts and are reported at the head.
        #expect(found.faults.allSatisfy { $0.position == 5_000 || $0.position >= 8_999 })
        #expect(found.faultCount <= 6)
        #expect(clean.isSound)
    }

    @Test("A damaged page is reported at the first position on it, and the rest is verified")
    func damagedPage() async throws {
        let journal = try await long()
        let path = journal.folder.log + "/data.mdb"
        journal.close()
        let bytes = try FileBytes.read(path)
        // The leaf page with an event in the middle of the log, found by its key and the first bytes of a frame.
        let wanted: [UInt8] = RowStream.key(5_500) + [1, 0, 176, 0]
        var place = 8_192
        while place < bytes.count - 16, Array(bytes[place..<(place + wanted.count)]) != wanted { place += 2 }
        let page = place / 4_096 * 4_096
        try FileBytes.edit(path) { $0[page + 10] ^= 0x20 }
        let found = try EventLog.verify(journal.folder, masterKey: journal.master, options: journal.options)
        try FileBytes.edit(path) { $0[page + 10] ^= 0x20 }
        try journal.open()
        let first = try #require(found.faults.first)
        #expect(first.position <= 5_500)
        #expect(first.position > 5_450)
        #expect(first.what.contains("page \(page / 4_096) of the file"))
        #expect(found.faultCount == 1)
        #expect(found.sealsOpened < 9_000)
        #expect(found.sealsOpened > 8_900)
        #expect(try journal.log.verify().isSound)
    }

    @Test("Verification since a checkpoint checks only newer events, and that the log extends the checkpoint")
    func since() async throws {
        let journal = try await long()
        let root = try journal.log.root(ofSize: 5_000)
        let point = Checkpoint(origin: "healthjournal/x", size: 5_000, root: root)
        let whole = try journal.log.verify()
        let clean = try journal.log.verify(since: point)
        #expect(clean.isSound)
        #expect(clean.sealsOpened == 4_000)
        #expect(clean.root == whole.root)
        for size in [0, 1, 4_096, 8_192, 8_999, 9_000] as [UInt64] {
            let point = Checkpoint(origin: "x", size: size, root: try journal.log.root(ofSize: size))
            let found = try journal.log.verify(since: point)
            #expect(found.isSound)
            #expect(found.sealsOpened == 9_000 - size)
            #expect(found.root == whole.root)
        }
        // A checkpoint of another history, and a checkpoint that is longer than the log.
        let other = try journal.log.verify(since: Checkpoint(origin: "x", size: 5_000, root: .empty))
        #expect(other.faults.map(\.position) == [5_000])
        let longer = try journal.log.verify(since: Checkpoint(origin: "x", size: 9_001, root: root))
        #expect(longer.faults.map(\.position) == [9_000])
        try change(7_000, \.events, of: journal) { $0[60] ^= 1 }
        #expect(try Set(journal.log.verify(since: point).faults.map(\.position)) == [7_000])
        try change(7_000, \.events, of: journal) { $0[60] ^= 1 }
        // Events before the checkpoint are not checked again.
        try change(3_000, \.events, of: journal) { $0[60] ^= 1 }
        #expect(try journal.log.verify(since: point).isSound)
        #expect(try !journal.log.verify().isSound)
    }

    @Test("A repeated idempotency key and a stream that begins twice are found although every hash matches")
    func repeats() async throws {
        let journal = try TestJournal()
        for number in 0..<30 {
            try await journal.log.append([
                TestJournal.event(TestJournal.id(number), id: TestJournal.keyed(UInt8(number)), payload: "x")
            ])
        }
        #expect(try journal.log.verify().isSound)
        try edit(journal) { transaction, tables in
            var frontier = Frontier()
            for position in 1...30 as ClosedRange<UInt64> {
                guard let row = try transaction.reading.get(Key(position), in: tables.events) else { return }
                var frame = row.copy
                if position == 20 {
                    frame.replaceSubrange(
                        FrameLayout.event..<(FrameLayout.event + 16),
                        with: [UInt8](TestJournal.keyed(4))
                    )
                }
                if position == 25 {
                    frame.replaceSubrange(
                        FrameLayout.stream..<(FrameLayout.stream + 16),
                        with: [UInt8](TestJournal.id(7))
                    )
                }
                try transaction.put(Key(position), frame.raw, in: tables.events)
                try transaction.put(Key(position), TreeRow.bytes(frontier.append(.leaf(frame))).raw, in: tables.tree)
            }
        }
        let found = try EventLog.verify(journal.folderAfterClosing(), masterKey: nil, options: journal.options)
        #expect(found.faults.map(\.position) == [20, 25])
        #expect(
            found.faults.map(\.what) == ["its idempotency key was already used", "its stream begins a second time"]
        )
    }

    @Test("A long verification does not keep pages from being reused")
    func growth() async throws {
        let journal = try await long()
        let log = journal.log
        let before = log.size.used
        var commits = 0
        let found = try log.verify { _, _ in
            // Between two segments, as many commits as in a busy minute.
            for _ in 0..<200 {
                let done = DispatchSemaphore(value: 0)
                try? log.enqueue([TestJournal.event(TestJournal.id(1), payload: "p")]) { _ in done.signal() }
                done.wait()
                commits += 1
            }
        }
        #expect(found.isSound)
        #expect(found.head == 9_000)
        #expect(commits == 600)
        #expect(try log.head() == 9_600)
        // 600 events take 60 pages; a pinned snapshot would have cost eight or more pages a commit.
        #expect((log.size.used - before) / 4_096 < 300)
        #expect(try log.verify().isSound)
    }

    @Test("Verification while others append finds no faults")
    func besideWriters() async throws {
        let journal = try TestJournal()
        let log = journal.log
        let checks = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    for number in 0..<150 {
                        try await log.append([TestJournal.event(TestJournal.id(number % 9 + 10 * writer))])
                    }
                    return 0
                }
            }
            group.addTask {
                var checks = 0
                while try log.head() < 300 {
                    let found = try log.verify()
                    #expect(found.isSound, "\(found.faults)")
                    checks += 1
                    await Task.yield()
                }
                return checks
            }
            return try await group.reduce(0, +)
        }
        #expect(checks > 3)
        #expect(try log.verify().head == 300)
    }
}

extension TestJournal {
    fileprivate func folderAfterClosing() -> JournalFolder {
        close()
        return folder
    }
}
