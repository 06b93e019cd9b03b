import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("What a backup and a restore refuse")
struct BackupRefusalTests {
    private func ground(_ count: Int = 20) async throws -> BackupGround {
        var random = SeededGenerator()
        let ground = try BackupGround()
        try await ground.journal.log.append(BackupGround.events(count, &random))
        try ground.backUp()
        return ground
    }

    @Test("A key file of the backup that ends too early is told, and is no crash")
    func shortKeys() async throws {
        let ground = try BackupGround()
        for _ in 0..<3 { try await ground.journal.log.append([TestJournal.event()]) }
        try ground.backUp()
        try FileBytes.edit(ground.backup + "/keys") { $0.removeLast(150) }
        #expect(await refusal { try ground.backUp() }?.code == .damaged)
    }

    @Test("A folder in which a restore would work is not emptied if it is somebody's own")
    func foreignSite() async throws {
        let ground = try BackupGround()
        try await ground.journal.log.append([TestJournal.event()])
        try ground.backUp()
        let target = ground.folder.path + "/again"
        let own = target + ".restoring/photos"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        #expect(await refusal { _ = try await ground.restore(to: target) }?.code == .placeTaken)
        #expect(FileManager.default.fileExists(atPath: own))
    }

    @Test("A folder inside the journal's own, by whatever path, is refused")
    func inside() async throws {
        let ground = try BackupGround()
        let path = ground.journal.path
        try FileManager.default.createSymbolicLink(atPath: ground.backup, withDestinationPath: path)
        for place in [path, path + "/backup", path + "/blobs/../x", ground.backup, ground.backup + "/deep"] {
            #expect(await refusal { _ = try ground.journal.log.backUp(to: place) }?.code == .placeTaken, "\(place)")
        }
        #expect(!FileManager.default.fileExists(atPath: path + "/manifest"))
    }

    @Test("A folder with other files is left alone")
    func otherFiles() async throws {
        let ground = try BackupGround()
        _ = try ground.folder.folder("backup")
        try FileBytes.write([1], to: ground.backup + "/letter.txt")
        #expect(await refusal { try ground.backUp() }?.code == .placeTaken)
        #expect(try FileManager.default.contentsOfDirectory(atPath: ground.backup) == ["letter.txt"])
    }

    @Test("The backup of another journal is left as it is")
    func otherJournal() async throws {
        let (ground, other) = (try await ground(), try BackupGround())
        let before = try ground.files()
        let error = await refusal { _ = try other.journal.log.backUp(to: ground.backup) }
        #expect(error?.code == .otherPast)
        #expect(try ground.files() == before)
    }

    @Test("A journal that is behind its backup, or has another past, is refused")
    func otherPast() async throws {
        var random = SeededGenerator()
        let ground = try await ground(5)
        let path = ground.journal.folder.log + "/data.mdb"
        ground.journal.close()
        let old = try FileBytes.read(path)
        try ground.journal.open()
        try await ground.journal.log.append(BackupGround.events(5, &random))
        try ground.backUp()
        // An older copy of the log, and nothing that tells of a newer one.
        try ground.journal.reopen {
            try FileBytes.edit(path) { $0 = old }
            try FileManager.default.removeItem(atPath: ground.journal.folder.checkpoint)
        }
        let behind = await refusal { try ground.backUp() }
        #expect(behind?.code == .otherPast && behind?.message.contains("only to 5") == true)
        try await ground.journal.log.append(BackupGround.events(9, &random))
        #expect(await refusal { try ground.backUp() }?.code == .otherPast)
        #expect(try await ground.restore().report.head == 10)
    }

    @Test("Two backups into one folder keep apart")
    func busy() async throws {
        let ground = try await ground()
        let lock = try #require(try FileLock(of: ground.backup + "/lock", .alone))
        #expect(await refusal { try ground.backUp() }?.code == .busy)
        #expect(await refusal { _ = try await ground.restore() }?.code == .busy)
        withExtendedLifetime(lock) {}
    }

