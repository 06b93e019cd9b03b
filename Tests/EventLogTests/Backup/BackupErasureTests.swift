import Foundation
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Erasure and backups")
struct BackupErasureTests {
    private let subject = TestJournal.id(77)

    private func fixture() async throws -> BackupFixture {
        let fixture = try BackupFixture()
        try await fixture.journal.log.append([TestJournal.event(subject, payload: "soon gone"), TestJournal.event()])
        _ = try fixture.journal.log.blobs.put([1, 2, 3], subject: subject)
        try fixture.backUp()
        return fixture
    }

    private func erase(_ fixture: BackupFixture) async throws {
        var event = TestJournal.event(subject, subject: fixture.journal.log.description.id, payload: "erased")
        event.header.type = EventLog.erasedType
        event.header.entry = subject
        _ = try await fixture.journal.log.erase(subject, events: [event])
    }

    /// Returns the slot with the subject's sealed key in a key file, or nil.
    private func slot(in path: String) throws -> [UInt8]? {
        let bytes = try FileBytes.read(path)
        guard let range = Data(bytes).range(of: Data([UInt8](subject))) else { return nil }
        return Array(bytes[(range.lowerBound - 8)...].prefix(KeyFile.slotLength))
    }

    private func blobs(in path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path + "/blobs").filter { $0.contains("/") }
    }

    @Test("The next backup after an erasure overwrites its copy of the key in place and deletes the attachments")
    func next() async throws {
        let fixture = try await fixture()
        let keys = fixture.backup + "/keys"
        let before = try #require(try slot(in: keys))
        let inode = DurableFile.identity(of: keys)
        #expect(try blobs(in: fixture.backup).count == 1)
        try await erase(fixture)
        let report = try fixture.backUp()
        #expect(report.keysErased == 1 && report.events == 1)
        #expect(try slot(in: keys) == KeyFile.erasedSlot(subject: subject))
        #expect(DurableFile.identity(of: keys) == inode)
        for (name, bytes) in try fixture.files() {
            #expect(Data(bytes).range(of: Data(before[24..<84])) == nil, "\(name)")
        }
        #expect(try blobs(in: fixture.backup).isEmpty)

        let (folder, restored) = try await fixture.restore()
        #expect(restored.erased == [subject] && restored.erasedUnrecorded.isEmpty)
        try fixture.expectSame(folder, upTo: 3)
        let log = try fixture.open(folder)
        #expect(await refusal { _ = try log.open(log.event(at: 1)) }?.code == .subjectErased)
        #expect(try log.open(log.event(at: 2)) == Array("payload".utf8))
        log.close()
    }

    @Test("An erased subject is not restored from an older backup if the erasure is known")
    func older() async throws {
        let fixture = try await fixture()
        try await erase(fixture)
        let id = fixture.journal.log.description.id
        fixture.journal.close()
        // The erasures are known from the log alone, and from the key file alone.
        let all = try ErasedSubjects.known(to: fixture.journal.folder, of: id)
        let keyFile = fixture.journal.folder.keyFile
        try FileManager.default.moveItem(atPath: keyFile, toPath: keyFile + ".gone")
        #expect(try ErasedSubjects.known(to: fixture.journal.folder, of: id) == all)
        try FileManager.default.moveItem(atPath: keyFile + ".gone", toPath: keyFile)
        try FileManager.default.removeItem(atPath: fixture.journal.folder.log)
        #expect(try ErasedSubjects.known(to: fixture.journal.folder, of: id) == all)
        #expect(all == [subject])
        #expect(
            await refusal { _ = try ErasedSubjects.known(to: fixture.journal.folder, of: UUID()) }?.code
                == .differentHistory
        )

        let sealed = try #require(try slot(in: fixture.backup + "/keys"))
        let (folder, report) = try await fixture.restore { $0.erased = all }
        #expect(report.erased == [subject] && report.erasedUnrecorded == [subject])
        #expect(try slot(in: folder.keyFile) == KeyFile.erasedSlot(subject: subject))
        #expect(try blobs(in: folder.path).isEmpty)
        let bytes = try FileBytes.read(folder.keyFile)
        #expect(Data(bytes).range(of: Data(sealed[24..<84])) == nil)
        let log = try fixture.open(folder)
        #expect(await refusal { _ = try log.open(log.event(at: 1)) }?.code == .subjectErased)
        #expect(try log.verify().isSound)
        log.close()
    }

    @Test("A damaged key of the journal does not overwrite the key in the backup")
    func damagedKey() async throws {
        let fixture = try await fixture()
        let before = try FileBytes.read(fixture.backup + "/keys")
        fixture.journal.close()
        try FileBytes.edit(fixture.journal.folder.keyFile) { bytes in
            let name = Data(bytes).range(of: Data([UInt8](subject)))
            if let name { bytes[name.upperBound + 20] ^= 1 }
        }
        try fixture.journal.open()
        #expect(await refusal { try fixture.backUp() }?.code == .damaged)
        #expect(try FileBytes.read(fixture.backup + "/keys") == before)
        #expect(try await fixture.restore().report.head == 2)
    }

    @Test("After a rotation of the master key the next backup reseals its keys and removes the old ones")
    func rotated() async throws {
        let fixture = try await fixture()
        let old = try FileBytes.read(fixture.backup + "/keys")
        let new = MasterKey()
        try fixture.journal.log.rotateMasterKey(to: new)
        #expect(try fixture.backUp().head == 2)
        #expect(await refusal { _ = try await fixture.restore() }?.code == .masterKeyWrong)
        let (folder, _) = try await fixture.restore(masterKey: new)
        #expect(FileManager.default.fileExists(atPath: folder.keyFile))
        for (name, bytes) in try fixture.files() {
            #expect(Data(bytes).range(of: Data(old[(96 + 24)..<(96 + 84)])) == nil, "\(name)")
        }
    }
}
