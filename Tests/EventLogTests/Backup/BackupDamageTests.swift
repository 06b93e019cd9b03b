import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("Damaged backups")
struct BackupDamageTests {
    @Test("When any byte of a backup is changed, the restore is refused or unaffected", .timeLimit(.minutes(10)))
    func everyByte() async throws {
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        let log = fixture.journal.log
        let stream = TestJournal.id(1)
        try await log.append((0..<4).map { TestJournal.event(stream, payload: "payload \($0)") })
        try await log.append([TestJournal.event(TestJournal.id(2))])
        let digest = try log.blobs.put(Array("attachment".utf8), subject: stream)
        try fixture.backUp()
        let files = try fixture.files().filter { $0.key != "lock" }
        #expect(files.count == 5)
        let bytes = files.sorted { $0.key < $1.key }.flatMap { file in file.value.indices.map { (file.key, $0) } }
        var refused = 0
        let tries = bytes.shuffled(using: &random).prefix(200)
        for (name, index) in tries {
            let change = UInt8.random(in: 1...255, using: &random)
            try FileBytes.edit(fixture.backup + "/" + name) { $0[index] ^= change }
            defer { try? FileBytes.edit(fixture.backup + "/" + name) { $0[index] ^= change } }
            do {
                let (folder, _) = try await fixture.restore()
                try fixture.expectSame(folder, upTo: 5)
                let restored = try fixture.open(folder)
                #expect(try restored.blobs.get(digest, subject: stream) == Array("attachment".utf8))
                for position in 1...5 {
                    #expect(
                        try restored.open(restored.event(at: UInt64(position)))
                            == log.open(log.event(at: UInt64(position)))
                    )
                }
                restored.close()
                try FileManager.default.removeItem(atPath: folder.path)
            } catch is EventLogError {
                refused += 1
            }
        }
        print("changed bytes: \(tries.count) of \(bytes.count), refused \(refused)")
        #expect(refused > tries.count / 2)
        #expect(try await fixture.restore().report.head == 5)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).count == 2)
    }

    @Test("Files of a backup that are truncated, lengthened, overwritten or missing are refused")
    func files() async throws {
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        try await fixture.journal.log.append(BackupFixture.events(40, &random))
        _ = try fixture.journal.log.blobs.put(random.bytes(500), subject: TestJournal.id(3))
        try fixture.backUp()
        for (name, bytes) in try fixture.files() where name != "lock" {
            let path = fixture.backup + "/" + name
            let garbage = random.bytes(bytes.count)
            let zeros = [UInt8](repeating: 0, count: bytes.count)
            var changed = [[], Array(bytes.dropLast()), Array(bytes.prefix(bytes.count / 2)), garbage, zeros]
            // Bytes after the keys are accepted: an interrupted run may have left them.
            if name != "keys" { changed.append(bytes + [0]) }
            for other in changed {
                try FileBytes.write(other, to: path)
                #expect(await refusal { _ = try await fixture.restore() } != nil, "\(name), \(other.count) bytes")
            }
            try FileManager.default.removeItem(atPath: path)
            #expect(await refusal { _ = try await fixture.restore() } != nil, "\(name) gone")
            try FileBytes.write(bytes, to: path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["backup"])
        try fixture.expectSame(try await fixture.restore().folder, upTo: 40)
    }

    @Test("The parsers of backup files handle any bytes without a crash")
    func readers() throws {
        var random = SeededGenerator()
        let journal = UUID()
        let header = BackupSegment.header(journal: journal, first: 1)
        var contents = BackupContents()
        contents.segments = [
            BackupSegment(first: 1, last: 7, byteCount: 900), BackupSegment(first: 8, last: 8, byteCount: 99),
        ]
        let path = "\(journal.uuidString.lowercased())/00ff"
        let digest = String(repeating: "a", count: 64)
        contents.blobs = [BackupContents.Blob(path: path, byteCount: 5, modified: -7, digest: digest)]
        #expect(try BackupContents(parsing: contents.text) == contents)
        let manifest = BackupManifest(
            journal: journal,
            description: [1, 2, 3],
            verifier: "v",
            checkpoint: "a\nb\n\nc\n",
            keyBytes: 96,
            contents: digest
        )
        #expect(try BackupManifest(parsing: manifest.text) == manifest)
        var taken = 0
        for _ in 0..<20_000 {
            let segment = header + random.bytes(Int.random(in: 0..<400, using: &random))
            try? BackupSegment.read(segment.raw, journal: journal, first: 1, last: .max) { _ in taken += 1 }
            for text in [manifest.text, contents.text] {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    if Bool.random(using: &random) {
                        bytes[index] = UInt8.random(in: 9..<127, using: &random)
                    } else {
                        bytes.remove(at: index)
                    }
                }
                let changed = String(decoding: bytes, as: UTF8.self)
                // Any text that is accepted is written exactly as it was read.
                if let read = try? BackupManifest(parsing: changed) { #expect(read.text == changed) }
                if let read = try? BackupContents(parsing: changed) { #expect(read.text == changed) }
            }
        }
        #expect(taken == 0)
        let strange = ["", "blob ../../x 1 1 \(digest)\n", "segment 1-2 3\n", "blob \(journal)/../x 1 1 \(digest)\n"]
        for text in strange.dropFirst() { #expect(throws: EventLogError.self) { try BackupContents(parsing: text) } }
        #expect(try BackupContents(parsing: "") == BackupContents())
    }
}
