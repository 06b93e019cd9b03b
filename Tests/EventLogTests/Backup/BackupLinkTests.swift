import Foundation
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Links and files planted where a backup, a restore or a journal writes")
struct BackupLinkTests {
    private func fixture() async throws -> BackupFixture {
        let fixture = try BackupFixture()
        for _ in 0..<4 { try await fixture.journal.log.append([TestJournal.event()]) }
        return fixture
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test("The journal's own key file is not modified if the backup's key file is a link to it")
    func ownKeys() async throws {
        for isHard in [false, true] {
            let fixture = try await fixture()
            let keys = fixture.journal.folder.keyFile
            // The header then differs from that of an earlier copy, and a backup would overwrite such a copy with
            // zeros.
            try fixture.journal.log.keys.destroy([TestJournal.id(1)])
            let before = try FileBytes.read(keys)
            try FileManager.default.createDirectory(atPath: fixture.backup, withIntermediateDirectories: false)
            if isHard {
                #expect(FileNode.name(keys, also: fixture.backup + "/keys"))
            } else {
                try link(fixture.backup + "/keys", to: keys)
            }
            #expect(await refusal { try fixture.backUp() } != nil)
            #expect(try FileBytes.read(keys) == before)
            #expect(!FileManager.default.fileExists(atPath: fixture.backup + "/manifest"))
        }
    }

    @Test("Another file under one of the backup's names is neither overwritten nor written through a link")
    func strangersFile() async throws {
        for name in ["keys", "lock", "segments", "blobs"] {
            let fixture = try await fixture()
            let outside = try fixture.folder.folder("outside")
            try FileBytes.write(Array("precious".utf8), to: outside + "/file")
            try FileManager.default.createDirectory(atPath: fixture.backup, withIntermediateDirectories: false)
            let isFolder = ["segments", "blobs"].contains(name)
            try link(fixture.backup + "/" + name, to: isFolder ? outside : outside + "/file")
            #expect(await refusal { try fixture.backUp() } != nil, "\(name)")
            #expect(try FileBytes.read(outside + "/file") == Array("precious".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["file"], "\(name)")
        }
        // A file of the user that happens to have the name.
        let fixture = try await fixture()
        try FileManager.default.createDirectory(atPath: fixture.backup, withIntermediateDirectories: false)
        try FileBytes.write(Array("my own keys".utf8), to: fixture.backup + "/keys")
        #expect(await refusal { try fixture.backUp() }?.code == .locationUnusable)
        #expect(try FileBytes.read(fixture.backup + "/keys") == Array("my own keys".utf8))
    }

    @Test("Sealed keys are never accessible to others, whatever the modes were before")
    func modes() async throws {
        let fixture = try await fixture()
        try FileManager.default.createDirectory(atPath: fixture.backup, withIntermediateDirectories: false)
        for name in ["keys.part", "lock"] {
            try FileBytes.write([], to: fixture.backup + "/" + name)
            #expect(FileNode.setMode(fixture.backup + "/" + name, 0o666))
        }
        try fixture.backUp()
        let keys = fixture.backup + "/keys"
        #expect(FileStatus(of: keys)?.permissions == 0o600)
        #expect(FileNode.setMode(keys, 0o644))
        #expect(FileNode.setMode(fixture.backup + "/segments", 0o755))
        #expect(FileNode.setMode(fixture.backup, 0o755))
        try await fixture.journal.log.append([TestJournal.event()])
        try fixture.backUp()
        #expect(FileStatus(of: keys)?.permissions == 0o600)
        #expect(FileStatus(of: fixture.backup + "/segments")?.permissions == 0o700)
        #expect(FileStatus(of: fixture.backup)?.permissions == 0o700)
    }

    @Test("A target of another user is refused unless it is trusted, and links in it are never followed")
    func foreignTarget() async throws {
        guard FileNode.isRoot else { return print("skipped: only root can make a folder of another user") }
        let fixture = try await fixture()
        try FileManager.default.createDirectory(atPath: fixture.backup, withIntermediateDirectories: false)
        #expect(FileNode.give(fixture.backup, to: 1_234, group: 1_234))
        let error = await refusal { try fixture.backUp() }
        #expect(error?.code == .locationUnusable)
        #expect(error?.message.contains("--trust-target") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.backup).isEmpty)
        let outside = try fixture.folder.folder("outside")
        try link(fixture.backup + "/segments", to: outside)
        #expect(await refusal { _ = try fixture.journal.log.backUp(to: fixture.backup, trustsTarget: true) } != nil)
        try FileManager.default.removeItem(atPath: fixture.backup + "/segments")
        _ = try fixture.journal.log.backUp(to: fixture.backup, trustsTarget: true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        #expect(FileStatus(of: fixture.backup + "/keys")?.owner == 1_234)
        #expect(try await fixture.restore().report.head == 4)
    }

    @Test("A link in the place where a restore works is refused, and its target is not emptied")
    func restoreSite() async throws {
        let fixture = try await fixture()
        try fixture.backUp()
        let victim = try await fixture.restore().folder
        let keys = try FileBytes.read(victim.keyFile)
        try link(fixture.folder.path + "/target.restoring", to: victim.path)
        let error = await refusal { _ = try await fixture.restore(to: fixture.folder.path + "/target") }
        #expect(error?.code == .locationUnusable)
        #expect(try FileBytes.read(victim.keyFile) == keys)
        // The same for a link one level deeper.
        let site = fixture.folder.path + "/deep.restoring"
        try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: false)
        for name in ["views", "keys"] {
            try link(site + "/" + name, to: victim.path + "/" + name)
            #expect(
                (await refusal { _ = try await fixture.restore(to: fixture.folder.path + "/deep") } == nil)
                    == (name == "keys")
            )
            try? FileManager.default.removeItem(atPath: site + "/" + name)
        }
        #expect(try FileBytes.read(victim.keyFile) == keys)
    }

