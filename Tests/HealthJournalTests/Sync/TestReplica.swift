import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport

@testable import JournalCore

/// A replica that a test syncs with a household's journal, without a connection between them.
final class TestReplica {
    let folder: ReplicaFolder
    let device: UUID
    private let outer: TemporaryFolder
    private let master = MasterKey()
    private let household: TestHousehold
    private let caller: Caller
    /// How far the device's clock is ahead of the service's, in microseconds.
    private let skew: Int64

    init(of household: TestHousehold, _ caller: Caller, name: String, skew: Int64 = 0) async throws {
        outer = try TemporaryFolder()
        folder = ReplicaFolder(outer.path + "/replica")
        (self.household, self.caller, self.skew) = (household, caller, skew)
        device = try await household.journal.sync.addDevice(named: name, caller).id
        let state = ReplicaState(
            service: "http://localhost",
            account: caller.account,
            accountName: caller.name,
            device: device,
            deviceName: name
        )
        let clock = TestReplica.clock(household, skew)
        try await Replica.create(in: folder, id: UUID(), masterKey: master, now: clock, state).close()
    }

    private static func clock(_ household: TestHousehold, _ skew: Int64) -> @Sendable () -> Int64 {
        let clock = household.clock
        return { clock.now + skew }
    }

    func open<Result>(_ body: (Replica) async throws -> Result) async throws -> Result {
        let clock = TestReplica.clock(household, skew)
        let replica = try await Replica(folder, masterKey: master, now: clock)
        defer { replica.close() }
        return try await body(replica)
    }

    /// Runs a command on the readable side.
    func work<Result>(_ body: (Journal, Caller) async throws -> Result) async throws -> Result {
        try await open { replica in
            let journal = try await replica.openJournal()
            defer { journal.close() }
            return try await body(journal, replica.caller(reason: ""))
        }
    }

    func items() async throws -> [Outbox.Item] { try await open { try $0.outbox.items() } }

    /// Sends what waits; the connection breaks after `limit` changes, and the last answer is lost if `losesAnswer`.
    func push(atMost limit: Int = .max, losesAnswer: Bool = false, retrying: Bool = false) async throws {
        let changes = try await open { try $0.unsent(after: 0, retrying: retrying) }.prefix(limit)
        var answers: [(change: SyncCommand, answer: Outbox.Answer)] = []
        for change in changes {
            // As the service does: it reads the line, and corrects the time by the distance of the clocks.
            let command = try SyncCommand(NativeObject(JSONReader.read(change.line)), now: household.journal.now)
            do throws(JournalError) {
                let taken = try await household.journal.sync.take(command, offset: -skew, caller)
                answers.append((change, Outbox.Answer(taken.outcome, position: taken.position)))
            } catch {
                answers.append((change, Outbox.Answer(.refused, problem: error.code.rawValue, detail: error.message)))
            }
        }
        if losesAnswer, !answers.isEmpty { answers.removeLast() }
        let known = answers
        try await open { try await $0.answered(known) }
    }

    /// Fetches pages of at most `limit` events, at most `pages` of them.
    func pull(limit: Int = 1_000, pages: Int = .max) async throws {
        var done = 0
        while done < pages {
            done += 1
            let start = try await open { try $0.start() }
            let page = try await page(after: start, limit: limit)
            try await open { try await $0.absorb(page, after: start, clockOffset: -self.skew) }
            if !page.hasMore { break }
        }
        for record in try await open({ $0.state.again }) {
            let page = try await page(after: 0, of: record, limit: 1_000)
            try await open { try await $0.refetched(record, page.events) }
        }
        try await open { replica in
            try replica.prepareViews()
            try await replica.compact()
        }
    }

    func sync(retrying: Bool = false) async throws {
        try await push(retrying: retrying)
        try await pull()
    }

    func page(after position: UInt64, of record: UUID? = nil, limit: Int) async throws -> PulledPage {
        let page = try await household.journal.sync.syncPage(
            after: position,
            record: record,
            limit: limit,
            asStored: true,
            caller
        )
        return try PulledPage(page.lines.flatMap { JSONWriter.bytes($0) + [0x0A] })
    }

    /// Reads the log of the mirror.
    func mirrored<Result>(_ body: (EventLog) throws -> Result) throws -> Result {
        var options = EventLog.Options()
        (options.isMirror, options.isReadOnly, options.mapSize) = (true, true, 1 << 30)
        let log = try EventLog(folder: folder.mirror, masterKey: master, options: options)
        defer { log.close() }
        return try body(log)
    }

    /// Whether the key file of a part of the folder has a slot for a record.
    func hasKey(of record: UUID, in part: JournalFolder) throws -> Bool {
        guard let keys = try? Data(contentsOf: URL(fileURLWithPath: part.keyFile)) else { return false }
        return keys.firstRange(of: [UInt8](record)) != nil
    }

    /// All bytes of the files in the folder.
    func bytes() throws -> [UInt8] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        // A folder cannot be read, and is left out.
        return files.flatMap { name -> [UInt8] in
            (try? Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))).map(Array.init) ?? []
        }
    }
}

/// What a caller sees of a record, and what is due.
struct Sighting: Hashable {
    let entries: [EntryState]
    let retracted: [EntryState]
    let histories: [String]
    let due: String
    let divergences: [String]

    init(_ journal: Journal, _ record: UUID, _ caller: Caller, asOf position: UInt64, now: Instant) async throws {
        let moment = AsOf.position(position)
        let all = try await journal.records.read(record, ReadOptions(asOf: moment, includesRetracted: true), caller)
            .state
        entries = all.entries.filter { !$0.isRetracted }
        retracted = all.entries.filter(\.isRetracted)
        var histories: [String] = []
        for entry in all.entries {
            let events = try await journal.trail.history(ofEntry: entry.id, caller)
            histories += events.map {
                JSONWriter.text(NativeEvent.write($0, actorName: journal.accounts.name(of: $0.stamp.actor)))
            }
        }
        self.histories = histories
        let question = CareQuestion(
            from: try Day(parsing: "2026-02-20"),
            to: try Day(parsing: "2026-03-20"),
            asOf: moment,
            now: now
        )
        due = JSONWriter.text(try await journal.care.due(of: record, question, caller).document.json)
        divergences = try await journal.sync.divergences(of: record, caller).map { JSONWriter.text($0.json) }
    }
}
