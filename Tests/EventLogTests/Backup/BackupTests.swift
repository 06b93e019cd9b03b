import Foundation
import LMDB
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Backups")
struct BackupTests {
    @Test("A restored log has the hash of its description, as a new log has")
    func description() async throws {
        let fixture = try BackupFixture()
        try await fixture.journal.log.append([TestJournal.event()])
        try fixture.backUp()
        let log = try fixture.open(try await fixture.restore().folder)
        defer { log.close() }
        let hash = try log.reading { transaction in
            try transaction.get(Key(DescriptionRow.hashKey), in: log.tables.meta)?.copy
        }
        #expect(hash == DescriptionRow.hash(of: log.description.bytes))
    }

    @Test("A restored journal equals the original byte for byte, including attachments and description")
    func roundTrip() async throws {
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        let log = fixture.journal.log
        try await log.append(BackupFixture.events(300, &random))
        // Empty and large payloads, so that segments are split.
        let stream = TestJournal.id(1)
        for size in [0, 9 << 20, 9 << 20, 1] {
            try await log.append([TestJournal.event(stream, bytes: random.bytes(size))])
        }
        let attachment = random.bytes(3 << 20)
        let digest = try log.blobs.put(attachment, subject: stream)
        let report = try fixture.backUp()
        #expect(report.events == 304)
        #expect(report.head == 304)
        #expect(report.blobs == 1)
        #expect(report.checkpoint.checkpoint.root == (try log.verify().root))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.backup + "/segments").count == 2)

        let (folder, restored) = try await fixture.restore()
        #expect(restored.head == 304)
        #expect(restored.blobs == 1)
        #expect(restored.erased.isEmpty)
        try fixture.expectSame(folder, upTo: 304)
        let copy = try fixture.open(folder)
        #expect(try copy.blobs.get(digest, subject: stream) == attachment)
        #expect(try copy.open(copy.event(at: 302)) == log.open(log.event(at: 302)))
        copy.close()
    }

    @Test("An empty journal is backed up and restored")
    func empty() async throws {
        let fixture = try BackupFixture()
        #expect(try fixture.backUp().events == 0)
        let (folder, _) = try await fixture.restore()
        try fixture.expectSame(folder, upTo: 0)
    }

