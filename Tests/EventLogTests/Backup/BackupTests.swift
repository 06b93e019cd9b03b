import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("Backing a journal up")
struct BackupTests {
    @Test("A restored log has the hash of what it says of itself, as a new one has")
    func description() async throws {
        let ground = try BackupGround()
        try await ground.journal.log.append([TestJournal.event()])
        try ground.backUp()
        let log = try ground.open(try await ground.restore().folder)
        defer { log.close() }
        let hash = try log.reading { transaction in
            try transaction.get(Key(DescriptionRow.hashKey), in: log.tables.meta)?.copy
        }
        #expect(hash == DescriptionRow.hash(of: log.description.bytes))
    }

    @Test("What is restored is byte for byte what was backed up, attachments and description too")
    func roundTrip() async throws {
        var random = SeededGenerator()
        let ground = try BackupGround()
        let log = ground.journal.log
        try await log.append(BackupGround.events(300, &random))
        // Payloads of no bytes and of many, so that segments are split.
        let stream = TestJournal.id(1)
        for size in [0, 9 << 20, 9 << 20, 1] {
            try await log.append([TestJournal.event(stream, bytes: random.bytes(size))])
        }
        let attachment = random.bytes(3 << 20)
        let digest = try log.blobs.put(attachment, subject: stream)
        let report = try ground.backUp()
        #expect(report.events == 304 && report.head == 304 && report.blobs == 1)
        #expect(report.checkpoint.checkpoint.root == (try log.verify().root))
        #expect(try FileManager.default.contentsOfDirectory(atPath: ground.backup + "/segments").count == 2)

        let (folder, restored) = try await ground.restore()
        #expect(restored.head == 304 && restored.blobs == 1 && restored.erased.isEmpty)
        try ground.expectSame(folder, upTo: 304)
        let copy = try ground.open(folder)
        #expect(try copy.blobs.get(digest, subject: stream) == attachment)
        #expect(try copy.open(copy.event(at: 302)) == log.open(log.event(at: 302)))
        copy.close()
    }

    @Test("An empty journal is backed up and restored")
    func empty() async throws {
        let ground = try BackupGround()
        #expect(try ground.backUp().events == 0)
        let (folder, _) = try await ground.restore()
        try ground.expectSame(folder, upTo: 0)
    }

