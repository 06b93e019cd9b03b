import EventLog
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Rolled-back logs")
struct RollbackTests {
    private func fill(_ journal: TestJournal, _ count: Int) async throws {
        for number in 0..<count { try await journal.log.append([TestJournal.event(payload: "\(number)")]) }
    }

    private func refusal(_ body: () throws -> Void) -> EventLogError? {
        do {
            try body()
            return nil
        } catch {
            return error as? EventLogError
        }
    }

    /// Returns a journal of eight events whose log is replaced by its older copy with five events.
    ///
    /// Without `keeping` the checkpoint is replaced too.
    private func rolledBack(witness: String? = nil, keeping: Bool = true) async throws -> TestJournal {
        let journal = try TestJournal()
        journal.options.witness = witness
        try journal.reopen()
        try await fill(journal, 5)
        journal.close()
        let file = journal.folder.log + "/data.mdb"
        let older = try FileBytes.read(file)
        let checkpoint = try FileBytes.read(journal.folder.checkpoint)
        try journal.open()
        try await fill(journal, 3)
        journal.close()
        try FileBytes.write(older, to: file)
        if !keeping { try FileBytes.write(checkpoint, to: journal.folder.checkpoint) }
        return journal
    }

    @Test("An older copy of the log is refused with instructions, and a read-only log reports it and still works")
    func olderCopy() async throws {
        let journal = try await rolledBack()
        let error = refusal { try journal.open() }
        #expect(error?.code == .rolledBack)
        for word in ["5 events", "proves 8", "backup", "healthjournal accept-log --reason", journal.folder.checkpoint] {
            #expect(error?.message.contains(word) == true, "\(word)")
        }
        var options = journal.options
        options.isReadOnly = true
        for master in [journal.master, nil] {
            let reader = try EventLog(folder: journal.folder, masterKey: master, options: options)
            #expect(reader.rollback?.finding == .shorter)
            #expect(reader.rollback?.proven?.size == 8)
            #expect(reader.rollback?.found == 5)
            #expect(try reader.head() == 5)
            #expect(refusal { _ = try reader.checkpoint() }?.code == .rolledBack)
        }
        options.onRollback = .refuse
        #expect(
            refusal { _ = try EventLog(folder: journal.folder, masterKey: nil, options: options) }?.code == .rolledBack
        )
    }

    @Test("When a rollback is accepted, its event is appended first and the refused checkpoint is kept in a file")
    func accepted() async throws {
        let folder = try TemporaryFolder()
        let witness = folder.path + "/w.checkpoint"
        let journal = try await rolledBack(witness: witness)
        journal.options.onRollback = .report
        try journal.open()
        #expect(journal.log.rollback != nil)
        await #expect { try await journal.log.append([TestJournal.event()]) } throws: {
            ($0 as? EventLogError)?.code == .rolledBack
        }
        let refused = try FileBytes.read(journal.folder.checkpoint)
        let result = try await journal.log.acceptRollback(TestJournal.event(payload: "accepted"))
        #expect(result.first == 6)
        #expect(journal.log.rollback == nil)
        #expect(try journal.log.keptCheckpoint?.checkpoint.size == 6)
        for path in [journal.folder.checkpoint, witness] {
            #expect(try FileBytes.read(path + ".refused-8") == refused)
        }
        try await fill(journal, 1)
        await #expect { try await journal.log.acceptRollback(TestJournal.event()) } throws: {
            ($0 as? EventLogError)?.code == .versionConflict
        }
        journal.options.onRollback = nil
        try journal.reopen()
        #expect(try journal.payloads() == ["0", "1", "2", "3", "4", "accepted", "0"])
        #expect(try journal.log.verify().isSound)
    }

    @Test("A rollback that is reported but not accepted is refused again, and the checkpoint is kept")
    func notAccepted() async throws {
        let journal = try await rolledBack()
        let checkpoint = try FileBytes.read(journal.folder.checkpoint)
        journal.options.onRollback = .report
        try journal.open()
        journal.close()
        #expect(try FileBytes.read(journal.folder.checkpoint) == checkpoint)
        journal.options.onRollback = nil
        #expect(refusal { try journal.open() }?.code == .rolledBack)
    }

    @Test("A rollback of the whole journal folder is detected only by the witness file outside it")
    func wholeFolder() async throws {
        let folder = try TemporaryFolder()
        let witness = folder.path + "/w.checkpoint"
        let journal = try await rolledBack(witness: witness, keeping: false)
        let error = refusal { try journal.open() }
        #expect(error?.code == .rolledBack)
        #expect(error?.message.contains(witness) == true)
        journal.options.witness = nil
        try journal.open()
        #expect(try journal.log.head() == 5)
    }

    @Test("A log that continued differently from an older copy is refused even if it is as long or longer")
    func fork() async throws {
        let journal = try await rolledBack()
        let checkpoint = try FileBytes.read(journal.folder.checkpoint)
        for count in [3, 4] {
            journal.forgetCheckpoint()
            try journal.open()
            try await fill(journal, count)
            journal.close()
            try FileBytes.write(checkpoint, to: journal.folder.checkpoint)
            let error = refusal { try journal.open() }
            #expect(error?.code == .rolledBack)
            #expect(error?.message.contains("do not match the checkpoint") == true)
        }
    }

    @Test("The log or the checkpoint of another journal is refused")
    func otherJournal() async throws {
        let (journal, other) = try (TestJournal(), TestJournal())
        for each in [journal, other] {
            try await fill(each, 5)
            each.close()
        }
        let own = try FileBytes.read(journal.folder.log + "/data.mdb")
        try FileBytes.write(FileBytes.read(other.folder.log + "/data.mdb"), to: journal.folder.log + "/data.mdb")
        #expect(refusal { try journal.open() } != nil)
        try FileBytes.write(own, to: journal.folder.log + "/data.mdb")
        try FileBytes.write(FileBytes.read(other.folder.checkpoint), to: journal.folder.checkpoint)
        let error = refusal { try journal.open() }
        #expect(error?.code == .rolledBack)
        #expect(error?.message.contains("not signed by the key") == true)
    }

    @Test("A log of any length below that of its checkpoint is refused")
    func truncated() async throws {
        let journal = try TestJournal()
        var copies: [[UInt8]] = []
        for _ in 0..<6 {
            try await fill(journal, 1)
            journal.close()
            copies.append(try FileBytes.read(journal.folder.log + "/data.mdb"))
            try journal.open()
        }
        journal.close()
        for (index, copy) in copies.enumerated() {
            try FileBytes.write(copy, to: journal.folder.log + "/data.mdb")
            let error = refusal {
                try journal.open()
                journal.close()
            }
            #expect((error?.code == .rolledBack) == (index < 5), "\(index + 1) of 6 events")
        }
    }

    @Test("A checkpoint that is damaged, forged or signed by another key is an error that names the remedy")
    func unusable() async throws {
        let journal = try TestJournal()
        try await fill(journal, 5)
        let id = journal.log.description.id
        journal.close()
        let whole = try FileBytes.read(journal.folder.checkpoint)
        let forger = try NoteSigner(name: Checkpoint.origin(of: id), seed: Array(0..<32))
        let forged = try SignedCheckpoint(
            Checkpoint(origin: forger.verifier.name, size: 2, root: .empty),
            signedBy: forger
        )
        var changed = whole
        changed[50] ^= 1
        for bytes in [[], Array(whole.dropLast()), changed, [0xFF], Array(forged.text.utf8), whole + whole] {
            try FileBytes.write(bytes, to: journal.folder.checkpoint)
            let error = refusal { try journal.open() }
            #expect(error?.code == .rolledBack)
            #expect(error?.message.contains("cannot be compared with the log") == true)
            #expect(error?.message.contains("accept-log") == true)
        }
        // Replacing the public key with the forger's does not help: a writer uses the sealed key of the journal.
        try FileBytes.write(Array(forged.text.utf8), to: journal.folder.checkpoint)
        try FileBytes.write(Array(forger.verifier.text.utf8), to: journal.folder.verifierKey)
        #expect(refusal { try journal.open() }?.code == .rolledBack)
        try FileBytes.write(whole, to: journal.folder.checkpoint)
        try journal.open()
        #expect(journal.log.verifier != forger.verifier)
        #expect(try FileBytes.read(journal.folder.verifierKey) != Array(forger.verifier.text.utf8))
    }

    @Test("If the signing key is missing, its checkpoint is not trusted, and accepting the log creates a new key")
    func goneKey() async throws {
        let journal = try TestJournal()
        try await fill(journal, 5)
        journal.close()
        let key = try FileBytes.read(journal.folder.verifierKey)
        let subjects = journal.folder.keys + "/subjects"
        try FileBytes.edit(subjects) { $0.removeSubrange(96..<192) }
        #expect(refusal { try journal.open() }?.code == .rolledBack)
        journal.options.onRollback = .report
        try journal.open()
        try await journal.log.acceptRollback(TestJournal.event(payload: "new key"))
        journal.close()
        #expect(try FileBytes.read(journal.folder.verifierKey) != key)
        journal.options.onRollback = nil
        try journal.open()
        #expect(try journal.payloads().count == 6)
    }

    /// A way in which a key file becomes unreadable, and a part of the message.
    struct LostKeys: CustomTestStringConvertible {
        let testDescription: String
        let message: String
        let damage: @Sendable (_ path: String) throws -> Void
    }

    private static let lostKeys = [
        LostKeys(testDescription: "missing", message: "there is no key file at") {
            try FileManager.default.removeItem(atPath: $0)
        },
        LostKeys(testDescription: "empty", message: "is empty") { try FileBytes.write([], to: $0) },
        LostKeys(testDescription: "zeros", message: "is not a key file") { path in
            try FileBytes.edit(path) { $0 = [UInt8](repeating: 0, count: $0.count) }
        },
        LostKeys(testDescription: "a folder", message: "the key file cannot be read") {
            try FileManager.default.removeItem(atPath: $0)
            try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
        },
        LostKeys(testDescription: "a link", message: "the key file cannot be read") {
            try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".moved")
            try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0 + ".moved")
        },
        LostKeys(testDescription: "another journal's", message: "is the key file of another journal") { path in
            try FileBytes.edit(path) { $0[8] ^= 1 }
        },
        LostKeys(testDescription: "cut off", message: "lacks the key of the log's first event") { path in
            try FileBytes.edit(path) { $0.removeSubrange(96...) }
        },
        LostKeys(testDescription: "overwritten", message: "lacks the key of the log's first event") { path in
            try FileBytes.edit(path) { bytes in for index in 96..<bytes.count { bytes[index] = UInt8(index % 251) } }
        },
        LostKeys(testDescription: "without its signing key", message: "lacks the key that signs") { path in
            try FileBytes.edit(path) { bytes in for index in 130..<150 { bytes[index] ^= 0x55 } }
        },
    ]

    @Test("A key file that cannot be read is named, and accepting the log is not the remedy", arguments: lostKeys)
    func unreadableKeys(_ lost: LostKeys) async throws {
        let journal = try TestJournal()
        try await fill(journal, 5)
        journal.close()
        let path = journal.folder.keys + "/subjects"
        let whole = try FileBytes.read(path)
        try lost.damage(path)
        let error = try #require(refusal { try journal.open() })
        #expect([.damaged, .rolledBack, .storage].contains(error.code))
        #expect(error.message.contains(lost.message), "\(error.message)")
        #expect(error.message.contains(path))
        #expect(error.message.contains("healthjournal restore"))
        #expect(!error.message.contains("accept-log"))
        // With the right file in its place, everything is as it was.
        try? FileManager.default.removeItem(atPath: path)
        try FileBytes.write(whole, to: path)
        try journal.open()
        #expect(try journal.payloads().count == 5 && journal.log.verify().isSound)
    }

    @Test("A log that another process extends while the checkpoint is read is never reported as rolled back")
    func beside() async throws {
        let journal = try TestJournal()
        try await fill(journal, 1)
        journal.close()
        let child = try journal.writer(count: 600, streams: 3, tag: 5)
        #expect(child.readLine() == "ready")
        try child.say("go")
        for _ in 0..<20 {
            try journal.open()
            try await fill(journal, 1)
            journal.close()
        }
        #expect(child.readLines().count == 600)
        try journal.open()
        #expect(try journal.log.head() == 621)
    }
}
