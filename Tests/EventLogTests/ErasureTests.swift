import Crypto
import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("Erasure")
struct ErasureTests {
    private func code<Result>(_ body: () throws -> Result) -> EventLogError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? EventLogError)?.code
        }
    }

    /// Returns the event that records the erasure of a subject, sealed under the journal's own key.
    private func erased(_ subject: UUID, in journal: TestJournal) -> NewEvent {
        let own = journal.log.description.id
        var event = TestJournal.event(subject, subject: own, payload: "because she asked")
        event.header.type = EventLog.erasedType
        event.header.entry = subject
        return event
    }

    private func dataKey(of subject: UUID, in journal: TestJournal) throws -> [UInt8] {
        unsafe try journal.log.keys.key(for: subject).withUnsafeBytes { unsafe Array($0) }
    }

    private func slot(of subject: UUID, in journal: TestJournal) throws -> [UInt8] {
        let bytes = try FileBytes.read(journal.folder.keyFile)
        let starts = stride(from: 96, to: bytes.count, by: 96)
        let start = try #require(starts.first { Array(bytes[($0 + 8)..<($0 + 24)]) == [UInt8](subject) })
        return Array(bytes[start..<(start + 96)])
    }

    private func editSlot(of subject: UUID, in journal: TestJournal, _ body: (inout [UInt8]) -> Void) throws {
        var slot = try slot(of: subject, in: journal)
        body(&slot)
        try FileBytes.edit(journal.folder.keyFile) { bytes in
            for start in stride(from: 96, to: bytes.count, by: 96)
            where Array(bytes[(start + 8)..<(start + 24)]) == [UInt8](subject) {
                bytes.replaceSubrange(start..<(start + 96), with: slot)
            }
        }
    }

    @Test("The key is destroyed even if the attachments cannot be removed")
    func stubborn() async throws {
        let journal = try TestJournal()
        let gone = UUID()
        try await journal.log.append([TestJournal.event(gone)])
        _ = try journal.log.blobs.put(Array("an x-ray".utf8), subject: gone)
        let sealed = try slot(of: gone, in: journal)
        let stray = journal.folder.blobs(of: gone) + "/a folder that nobody expects here"
        try FileManager.default.createDirectory(atPath: stray, withIntermediateDirectories: true)
        await #expect(throws: EventLogError.self) {
            try await journal.log.erase(gone, events: [erased(gone, in: journal)])
        }
        #expect(try slot(of: gone, in: journal)[24..<84] != sealed[24..<84])
        #expect(code { try journal.log.open(journal.log.event(at: 1)) } == .subjectErased)
    }

    @Test("The id of the journal's own signing key cannot be the subject of an event")
    func reserved() async throws {
        let journal = try TestJournal()
        await #expect { try await journal.log.append([TestJournal.event(KeyStore.checkpointSigner)]) } throws: {
            ($0 as? EventLogError)?.code == .keyConflict
        }
        #expect(try journal.log.head() == 0)
    }

    @Test("Of an erased subject only sealed bytes and the erasure event remain, and other subjects are unaffected")
    func erase() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(gone), TestJournal.event(stays)])
        let digest = try journal.log.blobs.put(Array("an x-ray".utf8), subject: gone)
        let kept = try journal.log.blobs.put(Array("a letter".utf8), subject: stays)
        let (key, sealed) = (try dataKey(of: gone, in: journal), try slot(of: gone, in: journal))
        let before = try journal.log.events(after: 0)

        let result = try await journal.log.erase(gone, events: [erased(gone, in: journal)])
        #expect(result.first == 3)
        for round in ["open", "opened again"] {
            #expect(code { try journal.log.open(journal.log.event(at: 1)) } == .subjectErased, "\(round)")
            #expect(code { try journal.log.blobs.get(digest, subject: gone) } == .subjectErased)
            #expect(code { try journal.log.blobs.put([1], subject: gone) } == .subjectErased)
            await #expect { try await journal.log.append([TestJournal.event(gone)]) } throws: {
                ($0 as? EventLogError)?.code == .subjectErased
            }
            #expect(try journal.log.open(journal.log.event(at: 2)) == Array("payload".utf8))
            #expect(try journal.log.open(journal.log.event(at: 3)) == Array("because she asked".utf8))
            #expect(try journal.log.blobs.get(kept, subject: stays) == Array("a letter".utf8))
            #expect(try journal.log.erasedSubjects() == [gone])
            #expect(try Array(journal.log.events(after: 0).prefix(2)) == before)
            let found = try journal.log.verify()
            #expect(found.isSound)
            #expect(found.sealsErased == 1)
            #expect(found.sealsOpened == 2)
            try journal.reopen()
        }
        journal.close()
        let files = try #require(FileManager.default.enumerator(atPath: journal.path))
        for case let name as String in files where !name.hasSuffix("lock.mdb") {
            guard let bytes = try? Data(contentsOf: URL(filePath: journal.path + "/" + name)) else { continue }
            for secret in [key, Array(sealed[36..<68]), Array("an x-ray".utf8)] {
                #expect(bytes.firstRange(of: Data(secret)) == nil, "\(name)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: journal.folder.blobs).count == 1)
    }

    @Test("Key stores that have the keys in memory notice an erasure")
    func otherProcess() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(gone), TestJournal.event(stays)])
        let others = try [false, true]
            .map { isReadOnly in
                try KeyStore(
                    folder: journal.folder,
                    journal: journal.log.description.id,
                    master: journal.master,
                    isReadOnly: isReadOnly
                )
            }
        for other in others { _ = (try other.key(for: gone), try other.key(for: stays)) }
        _ = try await journal.log.erase(gone, events: [erased(gone, in: journal)])
        for other in others {
            #expect(code { try other.key(for: gone) } == .subjectErased)
            #expect(code { try other.key(for: stays) } == nil)
        }
    }

    @Test("An erasure interrupted before its event is committed is undone at the next open")
    func cutOffBefore() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        try await journal.log.append([TestJournal.event(subject)])
        try journal.log.keys.markForErasure(subject, since: 1)
        #expect(code { try journal.log.open(journal.log.event(at: 1)) } == .subjectErased)
        try journal.reopen()
        #expect(try journal.payloads() == ["payload"])
        try await journal.log.append([TestJournal.event(subject)])
        #expect(try journal.log.erasedSubjects().isEmpty)
    }

    @Test("An erasure interrupted after its event is committed is completed at the next open")
    func cutOffAfter() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        try await journal.log.append([TestJournal.event(subject)])
        _ = try journal.log.blobs.put([1, 2, 3], subject: subject)
        let sealed = try slot(of: subject, in: journal)
        try await journal.log.append([TestJournal.event()])
        try journal.log.keys.markForErasure(subject, since: 2)
        try await journal.log.append([erased(subject, in: journal)])
        try journal.reopen()
        #expect(try slot(of: subject, in: journal) == KeyFile.erasedSlot(subject: subject))
        #expect(!FileManager.default.fileExists(atPath: journal.folder.blobs(of: subject)))
        // A crash after the state of the slot is written and before the rest of the slot is.
        journal.close()
        try editSlot(of: subject, in: journal) { $0 = [2] + sealed.dropFirst() }
        try journal.open()
        #expect(try slot(of: subject, in: journal) == KeyFile.erasedSlot(subject: subject))
        #expect(code { try journal.log.open(journal.log.event(at: 1)) } == .subjectErased)
    }

    @Test("A refused erasure changes nothing")
    func refused() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        try await journal.log.append([TestJournal.event(subject)])
        await #expect {
            _ = try await journal.log.erase(
                subject,
                events: [erased(subject, in: journal)],
                expecting: [Expectation(subject, .exact(7))]
            )
        } throws: { ($0 as? EventLogError)?.code == .versionConflict }
        #expect(try journal.payloads() == ["payload"])
        await #expect(throws: EventLogError.self) {
            _ = try await journal.log.erase(subject, events: [TestJournal.event()])
        }
        let own = journal.log.description.id
        await #expect(throws: EventLogError.self) {
            _ = try await journal.log.erase(own, events: [erased(own, in: journal)])
        }
        _ = try await journal.log.erase(subject, events: [erased(subject, in: journal)])
        await #expect { _ = try await journal.log.erase(subject, events: [erased(subject, in: journal)]) } throws: {
            ($0 as? EventLogError)?.code == .subjectErased
        }
        #expect(try journal.log.head() == 2)
    }

    @Test("No event of the subject is acknowledged after its erasure event")
    func concurrentAppends() async throws {
        let journal = try TestJournal()
        let (gone, stays) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(gone), TestJournal.event(stays)])
        let log = journal.log
        let children = try (0..<2).map { tag in try journal.writer(count: 2_000, streams: 1, tag: UInt8(tag + 1)) }
        for child in children {
            #expect(child.readLine() == "ready")
            try child.say("go")
        }
        let erasure = erased(gone, in: journal)
        let acknowledged = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var positions: [UInt64] = []
                    for _ in 0..<200 {
                        do {
                            positions.append(try await log.append([TestJournal.event(gone)]).last)
                        } catch {
                            guard (error as? EventLogError)?.code == .subjectErased else { throw error }
                            break
                        }
                    }
                    return positions
                }
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(40))
                return [try await log.erase(gone, events: [erasure]).last]
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let all = try log.events(after: 0, limit: 10_000)
        let last = try #require(all.last { $0.header.type == EventLog.erasedType })
        #expect(acknowledged.max() == last.position)
        for child in children { _ = child.readLines() }
        #expect(try log.verify().isSound)
        #expect(try log.open(log.event(at: 2)) == Array("payload".utf8))
    }

    @Test("After a rotation the new master key opens everything, the old one nothing, and the log is unchanged")
    func rotate() async throws {
        let journal = try TestJournal()
        let subjects = (0..<5).map { _ in UUID() }
        for subject in subjects { try await journal.log.append([TestJournal.event(subject)]) }
        _ = try await journal.log.erase(subjects[1], events: [erased(subjects[1], in: journal)])
        let other = try KeyStore(
            folder: journal.folder,
            journal: journal.log.description.id,
            master: journal.master,
            isReadOnly: false
        )
        _ = try other.key(for: subjects[0])
        let (frames, old) = (try journal.log.events(after: 0), try FileBytes.read(journal.folder.keyFile))
        let held = try FileHandle(forReadingFrom: URL(filePath: journal.folder.keyFile))

        let new = MasterKey()
        try journal.log.rotateMasterKey(to: new)
        try await journal.log.append([TestJournal.event(subjects[0]), TestJournal.event()])
        #expect(code { try other.key(for: subjects[0]) } == .masterKeyWrong)
        #expect(code { try other.ensure([UUID()]) } == .masterKeyWrong)
        journal.close()
        #expect(code { try journal.open() } == .masterKeyWrong)
        let log = try EventLog(folder: journal.folder, masterKey: new, options: journal.options)
        defer { log.close() }
        #expect(try Array(log.events(after: 0).prefix(frames.count)) == frames)
        let found = try log.verify()
        #expect(found.isSound)
        #expect(found.sealsOpened == 7)
        #expect(found.sealsErased == 1)
        #expect(try log.erasedSubjects() == [subjects[1]])
        // The old key file, which is still open here, contains none of the old slots.
        let rest = [UInt8](try held.readToEnd() ?? Data())
        #expect(rest.count == old.count)
        #expect(rest[96...].allSatisfy { $0 == 0 })
    }

    @Test("A rotation of the master key does not change a copy that shares the key file through a hard link")
    func rotateLinked() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        try await journal.log.append([TestJournal.event(subject)])
        let (path, link) = (journal.folder.keyFile, journal.folder.keyFile + ".snapshot")
        let old = try FileBytes.read(path)
        try FileManager.default.linkItem(atPath: path, toPath: link)
        try journal.log.rotateMasterKey(to: MasterKey())
        #expect(try FileBytes.read(link)[96...] == old[96...])
        #expect(try FileBytes.read(path)[96...] != old[96...])
    }

    @Test("The master key is not rotated while a data key is damaged, because that key would be lost")
    func rotateDamaged() async throws {
        let journal = try TestJournal()
        let (first, second) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(first), TestJournal.event(second)])
        try journal.reopen { try editSlot(of: first, in: journal) { $0[40] ^= 1 } }
        let before = try FileBytes.read(journal.folder.keyFile)
        #expect(code { try journal.log.rotateMasterKey(to: MasterKey()) } == .damaged)
        #expect(try FileBytes.read(journal.folder.keyFile) == before)
        try journal.reopen()
        #expect(try journal.log.open(journal.log.event(at: 2)) == Array("payload".utf8))
    }

    @Test("A mark that an interrupted rotation left does not block the journal")
    func staleMark() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        try await journal.log.append([TestJournal.event(subject)])
        try journal.reopen {
            try FileBytes.edit(journal.folder.keyFile) { for index in 40..<48 { $0[index] = 0xFF } }
        }
        #expect(try journal.payloads() == ["payload"])
        try await journal.log.append([TestJournal.event()])
        _ = try await journal.log.erase(subject, events: [erased(subject, in: journal)])
        #expect(code { try journal.log.open(journal.log.event(at: 1)) } == .subjectErased)
    }
}
