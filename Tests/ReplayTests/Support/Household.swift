import EventLog
import Foundation
import HealthModel
import JournalEvents
import Platform

@testable import replay

/// A journal in a temporary folder that is deleted after the test, and the events that were appended to it.
final class Household {
    let path: String
    let keyPath: String
    let log: EventLog
    private let clock: Clock
    /// The appended events as `evolve` takes them, known without reading the log.
    private(set) var recorded: [RecordedEvent] = []
    private var kinds: [UUID: Kind] = [:]

    static let mapSize = 1 << 30
    static let start = try! Instant(parsing: "2024-05-01T00:00:00Z")
    /// The time between two events: position 5 starts the second day.
    static let step: Int64 = 6 * 3_600 * 1_000_000

    let journal = id(1)
    static let owner = id(2)
    static let anna = id(3)
    static let scale = id(4)
    static let ada = id(5)
    static let maria = id(6)
    static let luna = id(7)
    static let weight = id(11)
    static let doctor = id(12)
    static let cost = id(13)
    static let meal = id(14)

    private final class Clock: Sendable {
        let now = Guarded(Household.start.microseconds)
    }

    init(zone: String = "UTC") throws {
        path = FileManager.default.temporaryDirectory.path + "/healthjournal-replay-\(UUID().uuidString)"
        keyPath = path + ".key"
        let clock = Clock()
        self.clock = clock
        var options = EventLog.Options()
        options.mapSize = Household.mapSize
        options.now = { clock.now.withLock { $0 } }
        // No checkpoint is stored unless a test asks for one.
        options.checkpointPace.interval = .seconds(86_400)
        let master = MasterKey()
        try master.write(to: keyPath)
        log = try EventLog.create(in: JournalFolder(path), masterKey: master, id: journal, zone: zone, options: options)
    }

    deinit {
        log.close()
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.removeItem(atPath: keyPath)
    }

    static func id(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, number, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    /// The journal as the tool opens it, based on the log that is already open here.
    var opened: OpenJournal { OpenJournal(log: log, mapSize: Household.mapSize, keyProblem: nil, shownZone: .gmt) }

    @discardableResult
    func append(
        _ event: JournalEvent,
        about subject: UUID,
        stream: UUID? = nil,
        entry: UUID? = nil,
        by actor: UUID = Household.owner,
        reason: String = ""
    ) async throws -> UInt64 {
        // Each event of an entry has its kind in plaintext, as in the application: the views rely on that.
        if let entry, let content = event.content { kinds[entry] = content.kind }
        let clock = log.laggingClock
        let result = try await log.append([
            NewEvent(
                event,
                id: UUID.timeOrdered(at: EventLog.clock()),
                stream: stream ?? entry ?? subject,
                subject: subject,
                entry: entry,
                kind: entry.flatMap { kinds[$0] },
                origin: EventOrigin(actor: actor, source: .commandLine, correlation: .zero, reason: reason),
                clock: clock
            )
        ])
        recorded.append(
            RecordedEvent(
                stamp: Stamp(position: result.last, recordedAt: Instant(microseconds: result.recordedAt), actor: actor),
                subject: subject,
                stream: stream ?? entry ?? subject,
                entry: entry,
                event: event,
                reason: reason,
                clock: clock.map { Instant(microseconds: $0) }
            )
        )
        self.clock.now.withLock { $0 += Household.step }
        return result.last
    }

    /// Sets the clock a little behind the newest event, as a time service does that corrects it.
    func stepClockBack(seconds: Int64) {
        clock.now.withLock { $0 -= Household.step + seconds * 1_000_000 }
    }

    /// Returns a record folded from the appended events, without reading the log.
    func state(of record: UUID, at position: UInt64) -> RecordState? {
        var state: RecordState?
        for event in recorded where event.subject == record && event.stamp.position <= position {
            evolve(&state, event)
        }
        return state
    }

    static func content(_ kind: Kind, _ values: [(String, String)]) throws -> EntryContent {
        var content = EntryContent(kind: kind)
        for (name, value) in values { try content.set(name, text: value) }
        return content
    }

    static func profile(_ subject: Subject, _ values: [(String, String)]) throws -> RecordProfile {
        var profile = RecordProfile(subject: subject)
        for (name, value) in values { try profile.set(name, text: value) }
        return profile
    }
}