    @Test("A frame that was changed in the log is not backed up as if it were well")
    func damagedLog() async throws {
        var random = SeededGenerator()
        let ground = try await ground()
        let marker = random.bytes(64)
        let before = try ground.files()
        try await ground.journal.log.append([TestJournal.event(bytes: marker)])
        let frame = try ground.journal.log.event(at: 21).bytes
        try ground.journal.reopen {
            try FileBytes.edit(ground.journal.folder.log + "/data.mdb") { bytes in
                let range = Data(bytes).range(of: Data(frame))
                if let range { bytes[range.upperBound - 1] ^= 1 }
            }
        }
        #expect(await refusal { try ground.backUp() }?.code == .damaged)
        #expect(try ground.files()["manifest"] == before["manifest"])
        #expect(try await ground.restore().report.head == 20)
    }

    @Test("Without its master key nothing is restored, and nothing written")
    func masterKey() async throws {
        let ground = try await ground()
        let before = try FileManager.default.subpathsOfDirectory(atPath: ground.folder.path)
        #expect(await refusal { _ = try await ground.restore(masterKey: MasterKey()) }?.code == .masterKeyWrong)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: ground.folder.path) == before)
    }

    @Test("A target that is not empty, or is a file, is left alone; an empty folder is used")
    func target() async throws {
        let ground = try await ground()
        let target = try ground.folder.folder("target")
        try FileBytes.write([1], to: target + "/letter")
        #expect(await refusal { _ = try await ground.restore(to: target) }?.code == .placeTaken)
        #expect(await refusal { _ = try await ground.restore(to: target + "/letter") }?.code == .placeTaken)
        #expect(await refusal { _ = try await ground.restore(to: target + "/no/such") }?.code == .placeTaken)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: target) == ["letter"])
        try FileManager.default.removeItem(atPath: target + "/letter")
        try ground.expectSame(try await ground.restore(to: target).folder, upTo: 20)
        #expect(!FileManager.default.fileExists(atPath: target + ".restoring"))
    }

    @Test("A key or a checkpoint that is known from elsewhere must fit")
    func trusted() async throws {
        let ground = try await ground()
        let log = ground.journal.log
        let verifier = try #require(log.verifier)
        let early = try log.reading { try log.tables.frontier(ofSize: 7, $0).root }
        let origin = Checkpoint.origin(of: log.description.id)
        _ = try await ground.restore { options in
            options.verifier = verifier
            options.checkpoint = Checkpoint(origin: origin, size: 7, root: early)
        }
        let stranger = try NoteSigner(name: origin, seed: [UInt8](repeating: 7, count: 32)).verifier
        #expect(await refusal { _ = try await ground.restore { $0.verifier = stranger } }?.code == .otherPast)
        for (size, root) in [(UInt64(7), MerkleHash.empty), (21, early)] {
            let error = await refusal {
                _ = try await ground.restore { $0.checkpoint = Checkpoint(origin: origin, size: size, root: root) }
            }
            #expect(error?.code == .otherPast)
        }
    }

    @Test("A backup that somebody signed anew with another key is not believed")
    func forged() async throws {
        let ground = try await ground()
        let held = try HeldBackup(in: ground.backup)
        let signer = try NoteSigner(name: held.verifier.name, seed: [UInt8](repeating: 9, count: 32))
        var manifest = held.manifest
        manifest.verifier = signer.verifier.text
        manifest.checkpoint = try SignedCheckpoint(held.checkpoint.checkpoint, signedBy: signer).text
        try FileBytes.write(Array(try signer.note(manifest.text).utf8), to: ground.backup + "/manifest")
        #expect(await refusal { _ = try await ground.restore() }?.message.contains("not signed by the key") == true)
        #expect(await refusal { try ground.backUp() }?.code == .otherPast)
    }
}
