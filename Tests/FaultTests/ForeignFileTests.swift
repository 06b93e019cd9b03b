import EventLog
import Foundation
import TestSupport
import Testing
import Workload

extension FaultSuite {
    /// Files that the journal did not leave there: older, truncated, or another journal's.
    @Suite("Replaced files")
    struct ForeignFileTests {}
}

extension FaultSuite.ForeignFileTests {
    @Test("A log replaced by an older copy is refused, whatever else is replaced with it")
    func rolledBack() async throws {
        var tally = Tally("log put back to an older copy")
        let journal = try FaultJournal.created()
        let copies = FaultScale.count(4, long: 40)
        var older: [FaultJournal] = [try journal.copy()]
        for number in 0..<copies {
            #expect(try journal.work(1, from: number * 3, count: 3, ["views"]).readLines().last == "done")
            older.append(try journal.copy())
        }
        for old in older.dropLast() {
            // The log alone, the log with the index and the views, and the journal folder without the files outside it.
            for parts in [["log"], ["log", "index", "views"], nil] {
                let damaged = try journal.copy()
                for part in parts ?? [""] { try damaged.replace("journal/" + part, from: old) }
                tally.row.tried += 1
                expectRefusal(of: damaged, [.rolledBack], "older: \(parts ?? ["all"])", &tally.row)
            }
        }
        tally.finish()
    }

    @Test("Another journal's files are refused or ignored")
    func swapped() async throws {
        var log = Tally("log of another journal")
        var keys = Tally("keys of another journal")
        var index = Tally("index of another journal")
        var views = Tally("views of another journal")
        let journals = try (0..<2)
            .map { which in
                let journal = try FaultJournal.created()
                #expect(try journal.work(1, from: which * 5, count: 30, ["views"]).readLines().last == "done")
                return journal
            }
        let (own, other) = (journals[0], journals[1])
        let withoutLog = try own.copy()
        try withoutLog.replace("journal/log", from: other)
        log.row.tried += 1
        expectRefusal(of: withoutLog, [.damaged, .rolledBack, .masterKeyWrong], "another log", &log.row)
        for path in ["journal/keys", "journal/keys/subjects", "master.key"] {
            let damaged = try own.copy()
            try damaged.replace(path, from: other)
            keys.row.tried += 1
            expectRefusal(of: damaged, [.damaged, .masterKeyWrong], path, &keys.row)
        }
        for path in ["journal/index", "journal/index/positions"] {
            let damaged = try own.copy()
            try damaged.replace(path, from: other)
            await Aftermath(journal: damaged, acknowledged: [], hasViews: true, what: path).examine(&index.row)
        }
        for path in ["journal/views", "journal/views/data.mdb"] {
            let damaged = try own.copy()
            try damaged.replace(path, from: other)
            await Aftermath(journal: damaged, acknowledged: [], hasViews: true, what: path).examine(&views.row)
        }
        for tally in [log, keys, index, views] { tally.finish() }
    }

    @Test("With an older copy of the keys, events sealed later are reported and nothing is read wrongly")
    func olderKeys() async throws {
        var tally = Tally("keys put back to an older copy")
        let journal = try FaultJournal.created()
        #expect(try journal.work(1, from: 0, count: 8).readLines().last == "done")
        let old = try journal.copy()
        #expect(try journal.work(1, from: 8, count: 8).readLines().last == "done")
        let damaged = try journal.copy()
        try damaged.replace("journal/keys/subjects", from: old)
        tally.row.tried += 1
        do {
            let log = try damaged.open()
            defer { log.close() }
            let faults = try log.verify().faults
            let lost = try log.events(after: 0).filter { $0.header.subject == Workload(tag: 1).subject(of: 15) }
            #expect(lost.allSatisfy { event in faults.contains { $0.position == event.position } })
            tally.row.refused += 1
        } catch {
            tally.row.refused += 1
            #expect(!error.message.isEmpty)
        }
        tally.finish()
    }

    @Test("A truncated log is reported, without a crash")
    func cutShort() async throws {
        var random = SeededGenerator()
        var tally = Tally("log/data.mdb cut short")
        let journal = try FaultJournal.created()
        #expect(try journal.work(1, from: 0, count: 30).readLines().last == "done")
        let whole = try FileBytes.read(journal.folder.log + "/data.mdb")
        let pages = Array(stride(from: 0, to: whole.count, by: 4_096))
        let odd = (0..<FaultScale.count(2, long: 100)).map { _ in Int.random(in: 0..<whole.count, using: &random) }
        for size in (FaultScale.isLong ? pages : Array(pages.shuffled(using: &random).prefix(4))) + odd {
            let damaged = try journal.copy()
            try FileBytes.edit(damaged.folder.log + "/data.mdb") { $0 = Array(whole.prefix(size)) }
            tally.row.tried += 1
            // In child processes, because reading beyond the end of a mapped file would kill this process.
            let verify = try damaged.child(["verify", damaged.folder.path, damaged.keyFile])
            try verify.say("go")
            let found = verify.readLines().last ?? "nothing"
            _ = verify.wait()
            let work = try damaged.work(2, from: 0, count: 3)
            let said = work.readLines()
            _ = work.wait()
            let isTold = found.hasPrefix("refused ") || found.hasPrefix("head ") && !found.hasSuffix(" faults 0")
            if verify.wasKilled || work.wasKilled || !isTold {
                tally.row.lies += 1
                Issue.record("cut to \(size) of \(whole.count): verify: \(found), append: \(said)")
            } else {
                tally.row.refused += 1
            }
        }
        tally.finish()
    }

    @Test("When the clock is set back a year, recorded times do not go back")
    func clock() async throws {
        var tally = Tally("clock set back a year")
        let journal = try FaultJournal.created()
        #expect(try journal.work(1, from: 0, count: 10).readLines().last == "done")
        let year: Int64 = 366 * 86_400 * 1_000_000
        for round in 0..<FaultScale.count(3, long: 30) {
            try await append(to: journal, from: round * 3, at: { EventLog.clock() - year * Int64(round % 2) })
            await Aftermath(journal: journal, acknowledged: [], hasViews: true, what: "round \(round)")
                .examine(&tally.row)
        }
        tally.finish()
    }

    private func append(
        to journal: FaultJournal,
        from first: Int,
        at now: @escaping @Sendable () -> Int64
    ) async throws {
        var options = journal.options()
        options.now = now
        let log = try journal.open(options)
        defer { log.close() }
        for number in first..<(first + 3) { try await log.append(Workload(tag: 2).events(of: number)) }
    }

    /// Checks that a writable open fails with one of `codes` and a message.
    private func expectRefusal(
        of journal: FaultJournal,
        _ codes: Set<EventLogError.Code>,
        _ what: String,
        _ row: inout FaultRow
    ) {
        do throws(EventLogError) {
            try journal.open().close()
            row.lies += 1
            Issue.record("\(what): opened as if nothing were wrong")
        } catch {
            if codes.contains(error.code), error.message.count > 40 {
                row.refused += 1
            } else {
                row.lies += 1
                Issue.record("\(what): \(error.code): \(error)")
            }
        }
    }
}

extension FaultJournal {
    /// Replaces a file or folder of this journal with another journal's.
    func replace(_ path: String, from other: FaultJournal) throws {
        try FileManager.default.removeItem(atPath: root + "/" + path)
        try FileManager.default.copyItem(atPath: other.root + "/" + path, toPath: root + "/" + path)
    }
}
