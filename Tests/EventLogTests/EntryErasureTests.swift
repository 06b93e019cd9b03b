import Foundation
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Erasure of an entry")
struct EntryErasureTests {
    private let record = TestJournal.id(5)

    private func code<Result>(_ body: () throws -> Result) -> EventLogError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? EventLogError)?.code
        }
    }

    private func slots(in journal: TestJournal) throws -> [[UInt8]] {
        let bytes = try FileBytes.read(journal.folder.keyFile)
        return stride(from: 96, to: bytes.count, by: 96).map { Array(bytes[$0..<($0 + 96)]) }
    }

    private func expectFrames(_ log: EventLog, gone: Set<UUID>, _ round: Comment) throws {
        for event in try log.events(after: 0) {
            let isGone = event.isSealedByEntry && gone.contains(event.header.entry)
            #expect((code { try log.open(event) } == .subjectErased) == isGone, round)
            #expect(try log.isPermanentlyErased(event) == isGone, round)
            if !isGone { #expect(try log.open(event) == Array("p\(event.position)".utf8), round) }
        }
    }

    @Test("Of an erased entry nothing can be read, and the record's other entries are unaffected")
    func erase() async throws {
        let journal = try TestJournal()
        let entries = (0..<4).map { TestJournal.id(100 + $0) }
        var news = [TestJournal.event(record, payload: "p1")]
        for (offset, entry) in (entries + entries).enumerated() {
            news.append(TestJournal.entryEvent(entry, of: record, payload: "p\(offset + 2)"))
        }
        for event in news { try await journal.log.append([event]) }
        let before = try journal.log.events(after: 0)
        #expect(before.map(\.isSealedByEntry) == [false] + Array(repeating: true, count: 8))
        let keys = try journal.log.keys.unusable()
        #expect(keys.erased.isEmpty)
        #expect(keys.retired.isEmpty)
        let old = try slots(in: journal)

        let result = try await journal.log.erase(
            entry: entries[1],
            of: record,
            events: [TestJournal.erasure(of: entries[1], in: record, payload: "p10")]
        )
        #expect(result.first == 10)
        for round in ["open", "opened again"] as [Comment] {
            try expectFrames(journal.log, gone: [entries[1]], round)
            await #expect {
                try await journal.log.append([TestJournal.entryEvent(entries[1], of: record)])
            } throws: { ($0 as? EventLogError)?.code == .subjectErased }
            let found = try journal.log.verify()
            #expect(found.isSound && found.sealsErased == 2 && found.sealsOpened == 8, round)
            #expect(try Array(journal.log.events(after: 0).prefix(9)) == before, round)
            try journal.reopen()
        }
        // The root from which the key could be derived again is gone, and nothing of the old slot remains.
        let root = EntryKeys.root(0, of: record)
        let sealed = try #require(old.first { Array($0[8..<24]) == [UInt8](root) })
        let now = try slots(in: journal)
        #expect(now.contains(KeyFile.destroyedSlot(KeyFile.State.retired, subject: root)))
        #expect(!now.contains { Array($0[24..<84]) == Array(sealed[24..<84]) })
        #expect(now.contains(KeyFile.erasedSlot(subject: EntryKeys.slot(of: entries[1], in: record))))
    }

    @Test("An older key file that is put back is noticed, and what it brought back is erased again")
    func olderKeyFile() async throws {
        let journal = try TestJournal()
        let (other, entries) = (TestJournal.id(6), (0..<3).map { TestJournal.id(100 + $0) })
        for event in [TestJournal.event(record, payload: "p1"), TestJournal.event(other, payload: "p2")] {
            try await journal.log.append([event])
        }
        for (offset, entry) in entries.enumerated() {
            try await journal.log.append([TestJournal.entryEvent(entry, of: record, payload: "p\(offset + 3)")])
        }
        let older = try FileBytes.read(journal.folder.keyFile)
        let erasure = TestJournal.erasure(of: entries[1], in: record, payload: "p6")
        _ = try await journal.log.erase(entry: entries[1], of: record, events: [erasure])
        var whole = TestJournal.event(other, subject: journal.log.description.id, payload: "p7")
        (whole.header.type, whole.header.entry) = (EventLog.erasedType, other)
        _ = try await journal.log.erase(other, events: [whole])
        #expect(try journal.log.undoneErasures().isEmpty)
        try journal.reopen { try FileBytes.write(older, to: journal.folder.keyFile) }
        let undone = try journal.log.undoneErasures()
        #expect(undone.subjects == [other] && undone.entries.map(\.entry) == [entries[1]])
        #expect(try journal.log.open(journal.log.event(at: 2)) == Array("p2".utf8))
        // What is assumed to be erased cannot be read, and is still found and erased; the rest can be read.
        #expect(try journal.log.assumeErased(UndoneErasures(), upTo: 7).isEmpty)
        #expect(try journal.log.assumeErased(undone, upTo: 7) == undone)
        #expect(try journal.log.assumeErased(UndoneErasures(), upTo: 0).isEmpty)
        for position in [UInt64(1), 2, 3, 4, 5] {
            let isGone = [2, 4].contains(position)
            let event = try journal.log.event(at: position)
            #expect((code { try journal.log.open(event) } == .subjectErased) == isGone, "\(position)")
            #expect(try journal.log.isPermanentlyErased(event) == isGone, "\(position)")
        }
        await #expect {
            try await journal.log.append([TestJournal.entryEvent(entries[1], of: record)])
        } throws: { ($0 as? EventLogError)?.code == .subjectErased }
        #expect(try journal.log.undoneErasures() == undone)
        #expect(try journal.log.repeatErasures() == undone)
        for _ in 0..<2 {
            #expect(try journal.log.undoneErasures().isEmpty)
            for position in [UInt64(2), 4] {
                #expect(code { try journal.log.open(journal.log.event(at: position)) } == .subjectErased)
            }
            for position in [UInt64(1), 3, 5] {
                let payload = Array("p\(position)".utf8)
                #expect(try journal.log.open(journal.log.event(at: position)) == payload)
            }
            try journal.reopen()
        }
    }

    @Test("What an older key file cannot open is noticed; what was erased is not reported")
    func missingKeys() async throws {
        let journal = try TestJournal()
        let (other, late, entries) = (TestJournal.id(6), TestJournal.id(7), (0..<4).map { TestJournal.id(100 + $0) })
        try await journal.log.append([TestJournal.event(record)])
        for entry in entries.prefix(2) { try await journal.log.append([TestJournal.entryEvent(entry, of: record)]) }
        let first = try FileBytes.read(journal.folder.keyFile)
        func erase(_ entry: UUID) async throws {
            let erasure = TestJournal.erasure(of: entry, in: record)
            _ = try await journal.log.erase(entry: entry, of: record, events: [erasure])
        }
        try await erase(entries[0])
        // Sealed under a root that the older file lacks.
        try await journal.log.append([TestJournal.entryEvent(entries[2], of: record)])
        for subject in [other, late] { try await journal.log.append([TestJournal.event(subject)]) }
        var whole = TestJournal.event(other, subject: journal.log.description.id)
        (whole.header.type, whole.header.entry) = (EventLog.erasedType, other)
        _ = try await journal.log.erase(other, events: [whole])
        #expect(try journal.log.unreadableSubjects() == [])
        try journal.reopen { try FileBytes.write(first, to: journal.folder.keyFile) }
        #expect(try journal.log.unreadableSubjects()?.isSuperset(of: [record, late]) == true)
        #expect(try journal.log.unreadableSubjects()?.contains(other) == false)
        // A key that is made anew for later events does not hide that the earlier ones cannot be read.
        try await journal.log.append([TestJournal.event(late)])
        _ = try journal.log.repeatErasures()
        #expect(try journal.log.unreadableSubjects()?.isSuperset(of: [record, late]) == true)
    }

    @Test("Entries can be erased one after the other, new ones among them, and the whole record at the end")
    func several() async throws {
        let journal = try TestJournal()
        var random = SystemRandomNumberGenerator()
        var (live, gone, next) = ([UUID](), Set<UUID>(), 1)
        var position = 0
        for step in 0..<60 {
            position += 1
            if step % 5 == 4, let entry = live.randomElement(using: &random) {
                live.removeAll { $0 == entry }
                gone.insert(entry)
                _ = try await journal.log.erase(
                    entry: entry,
                    of: record,
                    events: [TestJournal.erasure(of: entry, in: record, payload: "p\(position)")]
                )
            } else {
                let isNew = live.isEmpty || step % 2 == 0
                if isNew {
                    live.append(TestJournal.id(1_000 + next))
                    next += 1
                }
                let entry = try #require(isNew ? live.last : live.randomElement(using: &random))
                try await journal.log.append([TestJournal.entryEvent(entry, of: record, payload: "p\(position)")])
            }
            if step % 7 == 0 { try journal.reopen() }
        }
        try expectFrames(journal.log, gone: gone, "at the end")
        // An erasure of an entry that has a slot of its own already destroys no root.
        let roots = try journal.log.keys.unusable().retired.count
        let old = try #require(live.first)
        _ = try await journal.log.erase(
            entry: old,
            of: record,
            events: [TestJournal.erasure(of: old, in: record, payload: "p61")]
        )
        #expect(try journal.log.keys.unusable().retired.count == roots)

        let own = journal.log.description.id
        var erased = TestJournal.event(record, subject: own)
        erased.header.type = EventLog.erasedType
        erased.header.entry = record
        _ = try await journal.log.erase(record, events: [erased])
        for event in try journal.log.events(after: 0) where event.header.subject == record {
            #expect(code { try journal.log.open(event) } == .subjectErased)
        }
        #expect(try journal.log.verify().isSound)
    }

    @Test("Appends that were sealed before an erasure are sealed again, and none is lost")
    func concurrent() async throws {
        let journal = try TestJournal()
        let log = journal.log
        try await log.append([TestJournal.entryEvent(TestJournal.id(1), of: record)])
        let record = record
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<100 {
                        let entry = TestJournal.id(10_000 * (writer + 1) + number)
                        try await log.append([TestJournal.entryEvent(entry, of: record)])
                    }
                }
            }
            group.addTask {
                for round in 0..<10 {
                    let entry = TestJournal.id(500 + round)
                    try await log.append([TestJournal.entryEvent(entry, of: record)])
                    let event = TestJournal.erasure(of: entry, in: record)
                    _ = try await log.erase(entry: entry, of: record, events: [event])
                }
            }
            try await group.waitForAll()
        }
        let found = try log.verify()
        #expect(found.isSound)
        #expect(found.sealsErased == 10)
        #expect(found.sealsOpened == 411)
        #expect(try log.keys.unusable().retired.count == 10)
    }

    @Test("The log refuses what was sealed under a root that was retired before the commit")
    func sealedBefore() async throws {
        let journal = try TestJournal()
        let log = journal.log
        let gone = TestJournal.id(1)
        try await log.append([TestJournal.entryEvent(gone, of: record)])
        let news = [TestJournal.entryEvent(TestJournal.id(2), of: record)]
        let frames = try SealedFrame.seal(news, under: log.keys.sealingKeys(of: news.map(\.header)))
        try log.separate(gone, of: record)
        let writer = try #require(log.writer)
        let result: Result<AppendResult, EventLogError> = await withCheckedContinuation { continuation in
            let request = AppendRequest(frames: frames, expectations: [], keyedPayloads: [:], erasing: []) {
                continuation.resume(returning: $0)
            }
            do {
                try writer.submit(request, mayBlockCaller: false)
            } catch {
                continuation.resume(returning: .failure(EventLogError(error, "not queued")))
            }
        }
        #expect(code { try result.get() } == .keyRetired)
        #expect(try log.head() == 1)
    }

    @Test("While keys are changed, the key file says so")
    func changing() throws {
        let journal = try TestJournal()
        try journal.log.keys.changing("no key", in: .ordinary) { file in
            let before = file.changes
            journal.log.keys.noting(file) { #expect(file.changes == KeyFile.changing) }
            #expect(file.changes == before + 1)
        }
    }

    @Test("Another process that has the keys in memory uses the new ones after an erasure")
    func otherProcess() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (TestJournal.id(1), TestJournal.id(2))
        try await journal.log.append([gone, stays].map { TestJournal.entryEvent($0, of: record) })
        let other = try KeyStore(
            folder: journal.folder,
            journal: journal.log.description.id,
            master: journal.master,
            isReadOnly: false
        )
        let header = TestJournal.entryEvent(TestJournal.id(3), of: record).header
        let before = try #require(try other.liveKeys(of: [header])?.first)
        _ = (try other.key(forEntry: gone, of: record), try other.key(forEntry: stays, of: record))
        let event = TestJournal.erasure(of: gone, in: record)
        _ = try await journal.log.erase(entry: gone, of: record, events: [event])
        #expect(code { try other.key(forEntry: gone, of: record) } == .subjectErased)
        #expect(try other.key(forEntry: stays, of: record) == journal.log.keys.key(forEntry: stays, of: record))
        let after = try #require(try other.sealingKeys(of: [header]).first)
        #expect(after.key != before.key)
        #expect(after.root == EntryKeys.root(1, of: record))
    }

    @Test("An interrupted erasure of an entry is undone or completed at the next open", arguments: [false, true])
    func interrupted(isRecorded: Bool) async throws {
        let journal = try TestJournal()
        let (gone, stays) = (TestJournal.id(1), TestJournal.id(2))
        try await journal.log.append([gone, stays].map { TestJournal.entryEvent($0, of: record, payload: "kept") })
        try journal.log.separate(gone, of: record)
        let slot = EntryKeys.slot(of: gone, in: record)
        try journal.log.keys.markForErasure(slot, since: 2)
        #expect(code { try journal.log.open(journal.log.event(at: 1)) } == .subjectErased)
        #expect(try !journal.log.isPermanentlyErased(journal.log.event(at: 1)))
        if isRecorded { try await journal.log.append([TestJournal.erasure(of: gone, in: record)]) }
        try journal.reopen()
        #expect(code { try journal.log.open(journal.log.event(at: 1)) } == (isRecorded ? .subjectErased : nil))
        #expect(try journal.log.open(journal.log.event(at: 2)) == Array("kept".utf8))
        #expect(try slots(in: journal).contains(KeyFile.erasedSlot(subject: slot)) == isRecorded)
        try await journal.log.append([TestJournal.entryEvent(stays, of: record)])
    }

    @Test("A separation that was interrupted while its slots were written loses no key")
    func interruptedSeparation() async throws {
        let journal = try TestJournal()
        let entries = (1...3).map { TestJournal.id($0) }
        try await journal.log.append(entries.map { TestJournal.entryEvent($0, of: record, payload: "kept") })
        _ = try await journal.log.erase(
            entry: entries[0],
            of: record,
            events: [TestJournal.erasure(of: entries[0], in: record)]
        )
        // A slot of the second root's entries that was written, but neither synced nor marked live.
        let late = TestJournal.id(4)
        try await journal.log.append([TestJournal.entryEvent(late, of: record, payload: "kept")])
        journal.close()
        var garbage = KeyFile.erasedSlot(subject: EntryKeys.slot(of: late, in: record))
        garbage[0] = KeyFile.State.unfinished
        try FileBytes.edit(journal.folder.keyFile) { $0 += garbage }
        try journal.open()
        let event = TestJournal.erasure(of: entries[1], in: record)
        _ = try await journal.log.erase(entry: entries[1], of: record, events: [event])
        try await journal.log.append([TestJournal.entryEvent(TestJournal.id(5), of: record)])
        let last = TestJournal.erasure(of: TestJournal.id(5), in: record)
        _ = try await journal.log.erase(entry: TestJournal.id(5), of: record, events: [last])
        for round in ["open", "opened again"] as [Comment] {
            #expect(try journal.log.open(journal.log.event(at: 3)) == Array("kept".utf8), round)
            #expect(try journal.log.open(journal.log.event(at: 5)) == Array("kept".utf8), round)
            try journal.reopen()
        }
        // A root whose slot was not completely overwritten.
        let root = EntryKeys.root(0, of: record)
        journal.close()
        try FileBytes.edit(journal.folder.keyFile) { bytes in
            for start in stride(from: 96, to: bytes.count, by: 96)
            where Array(bytes[(start + 8)..<(start + 24)]) == [UInt8](root) { bytes[start + 50] = 7 }
        }
        try journal.open()
        #expect(try slots(in: journal).contains(KeyFile.destroyedSlot(KeyFile.State.retired, subject: root)))
    }

    @Test("An entry whose id is that of another record does not touch that record")
    func idOfRecord() async throws {
        let journal = try TestJournal()
        let other = TestJournal.id(6)
        try await journal.log.append([TestJournal.event(other), TestJournal.entryEvent(other, of: record)])
        _ = try await journal.log.erase(entry: other, of: record, events: [TestJournal.erasure(of: other, in: record)])
        #expect(code { try journal.log.open(journal.log.event(at: 2)) } == .subjectErased)
        #expect(try journal.log.open(journal.log.event(at: 1)) == Array("payload".utf8))
        try await journal.log.append([TestJournal.event(other)])
    }

    @Test("No subject can have the id of a slot of a root or an entry")
    func slotAsSubject() async throws {
        let journal = try TestJournal()
        let entry = TestJournal.id(1)
        try await journal.log.append([TestJournal.entryEvent(entry, of: record)])
        for id in [EntryKeys.root(0, of: record), EntryKeys.root(1, of: record), EntryKeys.slot(of: entry, in: record)]
        {
            await #expect { try await journal.log.append([TestJournal.event(id)]) } throws: {
                ($0 as? EventLogError)?.code == .keyConflict
            }
            #expect(code { try journal.log.blobs.put([1], subject: id) } == .keyConflict)
            #expect(code { try journal.log.opaqueID(of: "x", subject: id) } == .keyConflict)
            #expect(code { try journal.log.secret("x", subject: id) } == .keyConflict)
            var event = TestJournal.event(id, subject: journal.log.description.id)
            (event.header.type, event.header.entry) = (EventLog.erasedType, id)
            await #expect { _ = try await journal.log.erase(id, events: [event]) } throws: {
                ($0 as? EventLogError)?.code == .keyConflict
            }
        }
        #expect(try journal.payloads() == ["payload"])
    }

    @Test("While another process changes keys, and after it was killed in between, no key is taken from memory")
    func killedChange() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (TestJournal.id(1), TestJournal.id(2))
        try await journal.log.append([gone, stays].map { TestJournal.entryEvent($0, of: record) })
        let header = TestJournal.entryEvent(TestJournal.id(3), of: record).header
        #expect(try journal.log.keys.liveKeys(of: [header])?.first?.root == EntryKeys.root(0, of: record))
        try journal.log.separate(gone, of: record)
        let after = try FileBytes.read(journal.folder.keyFile)
        // As a killed process leaves it: the state byte of the root is written, and the count of changes is not.
        try FileBytes.edit(journal.folder.keyFile) { bytes in
            for index in 40..<48 { bytes[index] = index == 40 ? 0xFE : 0xFF }
        }
        let root = EntryKeys.root(0, of: record)
        let start = try #require(
            stride(from: 96, to: after.count, by: 96).first { Array(after[($0 + 8)..<($0 + 24)]) == [UInt8](root) }
        )
        func isMarked() throws -> Bool {
            try Array(FileBytes.read(journal.folder.keyFile)[40..<48]) == [0xFE] + Array(repeating: 0xFF, count: 7)
        }
        // While another process holds the file's lock, each use reads the file anew.
        try DurableFile(path: journal.folder.keyFile, mode: .readWrite)
            .locked {
                #expect(try journal.log.keys.unusable().retired == [root])
                try FileBytes.edit(journal.folder.keyFile) { $0[start] = KeyFile.State.live }
                #expect(try journal.log.keys.unusable().retired.isEmpty)
                try FileBytes.edit(journal.folder.keyFile) { $0[start] = KeyFile.State.retired }
                #expect(try journal.log.keys.unusable().retired == [root] && isMarked())
            }
        // Once it is killed, the next use removes the mark.
        #expect(try journal.log.keys.unusable().retired == [root])
        #expect(try !isMarked())
        #expect(try journal.payloads() == ["payload", "payload"])
        try await journal.log.append([TestJournal.entryEvent(TestJournal.id(4), of: record)])
    }

    @Test("An entry is erased although the key file still has the root from which its key follows")
    func restoredRoot() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (TestJournal.id(1), TestJournal.id(2))
        try await journal.log.append([gone, stays].map { TestJournal.entryEvent($0, of: record) })
        journal.close()
        // As after the restore of an older key file to which the newer erasures were added.
        let slot = EntryKeys.slot(of: gone, in: record)
        try FileBytes.edit(journal.folder.keyFile) { $0 += KeyFile.erasedSlot(subject: slot) }
        try journal.open()
        try journal.log.separate(gone, of: record)
        #expect(try journal.log.keys.unusable().retired == [EntryKeys.root(0, of: record)])
        #expect(code { try journal.log.open(journal.log.event(at: 1)) } == .subjectErased)
        #expect(try journal.log.open(journal.log.event(at: 2)) == Array("payload".utf8))
    }

    @Test("An entry whose slot is damaged gets no other key")
    func damagedSlot() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (TestJournal.id(1), TestJournal.id(2))
        try await journal.log.append([gone, stays].map { TestJournal.entryEvent($0, of: record) })
        let event = TestJournal.erasure(of: gone, in: record)
        _ = try await journal.log.erase(entry: gone, of: record, events: [event])
        // So that there is a second root.
        try await journal.log.append([TestJournal.entryEvent(TestJournal.id(3), of: record)])
        journal.close()
        let name = [UInt8](EntryKeys.slot(of: stays, in: record))
        try FileBytes.edit(journal.folder.keyFile) { bytes in
            for start in stride(from: 96, to: bytes.count, by: 96)
            where Array(bytes[(start + 8)..<(start + 24)]) == name { bytes[start + 50] ^= 1 }
        }
        try journal.open()
        #expect(code { try journal.log.open(journal.log.event(at: 2)) } == .damaged)
        try journal.reopen()
        await #expect(throws: EventLogError.self) {
            try await journal.log.append([TestJournal.entryEvent(stays, of: record)])
        }
    }

    @Test("After a rotation of the master key erased entries stay erased and the others open")
    func rotated() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (TestJournal.id(1), TestJournal.id(2))
        try await journal.log.append([gone, stays].map { TestJournal.entryEvent($0, of: record) })
        let event = TestJournal.erasure(of: gone, in: record)
        _ = try await journal.log.erase(entry: gone, of: record, events: [event])
        let new = MasterKey()
        try journal.log.rotateMasterKey(to: new)
        journal.close()
        let log = try EventLog(folder: journal.folder, masterKey: new, options: journal.options)
        defer { log.close() }
        #expect(code { try log.open(log.event(at: 1)) } == .subjectErased)
        #expect(try log.open(log.event(at: 2)) == Array("payload".utf8))
        #expect(try log.keys.unusable().retired == [EntryKeys.root(0, of: record)])
    }

    @Test("The file of an attachment does not open with the record's key alone")
    func attachment() async throws {
        let journal = try TestJournal()
        try await journal.log.append([TestJournal.event(record)])
        let digest = try journal.log.blobs.put(Array("an x-ray".utf8), subject: record)
        #expect(try journal.log.blobs.get(digest, subject: record) == Array("an x-ray".utf8))
        let key = try journal.log.keys.key(for: record)
        let folder = journal.folder.blobs(of: record)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
        let sealed = try FileBytes.read(folder + "/" + name)
        #expect(throws: (any Error).self) { try BlobStore.open(sealed, digest, key) }
        // A file as earlier versions sealed it can be read, and is sealed again when it is stored again.
        let earlier = try BlobStore.sealed(Array("an x-ray".utf8), digest, key)
        try FileBytes.edit(folder + "/" + name) { $0 = earlier }
        #expect(try journal.log.blobs.get(digest, subject: record) == Array("an x-ray".utf8))
        _ = try journal.log.blobs.put(Array("an x-ray".utf8), subject: record)
        #expect(throws: (any Error).self) { try BlobStore.open(FileBytes.read(folder + "/" + name), digest, key) }
        try journal.log.blobs.remove(digest, subject: record)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        try journal.log.blobs.remove(digest, subject: record)
    }
}
