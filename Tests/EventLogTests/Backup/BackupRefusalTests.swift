import Foundation
import LMDB
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Refused backups and restores")
struct BackupRefusalTests {
    private func fixture(_ count: Int = 20) async throws -> BackupFixture {
        var random = SeededGenerator()
        let fixture = try BackupFixture()
        try await fixture.journal.log.append(BackupFixture.events(count, &random))
        try fixture.backUp()
        return fixture
    }

    @Test("A truncated key file of the backup is reported as damaged, without a crash")
    func shortKeys() async throws {
        let fixture = try BackupFixture()
        for _ in 0..<3 { try await fixture.journal.log.append([TestJournal.event()]) }
        try fixture.backUp()
        try FileBytes.edit(fixture.backup + "/keys") { $0.removeLast(150) }
        #expect(await refusal { try fixture.backUp() }?.code == .damaged)
    }

    @Test("The working folder of a restore is not emptied if it contains other files")
    func foreignSite() async throws {
        let fixture = try BackupFixture()
        try await fixture.journal.log.append([TestJournal.event()])
        try fixture.backUp()
        let target = fixture.folder.path + "/again"
        let own = target + ".restoring/photos"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        #expect(await refusal { _ = try await fixture.restore(to: target) }?.code == .locationUnusable)
        #expect(FileManager.default.fileExists(atPath: own))
    }