    @Test("Only the owner can enter a backup or read its files")
    func permissions() async throws {
        let ground = try BackupGround()
        try FileManager.default.createDirectory(
            atPath: ground.backup,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        try await ground.journal.log.append([TestJournal.event()])
        _ = try ground.journal.log.blobs.put([1, 2, 3], subject: TestJournal.id(1))
        try ground.backUp()
        #expect(DurableFile.permissions(of: ground.backup) == 0o700)
        for name in try FileManager.default.subpathsOfDirectory(atPath: ground.backup) {
            let permissions = try #require(DurableFile.permissions(of: ground.backup + "/" + name))
            #expect(permissions & 0o077 == 0, "\(name)")
        }
    }

    @Test("A later run copies what is new and touches nothing else")
    func incremental() async throws {
        var random = SeededGenerator()
        let ground = try BackupGround()
        let log = ground.journal.log
        try await log.append(BackupGround.events(600, &random))
        _ = try log.blobs.put(random.bytes(50_000), subject: TestJournal.id(1))
        let first = try ground.backUp()
        let before = try ground.files()
        let segment = try #require(before.keys.first { $0.hasPrefix("segments/") })
        let inode = DurableFile.identity(of: ground.backup + "/" + segment)
        #expect(try #require(before[segment]).count > BackupLayout.foldedBytes)
        #expect(first.byteCount > 200_000)

        let added = BackupGround.events(10, &random)
        try await log.append(added)
        _ = try log.blobs.put(random.bytes(1_000), subject: TestJournal.id(2))
        let second = try ground.backUp()
        #expect(second.events == 10 && second.blobs == 1 && second.keys == 0)
        let payloads = added.reduce(0) { $0 + $1.payload.count + FrameLayout.overhead + 4 }
        #expect(second.byteCount == payloads + BackupLayout.segmentHeader + 1_028)
        let after = try ground.files()
        let changed = after.keys.filter { before[$0] != after[$0] }.map { $0.prefix { $0 != "/" && $0 != "-" } }
        #expect(changed.sorted() == ["blobs", "contents", "manifest", "segments"])
        #expect(DurableFile.identity(of: ground.backup + "/" + segment) == inode)

        // Nothing new at all.
        let third = try ground.backUp()
        #expect(third.events == 0 && third.blobs == 0 && third.keys == 0)
        let (folder, _) = try await ground.restore()
        try ground.expectSame(folder, upTo: 610)
    }

    @Test("Many small backups do not leave many small files")
    func folding() async throws {
        var random = SeededGenerator()
        let ground = try BackupGround()
        for _ in 0..<60 {
            try await ground.journal.log.append(BackupGround.events(4, &random))
            #expect(try ground.backUp().events == 4)
        }
        let segments = try FileManager.default.contentsOfDirectory(atPath: ground.backup + "/segments")
        #expect(segments.count <= 4)
        let (folder, _) = try await ground.restore()
        try ground.expectSame(folder, upTo: 240)
    }

    @Test("Backups made while other processes append are each a whole past of the journal", .timeLimit(.minutes(10)))
    func hot() async throws {
        let ground = try BackupGround()
        let writers = try (0..<2).map { try ground.journal.writer(count: 1_500, streams: 40, tag: UInt8($0)) }
        for writer in writers { #expect(writer.readLine() == "ready") }
        for writer in writers { try writer.say("go") }
        var heads: [UInt64] = []
        while heads.last != 3_000 {
            heads.append(try ground.backUp().head)
            if heads.count % 4 == 1 {
                let (folder, report) = try await ground.restore()
                #expect(report.head == heads.last)
                try ground.expectSame(folder, upTo: report.head)
                try FileManager.default.removeItem(atPath: folder.path)
            }
        }
        for writer in writers { #expect(writer.readLines().count == 1_500) }
        let (folder, _) = try await ground.restore()
        try ground.expectSame(folder, upTo: 3_000)
    }

    @Test("What is appended at any step of a backup is not in it, and in the next")
    func between() async throws {
        let ground = try BackupGround()
        let log = ground.journal.log
        try await log.append([TestJournal.event()])
        var head: UInt64 = 1
        for _ in 0..<3 {
            let report = try log.backUp(to: ground.backup) { _ throws(EventLogError) in
                // New subjects too, whose keys are new.
                for _ in 0..<20 { try log.enqueue([TestJournal.event()]) { _ in } }
                while try log.head() < head + 20 { usleep(100) }
                head = try log.head()
            }
            #expect(report.head < head)
            let (folder, restored) = try await ground.restore()
            #expect(restored.head == report.head)
            try ground.expectSame(folder, upTo: report.head)
        }
    }

    @Test("Cut off at any step, a backup is what it was before, and the next run goes on", .timeLimit(.minutes(10)))
    func cutOff() async throws {
        struct Cut: Error {}
        var random = SeededGenerator()
        let ground = try BackupGround()
        let log = ground.journal.log
        var held: UInt64 = 0
        var cuts: Set<BackupStep> = []
        for round in 0..<40 {
            try await log.append(BackupGround.events(Int.random(in: 1..<200, using: &random), &random))
            _ = try log.blobs.put(random.bytes(100), subject: TestJournal.id(Int.random(in: 0..<12, using: &random)))
            // The first run too is cut off, more than once.
            let step = BackupStep.allCases[round % BackupStep.allCases.count]
            let error = await refusal {
                _ = try log.backUp(to: ground.backup) { reached throws(EventLogError) in
                    if reached == step { throw EventLogError(.storage, "cut off") }
                }
            }
            if error != nil { cuts.insert(step) }
            if step == .manifestPlaced || step == .tidied { held = try log.head() }
            if held == 0 {
                #expect(await refusal { _ = try await ground.restore() }?.code == .notABackup)
            } else {
                let (folder, report) = try await ground.restore()
                #expect(report.head == held)
                try ground.expectSame(folder, upTo: held)
                try FileManager.default.removeItem(atPath: folder.path)
            }
        }
        #expect(cuts == Set(BackupStep.allCases))
        let end = try ground.backUp()
        let (folder, _) = try await ground.restore()
        try ground.expectSame(folder, upTo: end.head)
        // Nothing is left of what was cut off.
        let names = try ground.files().keys
        #expect(!names.contains { $0.hasSuffix(".part") || $0.contains(".new-") })
        #expect(names.count { $0.hasPrefix("contents-") } == 1)
    }

    @Test("A first run that was cut off is gone on with: segments that are whole are not written again")
    func resumed() async throws {
        var random = SeededGenerator()
        let ground = try BackupGround()
        for _ in 0..<3 {
            try await ground.journal.log.append([
                TestJournal.event(TestJournal.id(1), bytes: random.bytes(15 << 20)),
                TestJournal.event(TestJournal.id(1), bytes: random.bytes(2 << 20)),
            ])
        }
        _ = await refusal {
            _ = try ground.journal.log.backUp(to: ground.backup) { step throws(EventLogError) in
                if step == .keysCopied { throw EventLogError(.storage, "cut off") }
            }
        }
        // One that was changed meanwhile is not taken over.
        let last = ground.backup + "/segments/" + BackupSegment.name(5, 6)
        try FileBytes.edit(last) { $0[$0.count / 2] ^= 1 }
        let report = try ground.backUp()
        #expect(report.events == 6 && report.byteCount < 18 << 20 && report.byteCount > 17 << 20)
        let (folder, _) = try await ground.restore()
        try ground.expectSame(folder, upTo: 6)
    }

    @Test("A disk that is full fails the backup, and the one before stays good")
    func diskFull() async throws {
        let mount = try TemporaryFolder()
        guard run("/bin/mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", mount.path]) else {
            print("skipped: no tmpfs can be mounted here, so that no disk can be filled")
            return
        }
        defer { _ = run("/bin/umount", ["-l", mount.path]) }
        var random = SeededGenerator()
        let ground = try BackupGround()
        let place = mount.path + "/backup"
        try await ground.journal.log.append(BackupGround.events(500, &random))
        _ = try ground.journal.log.backUp(to: place)
        try await ground.journal.log.append([TestJournal.event(bytes: random.bytes(3 << 20))])
        let error = await refusal { _ = try ground.journal.log.backUp(to: place) }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("still good") == true)
        let (folder, report) = try await ground.restore(from: place)
        #expect(report.head == 500)
        try ground.expectSame(folder, upTo: 500)
    }

    private func run(_ path: String, _ arguments: [String]) -> Bool {
        (try? Outcome(of: path, arguments))?.status == 0
    }
}
