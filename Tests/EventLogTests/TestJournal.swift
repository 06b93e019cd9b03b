import EventLog
import Foundation
import TestSupport
import Testing

/// A journal in a temporary folder that is deleted after the test.
final class TestJournal {
    let path: String
    let keyFile: String
    let master = MasterKey()
    var options = EventLog.Options()
    private let outer: TemporaryFolder
    private var opened: EventLog?

    var log: EventLog {
        guard let opened else { fatalError("the test closed its journal") }
        return opened
    }

    init(in folder: String? = nil, mapSize: Int = 4 << 30, now: (@Sendable () -> Int64)? = nil) throws {
        outer = try TemporaryFolder()
        path = (folder ?? outer.path) + "/journal"
        keyFile = outer.path + "/master.key"
        try master.write(to: keyFile)
        options.mapSize = mapSize
        if let now { options.now = now }
        opened = try EventLog.create(
            in: JournalFolder(path),
            masterKey: master,
            id: UUID(),
            zone: "UTC",
            options: options
        )
    }

    deinit {
        opened?.close()
    }

    var folder: JournalFolder { JournalFolder(path) }

    func close() {
        opened?.close()
        opened = nil
    }

    func open() throws {
        opened = try EventLog(folder: folder, masterKey: master, options: options)
    }

    /// Closes the log, lets `body` change the files, and opens it again.
    func reopen(after body: () throws -> Void = {}) throws {
        close()
        try body()
        try open()
    }

    /// Removes the stored checkpoint, so that a test can show what is detected without it.
    func forgetCheckpoint() {
        try? FileManager.default.removeItem(atPath: folder.checkpoint)
    }

    /// Starts a process that appends to this journal; it prints "ready" and waits for a line.
    func writer(from first: Int = 0, count: Int, streams: Int, tag: UInt8, isKeyed: Bool = false) throws -> ChildProcess
    {
        try ChildProcess([
            "append", path, keyFile, "\(first)", "\(count)", "\(streams)", "\(tag)", isKeyed ? "keyed" : "plain",
        ])
    }

    /// All payloads of the log in order, as text.
    func payloads() throws -> [String] {
        var all: [String] = []
        while case let page = try log.events(after: UInt64(all.count)), !page.isEmpty {
            for event in page { all.append(String(decoding: try log.open(event), as: UTF8.self)) }
        }
        return all
    }

    static func event(
        _ stream: UUID = UUID(),
        id: UUID? = nil,
        subject: UUID? = nil,
        payload: String = "payload"
    ) -> NewEvent {
        event(stream, id: id, subject: subject, bytes: Array(payload.utf8))
    }

    static func event(_ stream: UUID = UUID(), id: UUID? = nil, subject: UUID? = nil, bytes: [UInt8]) -> NewEvent {
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
            payload: bytes
        )
    }

    /// Returns an event of an entry of a record, which is sealed under the entry's key.
    static func entryEvent(_ entry: UUID, of record: UUID, payload: String = "payload") -> NewEvent {
        var event = event(entry, subject: record, payload: payload)
        event.header.category = EventLog.entryCategory
        event.header.entry = entry
        return event
    }

    /// Returns the event that records the erasure of an entry.
    static func erasure(of entry: UUID, in record: UUID, payload: String = "payload") -> NewEvent {
        var event = entryEvent(entry, of: record, payload: payload)
        event.header.type = EventLog.entryErasedType
        return event
    }

    /// Returns an id of version 5, the version of idempotency keys.
    static func keyed(_ number: UInt8) -> UUID {
        UUID(uuid: (1, 2, 3, 4, 5, 6, 0x50, 8, 0x80, 1, 1, 1, 1, 1, 1, number))
    }

    static func id(_ number: Int, version: UInt8 = 8) -> UUID {
        func byte(_ shift: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
        return UUID(uuid: (9, 9, 9, 9, 9, 9, version << 4, 8, 0x80, 1, 1, 1, byte(24), byte(16), byte(8), byte(0)))
    }
}