    @Test("Only the owner can enter a backup or read its files")
    func permissions() async throws {
        let fixture = try BackupFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.backup,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        try await fixture.journal.log.append([TestJournal.event()])
        _ = try fixture.journal.log.blobs.put([1, 2, 3], subject: TestJournal.id(1))
        try fixture.backUp()
        #expect(DurableFile.permissions(of: fixture.backup) == 0o700)
        for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.backup) {
            let permissions = try #require(DurableFile.permissions(of: fixture.backup + "/" + name))
            #expect(permissions & 0o077 == 0, "\(name)")
        }
    }

    @Test("A later backup copies only what is new and leaves all other files unchanged")
    func incremental() async throws {
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        let log = fixture.journal.log
        try await log.append(BackupFixture.events(600, &random))
        _ = try log.blobs.put(random.bytes(50_000), subject: TestJournal.id(1))
        let first = try fixture.backUp()
        let before = try fixture.files()
        let segment = try #require(before.keys.first { $0.hasPrefix("segments/") })
        let inode = DurableFile.identity(of: fixture.backup + "/" + segment)
        #expect(try #require(before[segment]).count > BackupLayout.foldedBytes)
        #expect(first.byteCount > 200_000)

        let added = BackupFixture.events(10, &random)
        try await log.append(added)
        _ = try log.blobs.put(random.bytes(1_000), subject: TestJournal.id(2))
        let second = try fixture.backUp()
        #expect(second.events == 10)
        #expect(second.blobs == 1)
        #expect(second.keys == 0)
        let payloads = added.reduce(0) { $0 + $1.payload.count + FrameLayout.overhead + 4 }
        #expect(second.byteCount == payloads + BackupLayout.segmentHeader + 1_028)
        let after = try fixture.files()
        let changed = after.keys.filter { before[$0] != after[$0] }.map { $0.prefix { $0 != "/" && $0 != "-" } }
        #expect(changed.sorted() == ["blobs", "contents", "manifest", "segments"])
        #expect(DurableFile.identity(of: fixture.backup + "/" + segment) == inode)

        // Nothing new at all.
        let third = try fixture.backUp()
        #expect(third.events == 0)
        #expect(third.blobs == 0)
        #expect(third.keys == 0)
        let (folder, _) = try await fixture.restore()
        try fixture.expectSame(folder, upTo: 610)
    }

    @Test("Many small backups do not leave many small files")
    func folding() async throws {
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        for _ in 0..<60 {
            try await fixture.journal.log.append(BackupFixture.events(4, &random))
            #expect(try fixture.backUp().events == 4)
        }
        let segments = try FileManager.default.contentsOfDirectory(atPath: fixture.backup + "/segments")
        #expect(segments.count <= 4)
        let (folder, _) = try await fixture.restore()
        try fixture.expectSame(folder, upTo: 240)
    }

    @Test("Each backup made while others append is a consistent state of the journal", .timeLimit(.minutes(10)))
    func hot() async throws {
        let fixture = try BackupFixture()
        let writers = try (0..<2).map { try fixture.journal.writer(count: 1_500, streams: 40, tag: UInt8($0)) }
        for writer in writers { #expect(writer.readLine() == "ready") }
        for writer in writers { try writer.say("go") }
        var heads: [UInt64] = []
        while heads.last != 3_000 {
            heads.append(try fixture.backUp().head)
            if heads.count % 4 == 1 {
                let (folder, report) = try await fixture.restore()
                #expect(report.head == heads.last)
                try fixture.expectSame(folder, upTo: report.head)
                try FileManager.default.removeItem(atPath: folder.path)
            }
        }
        for writer in writers { #expect(writer.readLines().count == 1_500) }
        let (folder, _) = try await fixture.restore()
        try fixture.expectSame(folder, upTo: 3_000)
    }

    @Test("Events appended during any step of a backup are not in it, but in the next one")
    func between() async throws {
        let fixture = try BackupFixture()
        let log = fixture.journal.log
        try await log.append([TestJournal.event()])
        var head: UInt64 = 1
        for _ in 0..<3 {
            let report = try log.backUp(to: fixture.backup) { _ throws(EventLogError) in
                // The events have new subjects, so that new keys are created too.
                for _ in 0..<20 { try log.enqueue([TestJournal.event()]) { _ in } }
                while try log.head() < head + 20 { usleep(100) }
                head = try log.head()
            }
            #expect(report.head < head)
            let (folder, restored) = try await fixture.restore()
            #expect(restored.head == report.head)
            try fixture.expectSame(folder, upTo: report.head)
        }
    }

    @Test("Interrupted at any step, a backup stays consistent, and the next run continues", .timeLimit(.minutes(10)))
    func cutOff() async throws {
        struct Cut: Error {}
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        let log = fixture.journal.log
        var held: UInt64 = 0
        var cuts: Set<BackupStep> = []
        for round in 0..<40 {
            try await log.append(BackupFixture.events(Int.random(in: 1..<200, using: &random), &random))
            _ = try log.blobs.put(random.bytes(100), subject: TestJournal.id(Int.random(in: 0..<12, using: &random)))
            // The first run is interrupted as well, more than once.
            let step = BackupStep.allCases[round % BackupStep.allCases.count]
            let error = await refusal {
                _ = try log.backUp(to: fixture.backup) { reached throws(EventLogError) in
                    if reached == step { throw EventLogError(.storage, "cut off") }
                }
            }
            if error != nil { cuts.insert(step) }
            if step == .manifestPlaced || step == .tidied { held = try log.head() }
            if held == 0 {
                #expect(await refusal { _ = try await fixture.restore() }?.code == .notABackup)
            } else {
                let (folder, report) = try await fixture.restore()
                #expect(report.head == held)
                try fixture.expectSame(folder, upTo: held)
                try FileManager.default.removeItem(atPath: folder.path)
            }
        }
        #expect(cuts == Set(BackupStep.allCases))
        let end = try fixture.backUp()
        let (folder, _) = try await fixture.restore()
        try fixture.expectSame(folder, upTo: end.head)
        // No files of interrupted runs are left.
        let names = try fixture.files().keys
        #expect(!names.contains { $0.hasSuffix(".part") || $0.contains(".new-") })
        #expect(names.count { $0.hasPrefix("contents-") } == 1)
    }

    @Test("An interrupted first run is resumed, and complete segments are not written again")
    func resumed() async throws {
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        for _ in 0..<3 {
            try await fixture.journal.log.append([
                TestJournal.event(TestJournal.id(1), bytes: random.bytes(15 << 20)),
                TestJournal.event(TestJournal.id(1), bytes: random.bytes(2 << 20)),
            ])
        }
        _ = await refusal {
            _ = try fixture.journal.log.backUp(to: fixture.backup) { step throws(EventLogError) in
                if step == .keysCopied { throw EventLogError(.storage, "cut off") }
            }
        }
        // A segment that was changed meanwhile is not reused.
        let last = fixture.backup + "/segments/" + BackupSegment.name(5, 6)
        try FileBytes.edit(last) { $0[$0.count / 2] ^= 1 }
        let report = try fixture.backUp()
        #expect(report.events == 6)
        #expect(report.byteCount < 18 << 20)
        #expect(report.byteCount > 17 << 20)
        let (folder, _) = try await fixture.restore()
        try fixture.expectSame(folder, upTo: 6)
    }

    @Test(
        "A full disk fails the backup and leaves the previous one intact",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func diskFull() async throws {
        let disk = try SmallDisk(kibibytes: 2 << 10)
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        let place = disk.path + "/backup"
        try await fixture.journal.log.append(BackupFixture.events(500, &random))
        _ = try fixture.journal.log.backUp(to: place)
        try await fixture.journal.log.append([TestJournal.event(bytes: random.bytes(3 << 20))])
        let error = await refusal { _ = try fixture.journal.log.backUp(to: place) }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("still usable") == true)
        let (folder, report) = try await fixture.restore(from: place)
        #expect(report.head == 500)
        try fixture.expectSame(folder, upTo: 500)
    }
}
