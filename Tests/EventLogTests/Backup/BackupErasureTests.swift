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
        #expect(report.keysErased == 1)
        #expect(report.events == 1)
        #expect(try slot(in: keys) == KeyFile.erasedSlot(subject: subject))
        #expect(DurableFile.identity(of: keys) == inode)
        for (name, bytes) in try fixture.files() {
            #expect(Data(bytes).range(of: Data(before[24..<84])) == nil, "\(name)")
        }
        #expect(try blobs(in: fixture.backup).isEmpty)

        let (folder, restored) = try await fixture.restore()
        #expect(restored.erased == [subject])
        #expect(restored.erasedUnrecorded.isEmpty)
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
        #expect(report.erased == [subject])
        #expect(report.erasedUnrecorded == [subject])
        #expect(try slot(in: folder.keyFile) == KeyFile.erasedSlot(subject: subject))
        #expect(try blobs(in: folder.path).isEmpty)
        let bytes = try FileBytes.read(folder.keyFile)
        #expect(Data(bytes).range(of: Data(sealed[24..<84])) == nil)
        let log = try fixture.open(folder)
        #expect(await refusal { _ = try log.open(log.event(at: 1)) }?.code == .subjectErased)
        #expect(try log.verify().isSound)
        log.close()
    }

    @Test(
        "An entry that was erased after a backup is not restored from it, and the others are",
        arguments: [false, true]
    )
    func erasedEntry(isByReceipt: Bool) async throws {
        let fixture = try BackupFixture()
        let (gone, stays) = (TestJournal.id(1), TestJournal.id(2))
        let id = fixture.journal.log.description.id
        try await fixture.journal.log.append([gone, stays].map { TestJournal.entryEvent($0, of: subject) })
        try fixture.backUp()
        let result = try await fixture.journal.log.erase(
            entry: gone,
            of: subject,
            events: [TestJournal.erasure(of: gone, in: subject)]
        )
        try await fixture.journal.log.append([TestJournal.entryEvent(TestJournal.id(3), of: subject)])
        let erased: Set<UUID>
        if isByReceipt {
            let text = try fixture.journal.log.receipt(
                ofErasing: subject,
                entry: gone,
                at: result.last,
                on: "2026-11-26T10:00:00Z",
                backups: []
            )
            let receipt = try ErasureReceipt(
                parsing: Array(text.utf8),
                verifiedBy: [fixture.journal.log.keys.signer(of: id).verifier]
            )
            #expect(receipt.record == subject)
            #expect(receipt.entry == gone)
            erased = [receipt.erased]
        } else {
            fixture.journal.close()
            erased = try ErasedSubjects.known(to: fixture.journal.folder, of: id)
            try fixture.journal.open()
        }
        // Of the older backup, which has no slots for entries.
        let (folder, report) = try await fixture.restore { $0.erased = erased }
        #expect(report.entriesErasedUnrecorded == [ErasedEntry(record: subject, entry: gone, kind: 0)])
        #expect(report.erased.isEmpty)
        let restored = try fixture.open(folder)
        #expect(await refusal { _ = try restored.open(restored.event(at: 1)) }?.code == .subjectErased)
        #expect(try restored.open(restored.event(at: 2)) == Array("payload".utf8))
        #expect(try restored.verify().isSound)
        restored.close()
        // Of a backup that was made after the erasure.
        #expect(try fixture.backUp().keysErased == 1)
        let (later, second) = try await fixture.restore { $0.erased = erased }
        #expect(second.entriesErasedUnrecorded.isEmpty)
        let newer = try fixture.open(later)
        #expect(await refusal { _ = try newer.open(newer.event(at: 1)) }?.code == .subjectErased)
        for position in [2, 3, 4] as [UInt64] {
            #expect(try newer.open(newer.event(at: position)) == Array("payload".utf8))
        }
        newer.close()
    }

    @Test("A backup whose keys are newer than its events is restored without the entry that was erased in between")
    func keysAreNewer() async throws {
        let fixture = try BackupFixture()
        let (gone, stays, subject) = (TestJournal.id(1), TestJournal.id(2), subject)
        try await fixture.journal.log.append([gone, stays].map { TestJournal.entryEvent($0, of: subject) })
        let log = fixture.journal.log
        _ = try log.backUp(to: fixture.backup) { step throws(EventLogError) in
            guard case .segmentPlaced = step else { return }
            try log.separate(gone, of: subject)
            let done = DispatchSemaphore(value: 0)
            let slot = EntryKeys.slot(of: gone, in: subject)
            try log.enqueue([TestJournal.erasure(of: gone, in: subject)], erasing: [slot]) { _ in done.signal() }
            done.wait()
        }
        let (folder, report) = try await fixture.restore()
        #expect(report.head == 2)
        #expect(report.entriesErasedUnrecorded.map(\.entry) == [gone])
        let restored = try fixture.open(folder)
        #expect(await refusal { _ = try restored.open(restored.event(at: 1)) }?.code == .subjectErased)
        #expect(try restored.open(restored.event(at: 2)) == Array("payload".utf8))
        restored.close()
    }

    @Test("An entry that a receipt names is not taken again, even if the backup does not have it yet")
    func notYetThere() async throws {
        let fixture = try BackupFixture()
        let (gone, stays) = (TestJournal.id(1), TestJournal.id(2))
        try await fixture.journal.log.append([TestJournal.entryEvent(stays, of: subject)])
        try fixture.backUp()
        let (folder, _) = try await fixture.restore {
            $0.erasedEntries = [ErasedEntry(record: subject, entry: gone, kind: 0)]
        }
        let restored = try fixture.open(folder)
        #expect(try restored.open(restored.event(at: 1)) == Array("payload".utf8))
        await #expect { try await restored.append([TestJournal.entryEvent(gone, of: subject)]) } throws: {
            ($0 as? EventLogError)?.code == .subjectErased
        }
        try await restored.append([TestJournal.entryEvent(TestJournal.id(3), of: subject)])
        restored.close()
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
