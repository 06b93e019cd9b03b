import EventLog
import Foundation
import Testing

/// A journal in a fresh folder, gone when the test is done.
final class TestJournal {
    let path: String
    let master = MasterKey()
    private(set) var log: EventLog
    private var options = EventLog.Options()

    init(now: (@Sendable () -> Int64)? = nil) throws {
        path = FileManager.default.temporaryDirectory.path + "/healthjournal-\(UUID().uuidString)"
        options.mapSize = 4 << 30
        if let now { options.now = now }
        log = try EventLog.create(in: JournalFolder(path), masterKey: master, id: UUID(), zone: "UTC", options: options)
    }

    deinit {
        log.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Closes the log, lets `body` change the files, and opens it again.
    func reopen(after body: () throws -> Void = {}) throws {
        log.close()
        let folder = log.folder
        log = try EventLog.create(
            in: JournalFolder(path + "-other-\(UUID().uuidString)"), masterKey: master, id: UUID(), zone: "UTC",
            options: options)
        try? FileManager.default.removeItem(atPath: log.folder.path)
        try body()
        log = try EventLog(folder: folder, masterKey: master, options: options)
    }

    static func event(
        _ stream: UUID = UUID(),
        id: UUID? = nil,
        subject: UUID? = nil,
        payload: String = "payload"
    ) -> NewEvent {
        NewEvent(
            header: EventHeader(
                stream: stream,
                id: id ?? UUID.timeOrdered(at: EventLog.clock()),
                subject: subject ?? stream,
                type: 7,
                schemaVersion: 1,
                category: 2,
                actor: stream,
                correlation: .zero,
                source: 1
            ),
            payload: Array(payload.utf8)
        )
    }

    /// An id as idempotency keys have: version 5.
    static func keyed(_ number: UInt8) -> UUID {
        UUID(uuid: (1, 2, 3, 4, 5, 6, 0x50, 8, 0x80, 1, 1, 1, 1, 1, 1, number))
    }
}