    @Test("A backup folder inside the journal's folder is refused, whatever its path")
    func inside() async throws {
        let fixture = try BackupFixture()
        let path = fixture.journal.path
        try FileManager.default.createSymbolicLink(atPath: fixture.backup, withDestinationPath: path)
        for place in [path, path + "/backup", path + "/blobs/../x", fixture.backup, fixture.backup + "/deep"] {
            #expect(
                await refusal { _ = try fixture.journal.log.backUp(to: place) }?.code == .locationUnusable,
                "\(place)"
            )
        }
        #expect(!FileManager.default.fileExists(atPath: path + "/manifest"))
    }

    @Test("A folder that contains other files is left unchanged")
    func otherFiles() async throws {
        let fixture = try BackupFixture()
        _ = try fixture.folder.folder("backup")
        try FileBytes.write([1], to: fixture.backup + "/letter.txt")
        #expect(await refusal { try fixture.backUp() }?.code == .locationUnusable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.backup) == ["letter.txt"])
    }

    @Test("The backup of another journal is left unchanged")
    func otherJournal() async throws {
        let (fixture, other) = (try await fixture(), try BackupFixture())
        let before = try fixture.files()
        let error = await refusal { _ = try other.journal.log.backUp(to: fixture.backup) }
        #expect(error?.code == .differentHistory)
        #expect(try fixture.files() == before)
    }

    @Test("A journal that is older than its backup, or has another history, is refused")
    func differentHistory() async throws {
        var random = SeededGenerator()
        let fixture = try await fixture(5)
        let path = fixture.journal.folder.log + "/data.mdb"
        fixture.journal.close()
        let old = try FileBytes.read(path)
        try fixture.journal.open()
        try await fixture.journal.log.append(BackupFixture.events(5, &random))
        try fixture.backUp()
        // An older copy of the log, and no checkpoint of the newer one.
        try fixture.journal.reopen {
            try FileBytes.edit(path) { $0 = old }
            try FileManager.default.removeItem(atPath: fixture.journal.folder.checkpoint)
        }
        let behind = await refusal { try fixture.backUp() }
        #expect(behind?.code == .differentHistory)
        #expect(behind?.message.contains("only to 5") == true)
        try await fixture.journal.log.append(BackupFixture.events(9, &random))
        #expect(await refusal { try fixture.backUp() }?.code == .differentHistory)
        #expect(try await fixture.restore().report.head == 10)
    }

    @Test("While a backup folder is in use, other backups and restores of it are refused")
    func busy() async throws {
        let fixture = try await fixture()
        let lock = try #require(try FileLock(of: fixture.backup + "/lock", .alone))
        #expect(await refusal { try fixture.backUp() }?.code == .busy)
        #expect(await refusal { _ = try await fixture.restore() }?.code == .busy)
        withExtendedLifetime(lock) {}
    }

    @Test("A frame that was changed in the log is not backed up as undamaged")
    func damagedLog() async throws {
        var random = SeededGenerator()
        let fixture = try await fixture()
        let marker = random.bytes(64)
        let before = try fixture.files()
        try await fixture.journal.log.append([TestJournal.event(bytes: marker)])
        let frame = try fixture.journal.log.event(at: 21).bytes
        try fixture.journal.reopen {
            try FileBytes.edit(fixture.journal.folder.log + "/data.mdb") { bytes in
                let range = Data(bytes).range(of: Data(frame))
                if let range { bytes[range.upperBound - 1] ^= 1 }
            }
        }
        #expect(await refusal { try fixture.backUp() }?.code == .damaged)
        #expect(try fixture.files()["manifest"] == before["manifest"])
        #expect(try await fixture.restore().report.head == 20)
    }

    @Test("Without its master key a backup is not restored, and nothing is written")
    func masterKey() async throws {
        let fixture = try await fixture()
        let before = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path)
        #expect(await refusal { _ = try await fixture.restore(masterKey: MasterKey()) }?.code == .masterKeyWrong)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path) == before)
    }

    @Test("A target that is a file or not empty is left unchanged, and an empty folder is used")
    func target() async throws {
        let fixture = try await fixture()
        let target = try fixture.folder.folder("target")
        try FileBytes.write([1], to: target + "/letter")
        #expect(await refusal { _ = try await fixture.restore(to: target) }?.code == .locationUnusable)
        #expect(await refusal { _ = try await fixture.restore(to: target + "/letter") }?.code == .locationUnusable)
        #expect(await refusal { _ = try await fixture.restore(to: target + "/no/such") }?.code == .locationUnusable)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: target) == ["letter"])
        try FileManager.default.removeItem(atPath: target + "/letter")
        try fixture.expectSame(try await fixture.restore(to: target).folder, upTo: 20)
        #expect(!FileManager.default.fileExists(atPath: target + ".restoring"))
    }

    @Test("The signing key and the checkpoint that the caller supplies must match the backup")
    func trusted() async throws {
        let fixture = try await fixture()
        let log = fixture.journal.log
        let verifier = try #require(log.verifier)
        let early = try log.reading { try log.tables.frontier(ofSize: 7, $0).root }
        let origin = Checkpoint.origin(of: log.description.id)
        _ = try await fixture.restore { options in
            options.verifier = verifier
            options.checkpoint = Checkpoint(origin: origin, size: 7, root: early)
        }
        let stranger = try NoteSigner(name: origin, seed: [UInt8](repeating: 7, count: 32)).verifier
        #expect(await refusal { _ = try await fixture.restore { $0.verifier = stranger } }?.code == .differentHistory)
        for (size, root) in [(UInt64(7), MerkleHash.empty), (21, early)] {
            let error = await refusal {
                _ = try await fixture.restore { $0.checkpoint = Checkpoint(origin: origin, size: size, root: root) }
            }
            #expect(error?.code == .differentHistory)
        }
    }

    @Test("A backup that was signed again with another key is refused")
    func forged() async throws {
        let fixture = try await fixture()
        let held = try ExistingBackup(in: fixture.backup)
        let signer = try NoteSigner(name: held.verifier.name, seed: [UInt8](repeating: 9, count: 32))
        var manifest = held.manifest
        manifest.verifier = signer.verifier.text
        manifest.checkpoint = try SignedCheckpoint(held.checkpoint.checkpoint, signedBy: signer).text
        try FileBytes.write(Array(try signer.note(manifest.text).utf8), to: fixture.backup + "/manifest")
        #expect(await refusal { _ = try await fixture.restore() }?.message.contains("not signed by the key") == true)
        #expect(await refusal { try fixture.backUp() }?.code == .differentHistory)
    }
}