    @Test("An empty folder prepared for another user belongs to that user after root has restored into it")
    func preparedTarget() async throws {
        guard FileNode.isRoot else { return print("skipped: only root can make a folder of another user") }
        let fixture = try await fixture()
        try fixture.backUp()
        let target = try fixture.folder.folder("prepared")
        #expect(FileNode.give(target, to: 1_234, group: 1_235))
        let folder = try await fixture.restore(to: target).folder
        for name in ["", "/log", "/log/data.mdb", "/keys/subjects", "/checkpoint", "/restored"] {
            let status = FileStatus(of: folder.path + name)
            #expect(status?.owner == 1_234, "\(name)")
            #expect(status?.group == 1_235, "\(name)")
        }
    }

    @Test("An attachment is not written through a link, and erasing its subject removes only the link")
    func attachments() async throws {
        let fixture = try await fixture()
        let journal = fixture.journal
        let outside = try fixture.folder.folder("outside")
        try FileBytes.write([1], to: outside + "/file")
        let subject = UUID()
        try link(journal.folder.blobs(of: subject), to: outside)
        #expect(await refusal { _ = try journal.log.blobs.put([1, 2, 3], subject: subject) } != nil)
        try journal.log.blobs.remove(of: subject)
        #expect(FileStatus(of: journal.folder.blobs(of: subject)) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["file"])
        _ = try journal.log.blobs.put([1, 2, 3], subject: subject)
    }

    @Test(
        "A journal is not created through links in its folder",
        arguments: ["log", "keys", "blobs", "log/data.mdb"]
    )
    func create(name: String) throws {
        let outer = try TemporaryFolder()
        let outside = try outer.folder("outside")
        let path = try outer.folder("journal")
        if name.contains("/") { _ = try outer.folder("journal/log") }
        try link(path + "/" + name, to: name.contains("/") ? outside + "/new" : outside)
        var options = EventLog.Options()
        options.mapSize = 1 << 30
        #expect(throws: EventLogError.self) {
            try EventLog.create(
                in: JournalFolder(path),
                masterKey: MasterKey(),
                id: UUID(),
                zone: "UTC",
                options: options
            )
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    }
}
