import EventLog
import Foundation
import LMDB
import Platform
import ProjectionKit
import TestSupport

/// A journal's log and its views in a temporary folder.
final class TestViews {
    let folder: JournalFolder
    private let master = MasterKey()
    private let outer: TemporaryFolder
    private var options = EventLog.Options()
    private var opened: (log: EventLog, views: ViewStore)?

    init() throws {
        outer = try TemporaryFolder()
        folder = JournalFolder(outer.path + "/journal")
        options.mapSize = 4 << 30
        let log = try EventLog.create(in: folder, masterKey: master, id: UUID(), zone: "UTC", options: options)
        opened = (log, try ViewStore(log: log, mapSize: 4 << 30))
    }

    deinit {
        opened?.log.close()
    }

    var log: EventLog {
        guard let opened else { fatalError("the test closed its journal") }
        return opened.log
    }

    var views: ViewStore {
        guard let opened else { fatalError("the test closed its journal") }
        return opened.views
    }

    /// Closes the log and the views, lets `body` change the files, and opens all again.
    ///
    /// Without `isClean` the views are not closed in order, as after a killed process.
    func reopen(isClean: Bool = true, after body: () throws -> Void = {}) throws {
        if isClean { opened?.views.close() }
        opened?.log.close()
        opened = nil
        try body()
        let log = try EventLog(folder: folder, masterKey: master, options: options)
        opened = (log, try ViewStore(log: log, mapSize: 4 << 30))
    }

    /// Appends `count` events in batches of up to 5,000.
    func append(_ count: Int, saying payload: String = "1", type: UInt16 = 7) async throws {
        let stream = UUID()
        for start in stride(from: 0, to: count, by: 5_000) {
            let events = (start..<min(count, start + 5_000))
                .map { _ in
                    NewEvent(
                        header: EventHeader(
                            stream: stream,
                            id: UUID.timeOrdered(at: EventLog.clock()),
                            subject: stream,
                            type: type,
                            schemaVersion: 1,
                            category: 2,
                            actor: stream,
                            correlation: .zero,
                            source: 1
                        ),
                        payload: Array(payload.utf8)
                    )
                }
            try await log.append(events)
        }
    }

    func copy(_ part: String, to place: String) throws {
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.copyItem(atPath: part, toPath: place)
    }
}

/// The faults that a test injects into a projection, and the number of events that it applied.
final class Strings: Sendable {
    private let state = Guarded(State())

    struct State {
        var applied = 0
        var failsAt: UInt64?
        var breaksAt: UInt64?
    }

    /// The number of events that were applied, whether or not that was committed.
    var applied: Int { state.withLock { $0.applied } }

    func reset() { state.withLock { $0 = State() } }

    /// Makes the projection throw an error of its own at an event.
    func fail(at position: UInt64) { state.withLock { $0.failsAt = position } }

    /// Makes the storage below the projection fail at an event.
    func breakStorage(at position: UInt64) { state.withLock { $0.breaksAt = position } }

    struct Fault: Error {}

    func pull(_ position: UInt64) throws {
        let state = state.withLock { state in
            state.applied += 1
            return state
        }
        if state.failsAt == position { throw Fault() }
        if state.breaksAt == position { throw EventLogError(.storage, "the disk is gone") }
    }
}

/// A projection that adds up the numbers in the payloads of events.
///
/// The sum shows whether an event was applied twice or partly.
protocol Tally: Projection {
    static var factor: UInt64 { get }
    var strings: Strings { get }
}

extension Tally {
    static var tables: [String] { ["sum", "rows"] }

    func handles(type: UInt16) -> Bool { type == 7 }

    func apply(_ frame: Frame, _ tables: ViewTables, _ transaction: borrowing WriteTransaction, _ log: EventLog) throws
    {
        let amount = UInt64(String(decoding: try log.open(frame), as: UTF8.self)) ?? 0
        let before: UInt64 = try transaction.reading.get(Key(UInt64(0)), in: tables[0])?.integer(at: 0) ?? 0
        var sum: [UInt8] = []
        sum.append(littleEndian: before + amount * Self.factor)
        // Written before `pull` may throw, so that rows of a failed event would be noticed if they were committed.
        try transaction.put(Key(UInt64(0)), sum.raw, in: tables[0])
        try transaction.put(Key(frame.position), sum.raw, in: tables[1])
        try strings.pull(frame.position)
    }
}

struct Once: Tally {
    static let name = "Tally"
    static let version: UInt64 = 1
    static let factor: UInt64 = 1
    let strings: Strings
}

/// The same view in a later version of the program.
struct Twice: Tally {
    static let name = "Tally"
    static let version: UInt64 = 2
    static let factor: UInt64 = 2
    let strings: Strings
}

struct Other: Tally {
    static let name = "Other"
    static let version: UInt64 = 1
    static let factor: UInt64 = 1
    let strings: Strings
}

/// The content of a tally: its sum and its number of rows.
struct Held: Hashable {
    var sum: UInt64
    var rows: Int
}

extension ViewStore {
    func held<View: Tally>(_ view: View) throws -> Held {
        try query(view) { tables, transaction in
            let sum: UInt64 = try transaction.get(Key(UInt64(0)), in: tables[0])?.integer(at: 0) ?? 0
            var rows = 0
            try TemporalIndex.forEach(Key(), through: UInt64.max - 1, in: tables[1], transaction) { _, _ in
                rows += 1
                return true
            }
            return Held(sum: sum, rows: rows)
        }
    }
}

/// A counter that several tasks increment.
final class Count: Sendable {
    private let number = Guarded(0)

    var value: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
