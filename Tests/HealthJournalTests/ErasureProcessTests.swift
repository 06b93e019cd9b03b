import EventLog
import Foundation
import HealthModel
import TestSupport
import Testing

@testable import HealthJournal

@Suite("An erasure by one process")
struct ErasureProcessTests {
    @Test("Is felt at once by another that has the journal open and has read the record", .timeLimit(.minutes(10)))
    func otherProcess() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let entry = try await home.add("document", ["name": "x"], to: record)
        let attached = try await home.journal.attachDocument(
            Array("bytes".utf8),
            HealthJournalTests.entry("document", ["name": "file"]),
            to: record,
            home.owner
        )
        let (path, key) = (home.folder.path, try home.writeMasterKey())
        let file = try #require(attached.entry)
        async let child = #expect(processExitsWith: .success) {
            [
                path = path as String, key = key as String, record = record as UUID, entry = entry as UUID,
                file = file as UUID
            ] in
            var options = EventLog.Options()
            options.mapSize = 4 << 30
            let journal = try Journal(
                folder: JournalFolder(path),
                masterKey: MasterKey(file: key),
                options: options
            )
            let owner = try journal.caller(Journal.ownerName, source: .commandLine)
            // All that this process may keep in its memory, it now has.
            _ = try await journal.read(record, ReadOptions(), owner)
            _ = try await journal.document(file, owner)
            _ = try await journal.costs(of: nil, owner)
            _ = FileManager.default.createFile(atPath: path + ".ready", contents: nil)
            for _ in 0..<24_000 where !FileManager.default.fileExists(atPath: path + ".erased") {
                try await Task.sleep(for: .milliseconds(10))
            }
            let reads: [() async throws -> Void] = [
                { _ = try await journal.read(record, ReadOptions(), owner) },
                { _ = try await journal.read(record, ReadOptions(asOf: .position(8)), owner) },
                { _ = try await journal.document(file, owner) },
                { _ = try await journal.history(ofEntry: entry, owner) },
                { _ = try await journal.costs(of: record, owner) },
                { _ = try await journal.addEntry(HealthJournalTests.entry("risk", ["name": "r"]), to: record, owner) },
                { _ = try journal.log.blobs.put([1], subject: record) },
                { _ = try journal.log.open(journal.log.newest(of: entry)!) },
            ]
            for read in reads {
                guard await refusal(read)?.code == .erased else { exit(EXIT_FAILURE) }
            }
            guard try await journal.listRecords(owner).isEmpty, try await journal.costs(of: nil, owner).isEmpty else {
                exit(EXIT_FAILURE)
            }
            exit(EXIT_SUCCESS)
        }
        for _ in 0..<24_000 where !FileManager.default.fileExists(atPath: path + ".ready") {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(FileManager.default.fileExists(atPath: path + ".ready"))
        _ = try await home.journal.eraseRecord(record, home.owner.because("asked"))
        _ = FileManager.default.createFile(atPath: path + ".erased", contents: nil)
        _ = await child
    }
}
