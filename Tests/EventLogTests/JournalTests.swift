import Foundation
import LMDB
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Journal folders")
struct JournalTests {
    private func create(_ folder: JournalFolder, _ master: MasterKey = MasterKey()) throws -> EventLog {
        var options = EventLog.Options()
        options.mapSize = 1 << 30
        return try EventLog.create(in: folder, masterKey: master, id: UUID(), zone: "Europe/Zurich", options: options)
    }

    private func code(_ body: () throws -> Void) -> EventLogError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? EventLogError)?.code
        }
    }

    @Test("A journal stores what it was created with, and can be created only once")
    func description() throws {
        let folder = try TemporaryFolder()
        let journal = JournalFolder(folder.path + "/journal")
        let log = try create(journal)
        let description = log.description
        #expect(description.zone == "Europe/Zurich")
        #expect(code { _ = try create(journal) } == .journalExists)
        #expect(try log.head() == 0)
        log.close()
    }

    @Test("A second journal in the same folder is refused, and the first is unchanged")
    func exists() async throws {
        let journal = try TestJournal()
        try await journal.log.append([TestJournal.event()])
        let id = journal.log.description.id
        journal.close()
        #expect(code { _ = try create(journal.folder) } == .journalExists)
        try journal.open()
        #expect(journal.log.description.id == id)
        #expect(try journal.payloads() == ["payload"])
    }

    @Test("A folder that contains no journal, another database or a damaged one is refused")
    func notAJournal() throws {
        let folder = try TemporaryFolder()
        let journal = JournalFolder(folder.path)
        #expect(code { _ = try EventLog(folder: journal, masterKey: nil) } == .notAJournal)
        _ = try folder.folder("log")
        do {
            let environment = try Environment(folder: journal.log)
            try environment.write { transaction in _ = try transaction.makeTable("something") }
        }
        #expect(code { _ = try EventLog(folder: journal, masterKey: nil) } == .notAJournal)
        try FileBytes.edit(journal.log + "/data.mdb") { for index in 0..<8_192 { $0[index] = 0x55 } }
        #expect(code { _ = try EventLog(folder: journal, masterKey: nil) } == .damaged)
    }

    @Test("Creating a journal can be repeated after a crash at any step")
    func cutOff() async throws {
        for step in 0..<4 {
            let folder = try TemporaryFolder()
            let journal = JournalFolder(folder.path + "/journal")
            _ = try folder.folder("journal/log")
            if step >= 1 { _ = try Environment(folder: journal.log) }
            if step >= 2 {
                _ = try folder.folder("journal/keys")
                try FileBytes.write([], to: journal.keys + "/subjects")
            }
            if step == 3 { try KeyStore.create(in: journal, journal: UUID(), master: MasterKey()) }
            #expect(code { _ = try EventLog(folder: journal, masterKey: nil) } == .notAJournal)
            let log = try create(journal)
            try await log.append([TestJournal.event()])
            #expect(try log.verify().sealsOpened == 1)
            log.close()
        }
    }

    @Test("Keys without a log are not overwritten, because the log may be restored")
    func keysWithoutLog() async throws {
        let journal = try TestJournal()
        try await journal.log.append([TestJournal.event()])
        journal.close()
        let log = try FileBytes.read(journal.folder.log + "/data.mdb")
        try FileManager.default.removeItem(atPath: journal.folder.log)
        #expect(code { _ = try create(journal.folder) } == .journalExists)
        try FileBytes.edit(journal.folder.log + "/data.mdb") { $0 = log }
        try journal.open()
        #expect(try journal.payloads() == ["payload"])
    }

    @Test("No file and no file name contains sealed data or key material in plaintext")
    func noPlaintext() async throws {
        let secret = "Maria Muster-Beispiel 1971"
        let journal = try TestJournal()
        let subject = UUID()
        for number in 0..<20 {
            let text = secret + String(repeating: " \(secret)", count: number * 10)
            try await journal.log.append([TestJournal.event(subject, payload: text)])
        }
        let digest = try journal.log.blobs.put(Array(secret.utf8), subject: subject)
        _ = try journal.log.opaqueID(of: secret, subject: subject)
        journal.close()
        let master = try String(decoding: FileBytes.read(journal.keyFile), as: UTF8.self)
        let encoded = master.split(separator: ":").last.map { String($0).filter { !$0.isWhitespace } } ?? ""
        let masterBytes = [UInt8](try #require(Data(base64Encoded: encoded)))
        #expect(masterBytes.count == 32)
        let needles = [
            Array(secret.utf8), Array("Muster".utf8), Array(digest.utf8), EventLogTests.bytes(hexadecimal: digest),
            masterBytes,
            Array(encoded.utf8),
        ]
        var files = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: journal.path) {
            #expect(!name.contains("Muster"))
            #expect(!name.contains(digest))
            guard let data = FileManager.default.contents(atPath: journal.path + "/" + name) else { continue }
            files += 1
            for needle in needles { #expect(data.range(of: Data(needle)) == nil, "\(name)") }
        }
        #expect(files >= 5)
        // The search does find plaintext: the subject's id is not encrypted.
        let log = try Data(contentsOf: URL(filePath: journal.folder.log + "/data.mdb"))
        #expect(log.range(of: Data([UInt8](subject))) != nil)
    }

    // MARK: Blobs

    @Test("An attachment is read back as it was stored, and is stored once", arguments: [0, 1, 5_000, 3 << 20])
    func blobs(size: Int) throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        let (subject, other) = (UUID(), UUID())
        let bytes = random.bytes(size)
        let digest = try journal.log.blobs.put(bytes, subject: subject)
        #expect(digest == BlobStore.digest(of: bytes))
        #expect(try journal.log.blobs.put(bytes, subject: subject) == digest)
        try journal.reopen()
        #expect(try journal.log.blobs.get(digest, subject: subject) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: journal.folder.blobs(of: subject)).count == 1)
        #expect(throws: EventLogError.self) { try journal.log.blobs.get(digest, subject: other) }
        _ = try journal.log.blobs.put(bytes, subject: other)
        #expect(try FileManager.default.contentsOfDirectory(atPath: journal.folder.blobs).count == 2)
        #expect(throws: EventLogError.self) { try journal.log.blobs.get("../keys/subjects", subject: subject) }
    }

    @Test("A damaged attachment is an error until it is stored again")
    func damagedBlob() throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        let subject = UUID()
        let bytes = random.bytes(1_000)
        let digest = try journal.log.blobs.put(bytes, subject: subject)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: journal.folder.blobs(of: subject)).first
        )
        let path = journal.folder.blobs(of: subject) + "/" + name
        let whole = try FileBytes.read(path)
        #expect(DurableFile.permissions(of: path) == 0o600)
        var damages: [[UInt8]] = [[], Array(whole.prefix(20)), Array(whole.dropLast()), whole + [0]]
        for _ in 0..<40 {
            var copy = whole
            copy[Int.random(in: 0..<copy.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            damages.append(copy)
        }
        for damage in damages {
            try FileBytes.edit(path) { $0 = damage }
            #expect(code { _ = try journal.log.blobs.get(digest, subject: subject) } == .damaged)
        }
        #expect(try journal.log.blobs.put(bytes, subject: subject) == digest)
        #expect(try journal.log.blobs.get(digest, subject: subject) == bytes)
    }

    @Test("Concurrent writes of the same attachment all succeed and store it once")
    func blobsAtOnce() async throws {
        let journal = try TestJournal()
        let blobs = journal.log.blobs
        let subject = UUID()
        let bytes = [UInt8](repeating: 3, count: 200_000)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try blobs.put(bytes, subject: subject) } }
            for try await digest in group { #expect(digest == BlobStore.digest(of: bytes)) }
        }
        #expect(try blobs.get(BlobStore.digest(of: bytes), subject: subject) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: journal.folder.blobs(of: subject)).count == 1)
    }
}
