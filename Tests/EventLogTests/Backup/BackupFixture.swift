import Foundation
import LMDB
import Platform
import TestSupport
import Testing

@testable import EventLog

/// A journal, a folder for its backup, and the journals restored from that backup.
final class BackupFixture {
    let journal: TestJournal
    let folder: TemporaryFolder
    private var restores = 0

    init() throws {
        journal = try TestJournal()
        folder = try TemporaryFolder()
    }

    var backup: String { folder.path + "/backup" }

    @discardableResult
    func backUp() throws -> BackupReport { try journal.log.backUp(to: backup) }

    /// Restores the backup into a new folder and returns the folder and the report.
    func restore(
        from path: String? = nil,
        to target: String? = nil,
        masterKey: MasterKey? = nil,
        _ change: (inout RestoreOptions) -> Void = { _ in }
    ) async throws -> (folder: JournalFolder, report: RestoreReport) {
        restores += 1
        let folder = JournalFolder(target ?? folder.path + "/restored-\(restores)")
        var options = RestoreOptions(event: UUID())
        options.log.mapSize = 1 << 30
        change(&options)
        let event = options.event
        let report = try await Backup.restore(
            from: path ?? backup,
            to: folder,
            masterKey: masterKey ?? journal.master,
            options: options
        ) { log, _ in
            let id = log.description.id
            try await log.append([TestJournal.event(id, id: event, subject: id, payload: "restored")])
        }
        return (folder, report)
    }

    func open(_ folder: JournalFolder) throws -> EventLog {
        var options = EventLog.Options()
        options.mapSize = 1 << 30
        return try EventLog(folder: folder, masterKey: journal.master, options: options)
    }

    /// Checks a restored journal against the source: the same frames, then the event of the restore, and no faults.
    func expectSame(_ restored: JournalFolder, upTo head: UInt64, _ location: SourceLocation = #_sourceLocation) throws
    {
        let log = try open(restored)
        defer { log.close() }
        #expect(try log.head() == head + 1, sourceLocation: location)
        #expect(log.description == journal.log.description, sourceLocation: location)
        #expect(try frames(log, head) == frames(journal.log, head), sourceLocation: location)
        #expect(try log.verify().isSound, sourceLocation: location)
    }

    func frames(_ log: EventLog, _ head: UInt64) throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        try log.forEachFrame(through: head) { frame in
            frames.append(frame.copy.bytes)
            return true
        }
        return frames
    }

    /// Returns the names and contents of all files of the backup.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: backup) {
            guard FileStatus(of: backup + "/" + name)?.isFile == true else { continue }
            files[name] = try FileBytes.read(backup + "/" + name)
        }
        return files
    }

    /// Returns events of random streams with payloads of random lengths.
    static func events(_ count: Int, _ random: inout SeededGenerator) -> [NewEvent] {
        (0..<count)
            .map { _ in
                let stream = TestJournal.id(Int.random(in: 0..<12, using: &random))
                return TestJournal.event(stream, bytes: random.bytes(Int.random(in: 0..<600, using: &random)))
            }
    }
}

/// Returns the error that `body` throws, or nil.
func refusal(_ body: () async throws -> Void) async -> EventLogError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? EventLogError ?? EventLogError(.storage, "\(error)")
    }
}
