import Crypto
import Foundation
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Keys")
struct KeyStoreTests {
    private func code(_ body: () throws -> Void) -> EventLogError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? EventLogError)?.code
        }
    }

    private func appendCode(_ journal: TestJournal, _ event: NewEvent) async -> EventLogError.Code? {
        do {
            try await journal.log.append([event])
            return nil
        } catch {
            return error.code
        }
    }

    private func keyFile(_ journal: TestJournal) -> String { journal.folder.keys + "/subjects" }

    /// Returns the offset of a slot in the key file; slot 0 holds the key that signs checkpoints.
    private func slot(_ number: Int) -> Int { 96 * (1 + number) }

    @Test("A new master key file that this journal does not need is kept, because it may be another journal's")
    func foreignNewKey() async throws {
        let journal = try TestJournal()
        try await journal.log.append([TestJournal.event()])
        let beside = journal.keyFile + ".new"
        try MasterKey().write(to: beside)
        let bytes = try FileBytes.read(beside)
        try MasterKeyFile.settle(journal.keyFile, for: journal.folder)
        #expect(try FileBytes.read(beside) == bytes)

        // A rotation of this journal's key moves the file aside, and its content is kept.
        _ = try MasterKeyFile.rotate(journal.keyFile, of: journal.log)
        let folder = URL(filePath: journal.keyFile).deletingLastPathComponent().path
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".unused-") }
        #expect(try kept.map { try FileBytes.read(folder + "/" + $0) } == [bytes])
        #expect(!FileManager.default.fileExists(atPath: beside))
    }

    @Test("A wrong master key is refused at open and changes nothing")
    func wrongMasterKey() async throws {
        let journal = try TestJournal()
        try await journal.log.append([TestJournal.event()])
        journal.close()
        let before = try FileBytes.read(keyFile(journal))
        #expect(
            code { _ = try EventLog(folder: journal.folder, masterKey: MasterKey(), options: journal.options) }
                == .masterKeyWrong
        )
        #expect(try FileBytes.read(keyFile(journal)) == before)
        try journal.open()
        #expect(try journal.payloads() == ["payload"])
    }

    @Test("Without the master key, headers and hashes can be read, and payloads can be neither read nor appended")
    func noMasterKey() async throws {
        let journal = try TestJournal()
        let event = TestJournal.event()
        try await journal.log.append([event])
        journal.close()
        let log = try EventLog(folder: journal.folder, masterKey: nil, options: journal.options)
        #expect(!log.keys.hasMasterKey)
        let stored = try log.event(at: 1)
        #expect(stored.header == event.header)
        #expect(code { _ = try log.open(stored) } == .masterKeyMissing)
        await #expect { try await log.append([TestJournal.event()]) } throws: {
            ($0 as? EventLogError)?.code == .masterKeyMissing
        }
        let found = try log.verify()
        #expect(found.isSound)
        #expect(found.sealsUnread == 1)
        #expect(found.sealsOpened == 0)
        log.close()
    }

    @Test("A master key file is written once; one that is missing, damaged or accessible to others is refused")
    func masterKeyFile() async throws {
        let journal = try TestJournal()
        #expect(DurableFile.permissions(of: journal.keyFile) == 0o600)
        #expect(code { try journal.master.write(to: journal.keyFile) } == .masterKeyMissing)
        try await journal.log.append([TestJournal.event()])
        journal.close()
        let log = try EventLog(
            folder: journal.folder,
            masterKey: MasterKey(file: journal.keyFile),
            options: journal.options
        )
        #expect(try log.open(log.event(at: 1)) == Array("payload".utf8))
        log.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: journal.keyFile)
        #expect(code { _ = try MasterKey(file: journal.keyFile) } == .masterKeyMissing)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: journal.keyFile)
        #expect(code { _ = try MasterKey(file: journal.keyFile + "-none") } == .masterKeyMissing)
        let whole = try FileBytes.read(journal.keyFile)
        for bytes in [[], Array(whole.dropLast(5)), Array(whole.dropFirst()), whole + whole, [0xFF, 0xFE]] {
            try FileBytes.edit(journal.keyFile) { $0 = bytes }
            #expect(code { _ = try MasterKey(file: journal.keyFile) } == .masterKeyWrong)
        }
    }

    @Test("Only the owner can access the files and folders of a journal")
    func modes() async throws {
        let journal = try TestJournal()
        try await journal.log.append([TestJournal.event()])
        _ = try journal.log.blobs.put([1, 2, 3], subject: UUID())
        journal.close()
        let names = try FileManager.default.subpathsOfDirectory(atPath: journal.path)
        #expect(names.count >= 8)
        for name in names + [""] {
            let path = journal.path + "/" + name
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            #expect(DurableFile.permissions(of: path) == (type == .typeDirectory ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test("A torn last slot is ignored and overwritten by the next key", arguments: [1, 40, 95])
    func tornSlot(length: Int) async throws {
        let journal = try TestJournal()
        let (first, second) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(first)])
        try journal.reopen {
            try FileBytes.edit(keyFile(journal)) { $0 += $0[slot(1)..<(slot(1) + length)] }
        }
        try await journal.log.append([TestJournal.event(second)])
        try journal.reopen()
        try await journal.log.append([TestJournal.event(second), TestJournal.event(first)])
        #expect(try journal.payloads().count == 4)
        #expect(try FileBytes.read(keyFile(journal)).count == slot(3))
        #expect(try journal.log.verify().sealsOpened == 4)
    }

    @Test("A slot that a power cut left torn or zeroed is ignored, and its subject gets a key")
    func unfinishedSlot() async throws {
        for zeros in [0..<96, 30..<96, 60..<96, 83..<84] {
            let journal = try TestJournal()
            let (first, second, third) = (UUID(), UUID(), UUID())
            try await journal.log.append([TestJournal.event(first)])
            let added = try KeyFile.slot(
                subject: second,
                key: SymmetricKey(size: .bits256),
                journal: journal.log.description.id,
                master: journal.master
            )
            try journal.reopen {
                try FileBytes.edit(keyFile(journal)) { bytes in
                    bytes += added
                    for index in zeros { bytes[slot(2) + index] = 0 }
                }
            }
            try await journal.log.append([
                TestJournal.event(second), TestJournal.event(third), TestJournal.event(first),
            ])
            try journal.reopen()
            #expect(try journal.log.verify().sealsOpened == 4)
        }
    }

    @Test("A complete slot that was not yet marked as live holds the subject's key")
    func unmarkedSlot() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        try await journal.log.append([TestJournal.event(subject)])
        try journal.reopen { try FileBytes.edit(keyFile(journal)) { $0[slot(1)] = 6 } }
        #expect(try journal.payloads() == ["payload"])
        try await journal.log.append([TestJournal.event(subject)])
        #expect(try FileBytes.read(keyFile(journal)).count == slot(2))
        #expect(try FileBytes.read(keyFile(journal))[slot(1)] == 1)
        #expect(try journal.log.verify().sealsOpened == 2)
    }

    @Test(
        "A damaged slot affects only its subject, no second key is made for it, and restoring the file repairs it"
    )
    func damagedSlot() async throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        let subjects = (0..<5).map { _ in UUID() }
        for subject in subjects { try await journal.log.append([TestJournal.event(subject)]) }
        journal.close()
        let whole = try FileBytes.read(keyFile(journal))
        #expect(whole.count == slot(6))
        for round in 0..<40 {
            // The state, the nonce, the key or the tag.
            let offset = round < 5 ? 0 : Int.random(in: 24..<84, using: &random)
            let mask: UInt8 =
                round < 5 ? [0xFF, 0x10, 0x80, 0x08, 0x40][round] : UInt8.random(in: 1...255, using: &random)
            try FileBytes.edit(keyFile(journal)) { $0[slot(3) + offset] ^= mask }
            try journal.open()
            for (index, subject) in subjects.enumerated() {
                let stored = try journal.log.event(at: UInt64(index + 1))
                if index == 2, offset > 0 {
                    #expect(code { _ = try journal.log.open(stored) } == .damaged)
                    #expect(await appendCode(journal, TestJournal.event(subject)) == .damaged)
                    #expect(try journal.log.verify().faults.map(\.position) == [3])
                } else {
                    #expect(try journal.log.open(stored) == Array("payload".utf8))
                }
            }
            try FileBytes.edit(keyFile(journal)) { $0 = whole }
            #expect(try journal.log.verify().isSound)
            journal.close()
        }
        try journal.open()
        for subject in subjects { #expect(await appendCode(journal, TestJournal.event(subject)) == nil) }
        #expect(try journal.log.verify().sealsOpened == 10)
    }

    @Test("No second key is made for a subject whose slot is overwritten or renamed while a journal is open")
    func slotChangedMeanwhile() async throws {
        let journal = try TestJournal()
        let (first, second) = (UUID(), UUID())
        for subject in [first, second] { try await journal.log.append([TestJournal.event(subject)]) }
        let whole = try FileBytes.read(keyFile(journal))
        // The journal is opened before the damage, or after it.
        for isEarly in [true, false] {
            for place in [slot(1)..<slot(2), (slot(1) + 8)..<(slot(1) + 9)] {
                journal.close()
                if isEarly { try journal.open() }
                try FileBytes.edit(keyFile(journal)) { bytes in for index in place { bytes[index] ^= 0xA0 } }
                if !isEarly { try journal.open() }
                #expect(try journal.log.open(journal.log.event(at: 2)) == Array("payload".utf8))
                if isEarly {
                    #expect(code { _ = try journal.log.open(journal.log.event(at: 1)) } == .damaged)
                    #expect(await appendCode(journal, TestJournal.event(first)) == .damaged)
                }
                try FileBytes.edit(keyFile(journal)) { $0 = whole }
                #expect(await appendCode(journal, TestJournal.event(first)) == nil)
                #expect(try FileBytes.read(keyFile(journal)) == whole)
                #expect(try journal.log.verify().isSound)
            }
        }
    }

    @Test("Of two slots of a subject the undamaged one is used, and an erased one disables both")
    func twoSlots() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        try await journal.log.append([TestJournal.event(subject)])
        journal.close()
        let whole = try FileBytes.read(keyFile(journal))
        let (start, own) = (Array(whole.prefix(slot(1))), Array(whole.suffix(96)))
        var broken = own
        broken[40] ^= 1
        for slots in [[own, broken], [broken, own], [own, own]] {
            try FileBytes.edit(keyFile(journal)) { $0 = start + slots.flatMap(\.self) }
            try journal.open()
            #expect(try Set(journal.payloads()) == ["payload"])
            #expect(await appendCode(journal, TestJournal.event(subject)) == nil)
            #expect(try journal.log.verify().isSound)
            journal.close()
        }
        let erased = KeyFile.erasedSlot(subject: subject)
        for slots in [[own, erased], [erased, own]] {
            try FileBytes.edit(keyFile(journal)) { $0 = start + slots.flatMap(\.self) }
            try journal.open()
            #expect(code { _ = try journal.log.open(journal.log.event(at: 1)) } == .subjectErased)
            #expect(await appendCode(journal, TestJournal.event(subject)) == .subjectErased)
            journal.close()
        }
        try FileBytes.edit(keyFile(journal)) { $0 = whole }
        try journal.open()
        #expect(try journal.payloads().count == 4)
    }

    @Test("A key file that is another journal's, damaged or missing is refused")
    func foreignFile() async throws {
        let journal = try TestJournal()
        let other = try TestJournal()
        journal.close()
        other.close()
        let own = try FileBytes.read(keyFile(journal))
        for bytes in [try FileBytes.read(keyFile(other)), [], Array(own.prefix(95)), [1] + own.dropFirst()] {
            try FileBytes.edit(keyFile(journal)) { $0 = bytes }
            #expect(code { try journal.open() } == .damaged)
        }
        try FileManager.default.removeItem(atPath: keyFile(journal))
        #expect(code { try journal.open() } == .storage)
    }

    @Test("Keys that another process adds are visible, and a subject has one key in all processes")
    func otherProcess() async throws {
        let journal = try TestJournal()
        try await journal.log.append([TestJournal.event()])
        let children = try (0..<2).map { _ in try journal.writer(count: 40, streams: 20, tag: 4) }
        for child in children { #expect(child.readLine() == "ready") }
        for child in children { try child.say("go") }
        for child in children { #expect(child.readLines().count == 40) }
        #expect(try journal.payloads().count == 81)
        #expect(try FileBytes.read(keyFile(journal)).count == slot(1 + 1 + 20))
        #expect(try journal.log.verify().sealsOpened == 81)
    }

    @Test("Payloads of an erased subject can be neither read nor appended; other subjects are unaffected")
    func erased() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(gone), TestJournal.event(stays)])
        try journal.reopen {
            try FileBytes.edit(keyFile(journal)) { bytes in
                let start = [slot(1), slot(2)].first { Array(bytes[($0 + 8)..<($0 + 24)]) == [UInt8](gone) } ?? 0
                bytes[start] = 2
                for index in (start + 24)..<(start + 96) { bytes[index] = 0 }
            }
        }
        #expect(code { _ = try journal.log.open(journal.log.event(at: 1)) } == .subjectErased)
        #expect(await appendCode(journal, TestJournal.event(gone)) == .subjectErased)
        #expect(await appendCode(journal, TestJournal.event(stays)) == nil)
        let found = try journal.log.verify()
        #expect(found.isSound)
        #expect(found.sealsErased == 1)
        #expect(found.sealsOpened == 2)
    }

    @Test("A value has the same opaque id under the same key, and a different one under another key")
    func opaqueIDs() throws {
        let journal = try TestJournal()
        let subject = UUID()
        let id = try journal.log.opaqueID(of: "anna@example.org", subject: subject)
        try journal.reopen()
        #expect(try journal.log.opaqueID(of: "anna@example.org", subject: subject) == id)
        #expect(try journal.log.opaqueID(of: "Anna@example.org", subject: subject) != id)
        #expect(try journal.log.opaqueID(of: "anna@example.org", subject: UUID()) != id)
        #expect(!id.isNameBased)
    }

    @Test("A key is found whose slot was unfinished when it was read and has replaced the root since")
    func unfinishedSlotReplacesRoot() throws {
        let folder = try TemporaryFolder()
        let (journal, master, record, entry) = (UUID(), MasterKey(), UUID(), UUID())
        let path = folder.path + "/subjects"
        try DurableFile.replace(path, with: KeyFile.header(journal: journal, master: master))
        let file = try OpenKeyFile(path: path, journal: journal, master: master, isReadOnly: false)
        func write(_ key: SymmetricKey, for subject: UUID, _ state: UInt8, at number: Int) throws {
            var bytes = try KeyFile.slot(subject: subject, key: key, journal: journal, master: master)
            bytes[0] = state
            try file.file.write(bytes, at: KeyFile.offset(of: number))
        }
        let (recordKey, rootKey) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let (root, slot) = (EntryKeys.root(0, of: record), EntryKeys.slot(of: entry, in: record))
        let key = EntryKeys.key(of: entry, EntryKeys.pair(recordKey, rootKey))
        let masked = EntryKeys.masked(key, of: entry, recordKey)
        try write(recordKey, for: record, KeyFile.State.live, at: 0)
        try write(rootKey, for: root, KeyFile.State.live, at: 1)
        try write(masked, for: slot, KeyFile.State.unfinished, at: 2)
        var known = KeyCache()
        try known.refresh(from: file)

        // An erasure continues as `KeyStore.separate` does.
        try file.file.write([KeyFile.State.live], at: KeyFile.offset(of: 2))
        let retired = KeyFile.destroyedSlot(KeyFile.State.retired, subject: root)
        try file.file.write(retired, at: KeyFile.offset(of: 1))

        // As `KeyStore.key(forEntry:of:)` does.
        _ = try known.find(entry, of: record, in: file)
        try known.refresh(from: file)
        guard case .key(let found) = try known.find(entry, of: record, in: file) else {
            Issue.record("the key is missing")
            return
        }
        #expect(found == key)
        #expect(try known.newKey(of: entry, in: record, file)?.slot == slot)
    }
}
