import EventLog
import Foundation
import TestSupport
import Testing

/// Logs with a selection of another log's events, at their positions there.
@Suite("Mirrors")
struct MirrorTests {
    private let folder: TemporaryFolder
    private let place: JournalFolder
    private let master = MasterKey()
    private var options = EventLog.Options()

    init() throws {
        folder = try TemporaryFolder()
        place = JournalFolder(folder.path + "/mirror")
        options.isMirror = true
        options.mapSize = 1 << 30
    }

    private static func event(_ stream: Int, at position: UInt64, _ subject: UUID = UUID()) -> MirroredEvent {
        MirroredEvent(
            TestJournal.event(TestJournal.id(stream), subject: subject, payload: "\(position)"),
            at: position,
            recordedAt: Int64(position) * 10
        )
    }

    private func made() throws -> EventLog {
        try EventLog.create(in: place, masterKey: master, id: UUID(), zone: "UTC", options: options)
    }

    @Test("Events keep their positions and times, with gaps between them")
    func gaps() async throws {
        try await fill()
        let again = try EventLog(folder: place, masterKey: master, options: options)
        #expect(try again.events(of: TestJournal.id(1)).map(\.position) == [3, 7, 20_001, 20_002])
        again.close()
    }

    private func fill() async throws {
        let log = try made()
        let subject = UUID()
        let positions: [UInt64] = [3, 7, 8, 20_000, 20_001]
        try await log.mirror(positions.prefix(3).map { Self.event(Int($0 % 2), at: $0, subject) })
        try await log.mirror(positions.suffix(2).map { Self.event(Int($0 % 2), at: $0, subject) })
        #expect(try log.head() == 20_001)
        #expect(try log.events(after: 0).map(\.position) == positions)
        #expect(try log.events(after: 3, limit: 3).map(\.position) == [7, 8, 20_000])
        #expect(try log.events(of: TestJournal.id(1)).map(\.position) == [3, 7, 20_001])
        #expect(try log.events(of: TestJournal.id(0)).map(\.streamPosition) == [1, 2])
        var seen: [UInt64] = []
        try log.forEachFrame(after: 7, through: 30_000) { frame in
            seen.append(frame.position)
            return true
        }
        #expect(seen == [8, 20_000, 20_001])
        for (time, position) in [(29, 0), (30, 3), (75, 7), (80, 8), (199_999, 8), (300_000, 20_001)] {
            #expect(try log.position(recordedUpTo: Int64(time)) == UInt64(position), "\(time)")
        }
        #expect(try log.event(atOrBefore: 19_999).position == 8)
        #expect(throws: EventLogError.self) { try log.event(at: 9) }
        // What is appended here comes after everything.
        let own = try await log.append([TestJournal.event(TestJournal.id(1), subject: subject)])
        #expect(own.first == 20_002)
        await #expect(throws: EventLogError.self) { try await log.mirror([Self.event(1, at: 20_002, subject)]) }
        log.close()
    }

    @Test("What a mirror forgets cannot be read any more, and the folder of a mirror is not opened as a journal")
    func forgetting() async throws {
        try await forgetOne()
        let code = #expect(throws: EventLogError.self) { try EventLog(folder: place, masterKey: master) }?.code
        #expect(code == .notAJournal)
        let journal = try TestJournal()
        await #expect(throws: EventLogError.self) { try await journal.log.mirror([Self.event(1, at: 5)]) }
        #expect(throws: EventLogError.self) { try journal.log.forget([UUID()]) }
    }

    private func forgetOne() async throws {
        let log = try made()
        let (one, two) = (UUID(), UUID())
        try await log.mirror([Self.event(1, at: 5, one), Self.event(2, at: 6, two)])
        try log.forget([one])
        #expect(throws: EventLogError.self) { try log.open(log.event(at: 5)) }
        #expect(try log.open(log.event(at: 6)) == Array("6".utf8))
        log.close()
    }
}
