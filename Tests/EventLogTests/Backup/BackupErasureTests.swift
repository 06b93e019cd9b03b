import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("Erasure and backups")
struct BackupErasureTests {
    private let subject = TestJournal.id(77)

    private func ground() async throws -> BackupGround {
        let ground = try BackupGround()
        try await ground.journal.log.append([TestJournal.event(subject, payload: "soon gone"), TestJournal.event()])
        _ = try ground.journal.log.blobs.put([1, 2, 3], subject: subject)
        try ground.backUp()
        return ground
    }

    private func erase(_ ground: BackupGround) async throws {
        var event = TestJournal.event(subject, subject: ground.journal.log.description.id, payload: "erased")
        event.header.type = EventLog.erasedType
        event.header.entry = subject
        _ = try await ground.journal.log.erase(subject, events: [event])
    }

    /// The sealed key of the subject in a key file.
    private func slot(in path: String) throws -> [UInt8]? {
        let bytes = try FileBytes.read(path)
        guard let range = Data(bytes).range(of: Data([UInt8](subject))) else { return nil }
        return Array(bytes[(range.lowerBound - 8)...].prefix(KeyFile.slotLength))
    }

    private func blobs(in path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path + "/blobs").filter { $0.contains("/") }
    }

    @Test("The next backup after an erasure destroys the key and the attachments there too, where they lie")
    func next() async throws {
        let ground = try await ground()
        let keys = ground.backup + "/keys"
        let before = try #require(try slot(in: keys))
        let inode = DurableFile.identity(of: keys)
        #expect(try blobs(in: ground.backup).count == 1)
        try await erase(ground)
        let report = try ground.backUp()
        #expect(report.keysErased == 1 && report.events == 1)
        #expect(try slot(in: keys) == KeyFile.erasedSlot(subject: subject))
        #expect(DurableFile.identity(of: keys) == inode)
        for (name, bytes) in try ground.files() {
            #expect(Data(bytes).range(of: Data(before[24..<84])) == nil, "\(name)")
        }
        #expect(try blobs(in: ground.backup).isEmpty)

        let (folder, restored) = try await ground.restore()
        #expect(restored.erased == [subject] && restored.erasedUntold.isEmpty)
        try ground.expectSame(folder, upTo: 3)
        let log = try ground.open(folder)
        #expect(await refusal { _ = try log.open(log.event(at: 1)) }?.code == .subjectErased)
        #expect(try log.open(log.event(at: 2)) == Array("payload".utf8))
        log.close()
    }

    @Test("From a backup of before an erasure the subject does not come back, if the erasure is known")
    func older() async throws {
        let ground = try await ground()
        try await erase(ground)
        let id = ground.journal.log.description.id
        ground.journal.close()
        // What the key file alone tells, and what the log alone tells.
        let all = try ErasedSubjects.known(to: ground.journal.folder, of: id)
        let keyFile = ground.journal.folder.keyFile
        try FileManager.default.moveItem(atPath: keyFile, toPath: keyFile + ".gone")
        #expect(try ErasedSubjects.known(to: ground.journal.folder, of: id) == all)
        try FileManager.default.moveItem(atPath: keyFile + ".gone", toPath: keyFile)
        try FileManager.default.removeItem(atPath: ground.journal.folder.log)
        #expect(try ErasedSubjects.known(to: ground.journal.folder, of: id) == all)
        #expect(all == [subject])
        #expect(
            await refusal { _ = try ErasedSubjects.known(to: ground.journal.folder, of: UUID()) }?.code == .otherPast
        )

        let sealed = try #require(try slot(in: ground.backup + "/keys"))
        let (folder, report) = try await ground.restore { $0.erased = all }
        #expect(report.erased == [subject] && report.erasedUntold == [subject])
        #expect(try slot(in: folder.keyFile) == KeyFile.erasedSlot(subject: subject))
        #expect(try blobs(in: folder.path).isEmpty)
        let bytes = try FileBytes.read(folder.keyFile)
        #expect(Data(bytes).range(of: Data(sealed[24..<84])) == nil)
        let log = try ground.open(folder)
        #expect(await refusal { _ = try log.open(log.event(at: 1)) }?.code == .subjectErased)
        #expect(try log.verify().isSound)
        log.close()
    }

    @Test("A key that the journal shows otherwise than the backup is not carried over it")
    func damagedKey() async throws {
        let ground = try await ground()
        let before = try FileBytes.read(ground.backup + "/keys")
        ground.journal.close()
        try FileBytes.edit(ground.journal.folder.keyFile) { bytes in
            let name = Data(bytes).range(of: Data([UInt8](subject)))
            if let name { bytes[name.upperBound + 20] ^= 1 }
        }
        try ground.journal.open()
        #expect(await refusal { try ground.backUp() }?.code == .damaged)
        #expect(try FileBytes.read(ground.backup + "/keys") == before)
        #expect(try await ground.restore().report.head == 2)
    }

    @Test("Under a new master key the backup's keys are sealed anew, and the old ones gone")
    func rotated() async throws {
        let ground = try await ground()
        let old = try FileBytes.read(ground.backup + "/keys")
        let new = MasterKey()
        try ground.journal.log.rotateMasterKey(to: new)
        #expect(try ground.backUp().head == 2)
        #expect(await refusal { _ = try await ground.restore() }?.code == .masterKeyWrong)
        let (folder, _) = try await ground.restore(masterKey: new)
        #expect(FileManager.default.fileExists(atPath: folder.keyFile))
        for (name, bytes) in try ground.files() {
            #expect(Data(bytes).range(of: Data(old[(96 + 24)..<(96 + 84)])) == nil, "\(name)")
        }
    }
}
