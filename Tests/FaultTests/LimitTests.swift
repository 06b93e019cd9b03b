import EventLog
import Foundation
import TestSupport
import Testing
import Workload

extension FaultSuite {
    @Suite("Exhausted limits")
    struct LimitTests {}
}

extension FaultSuite.LimitTests {
    @Test(
        "On a full disk appends fail, and they succeed again once there is space",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func fullDisk() async throws {
        var tally = Tally("disk full (tmpfs)")
        for size in FaultScale.isLong ? Array(stride(from: 300, through: 1_500, by: 40)) : [400, 900] {
            let disk = try SmallDisk(kibibytes: size)
            let journal = try FaultJournal(on: disk.path)
            let lines = try journal.create().readLines()
            guard lines == ["created"] else {
                tally.row.tried += 1
                if FaultSuite.isClear(" \(lines)") { tally.row.refused += 1 } else { tally.row.lies += 1 }
                continue
            }
            try await strike(journal, tag: 1, count: 400, [], &tally.row, "disk of \(size) kB") {
                try disk.resize(kibibytes: 64 << 10)
            }
        }
        tally.finish()
    }

    @Test(
        "On a read-only filesystem reading and verification work, and a write is refused as read-only",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func readOnly() async throws {
        let disk = try SmallDisk(kibibytes: 8_000)
        var tally = Tally("filesystem read-only")
        let journal = try FaultJournal(on: disk.path)
        #expect(try journal.create().readLines() == ["created"])
        let answers = try journal.work(1, from: 0, count: 20).readLines().compactMap { Acknowledgement($0, tag: 1) }
        try disk.setReadOnly(true)
        tally.row.tried += 1
        let lines = try journal.work(1, from: 20, count: 5).readLines()
        if lines.count == 1, lines[0].hasPrefix("refused readOnly|"), FaultSuite.isClear(lines[0]) {
            tally.row.refused += 1
        } else {
            tally.row.lies += 1
            Issue.record("writing: \(lines)")
        }
        try look(at: journal, head: answers.last?.last)
        try disk.setReadOnly(false)
        await Aftermath(journal: journal, acknowledged: answers, what: "writable again").examine(&tally.row)
        tally.finish()
    }

    private func look(at journal: FaultJournal, head: UInt64?) throws {
        var options = journal.options()
        options.isReadOnly = true
        let log = try journal.open(options)
        #expect(try log.verify().isSound)
        #expect(try log.head() == head)
    }

    @Test("With a full map appends fail, and a larger map accepts more")
    func fullMap() async throws {
        var tally = Tally("map full")
        for kilobytes in FaultScale.isLong ? Array(stride(from: 100, through: 800, by: 20)) : [200, 500] {
            let journal = try FaultJournal.created()
            try await strike(
                journal,
                tag: 1,
                count: 300,
                ["map=\(kilobytes << 10)"],
                &tally.row,
                "map of \(kilobytes) kB"
            ) {}
        }
        tally.finish()
    }

    @Test("A process that runs out of file descriptors reports clear errors, if any, and loses nothing")
    func files() async throws {
        var tally = Tally("file descriptors exhausted")
        let base = try FaultJournal.created()
        for limit in FaultScale.isLong ? Array(3...40) : [6, 9, 12, 16] {
            for words in [["files=\(limit)"], ["files=\(limit)", "hog"], ["files=\(limit)", "hog", "checkpoint"]] {
                try await strike(base.copy(), tag: 1, count: 6, words, &tally.row, "\(words)") {}
            }
        }
        tally.finish()
    }

    @Test("A reader beyond the last slot is refused, and appends still succeed")
    func readers() async throws {
        var tally = Tally("too many readers")
        let journal = try FaultJournal.created()
        let answers = try journal.work(1, from: 0, count: 5).readLines().compactMap { Acknowledgement($0, tag: 1) }
        try await crowd(journal)
        tally.row.tried += 1
        tally.row.refused += 1
        // A copy, because the ending thread may still hold the log open.
        await Aftermath(journal: try journal.copy(), acknowledged: answers, what: "readers").examine(&tally.row)
        tally.finish()
    }

    private func crowd(_ journal: FaultJournal) async throws {
        let log = try journal.open()
        defer { log.close() }
        // Nested snapshots, on a thread whose stack is large enough for them.
        let refused = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: nest(log, 0)) }
            thread.stackSize = 256 << 20
            thread.start()
        }
        #expect(refused.depth >= 2_040)
        #expect(refused.error?.message.contains("too many readers") == true, "\(String(describing: refused.error))")
        #expect(refused.appended)
    }

    /// Runs a writer against a limit, lifts the limit, and checks that the journal is intact and works again.
    private func strike(
        _ journal: FaultJournal,
        tag: UInt8,
        count: Int,
        _ words: [String],
        _ row: inout FaultRow,
        _ what: String,
        lift: () throws -> Void
    ) async throws {
        let map = words.compactMap { $0.hasPrefix("map=") ? Int($0.dropFirst(4)) : nil }.first ?? 4 << 30
        let child = try journal.work(tag, from: 0, count: count, mapSize: map, words.filter { !$0.hasPrefix("map=") })
        let lines = child.readLines()
        _ = child.wait()
        let errors = lines.filter { $0.hasPrefix("err ") || $0.hasPrefix("refused ") }
        if child.wasKilled || errors.contains(where: { !FaultSuite.isClear($0) }) || lines.isEmpty {
            row.lies += 1
            Issue.record("\(what): \(errors.first { !FaultSuite.isClear($0) } ?? "killed"), \(lines.suffix(3))")
        }
        try lift()
        let answers = lines.compactMap { Acknowledgement($0, tag: tag) }
        let before = row.survived
        await Aftermath(journal: journal, acknowledged: answers, hasViews: true, what: what).examine(&row)
        if !errors.isEmpty, row.survived > before {
            row.survived -= 1
            row.refused += 1
        }
    }
}

/// Opens nested snapshots until one is refused, and then appends while all of them are open.
private func nest(_ log: EventLog, _ depth: Int) -> (depth: Int, error: EventLogError?, appended: Bool) {
    var inner: (depth: Int, error: EventLogError?, appended: Bool) = (depth, nil, false)
    do {
        try log.forEachFrame(through: 1) { _ in
            inner = nest(log, depth + 1)
            return false
        }
        return inner
    } catch {
        let answer = DispatchSemaphore(value: 0)
        let taken = Taken()
        try? log.enqueue(Workload(tag: 3).events(of: 0)) { result in
            taken.value = (try? result.get()) != nil
            answer.signal()
        }
        answer.wait()
        return (depth, error as? EventLogError, taken.value)
    }
}

/// A result that the writer sets before it signals, and that is read afterwards.
private final class Taken: @unchecked Sendable {
    var value = false
}
