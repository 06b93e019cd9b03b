import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("Limits", .serialized)
struct LimitTests {
    private func code(_ body: () async throws -> Void) async -> EventLogError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? EventLogError)?.code
        }
    }

    @Test("An append without events, or with too many or too large events, is refused as a whole")
    func tooLarge() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        #expect(await code { try await journal.log.append([]) } == .tooLarge)
        let large = TestJournal.event(subject, bytes: [UInt8](repeating: 1, count: FrameLayout.maximumPayload + 1))
        #expect(await code { try await journal.log.append([large]) } == .tooLarge)
        let small = TestJournal.event(subject, bytes: [])
        let many = [NewEvent](repeating: small, count: AppendLimits.eventsPerAppend + 1)
        #expect(await code { try await journal.log.append(many) } == .tooLarge)
        let half = TestJournal.event(subject, bytes: [UInt8](repeating: 1, count: FrameLayout.maximumPayload))
        #expect(await code { try await journal.log.append([NewEvent](repeating: half, count: 16)) } == .tooLarge)
        #expect(try journal.log.head() == 0)
    }

    @Test("The largest allowed payload is accepted and read back")
    func largest() async throws {
        let journal = try TestJournal()
        let bytes = [UInt8](repeating: 9, count: FrameLayout.maximumPayload)
        try await journal.log.append([TestJournal.event(bytes: bytes)])
        #expect(try journal.log.open(journal.log.event(at: 1)) == bytes)
    }

    @Test("A full queue refuses appends as busy at once, commits what it accepted, and recovers")
    func busy() async throws {
        let journal = try TestJournal()
        let log = journal.log
        let stream = UUID()
        try await log.append([TestJournal.event(stream)])
        // Another writer holds the write lock meanwhile, so that nothing is committed.
        let (held, letGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let environment = log.environment
        let holder = Thread {
            try? environment.withWriteLock { _ in
                held.signal()
                letGo.wait()
            }
        }
        holder.start()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                held.wait()
                continuation.resume()
            }
        }
        let answers = await withTaskGroup(of: EventLogError.Code?.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    await code { _ = try await log.append([TestJournal.event(stream, payload: "\(number)")]) }
                }
            }
            var (refused, taken) = (0, 0)
            for await answer in group {
                if answer == .busy { refused += 1 } else { taken += 1 }
                #expect(answer == .busy || answer == nil)
                // While the writer waits, no append can succeed: the first answer must be a refusal, which shows that
                // the queue was full.
                if refused + taken == 1 {
                    #expect(answer == .busy)
                    letGo.signal()
                }
            }
            return (refused, taken)
        }
        #expect(answers.0 > 0)
        #expect(answers.0 + answers.1 == 10_000)
        #expect(try log.version(of: stream) == UInt64(1 + answers.1))
        try await log.append([TestJournal.event(stream)])
        #expect(try log.verify().isSound)
    }

    @Test("A full map fails only the appends that do not fit, and a larger map accepts them")
    func mapFull() async throws {
        let journal = try TestJournal(mapSize: 4 << 20)
        try await fill(journal)
        journal.options.mapSize = 64 << 20
        try journal.reopen()
        try await journal.log.append([TestJournal.event(bytes: [UInt8](repeating: 1, count: 6 << 20))])
        #expect(try journal.log.verify().isSound)
    }

    private func fill(_ journal: TestJournal) async throws {
        let log = journal.log
        try await log.append([TestJournal.event(payload: "first")])
        let results = await withTaskGroup(of: (Bool, EventLogError.Code?).self) { group in
            for number in 0..<40 {
                let isLarge = number % 4 == 0
                let event = TestJournal.event(bytes: [UInt8](repeating: 1, count: isLarge ? 6 << 20 : 10))
                group.addTask { (isLarge, await code { _ = try await log.append([event]) }) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (isLarge, code) in results { #expect(code == (isLarge ? .diskFull : nil)) }
        #expect(try log.head() == 31)
        #expect(try log.verify().isSound)
    }

    @Test(
        "A full disk fails the append, reads still work, and appends succeed once there is space",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func diskFull() async throws {
        let disk = try SmallDisk(kibibytes: 4 << 10)
        let journal = try TestJournal(in: disk.path)
        let stream = UUID()
        var taken = 0
        var codes: Set<EventLogError.Code> = []
        for number in 0..<400 {
            let event = TestJournal.event(
                stream,
                bytes: Array("\(number) ".utf8) + [UInt8](repeating: 0, count: 30_000)
            )
            if let code = await code({ try await journal.log.append([event]) }) {
                codes.insert(code)
            } else {
                taken += 1
            }
        }
        #expect(codes == [.diskFull])
        #expect(taken > 10)
        #expect(try journal.log.version(of: stream) == UInt64(taken))
        #expect(try journal.log.verify().isSound)
        #expect(
            await code {
                try await journal.log.append([TestJournal.event(UUID(), bytes: [UInt8](repeating: 0, count: 90_000))])
            } == .diskFull
        )
        #expect(
            await code { _ = try journal.log.blobs.put([UInt8](repeating: 1, count: 3 << 20), subject: stream) }
                == .diskFull
        )
        try disk.resize(kibibytes: 6 << 10)
        for _ in 0..<10 {
            try await journal.log.append([TestJournal.event(stream, bytes: [UInt8](repeating: 0, count: 30_000))])
        }
        try journal.reopen()
        #expect(try journal.log.version(of: stream) == UInt64(taken + 10))
        let found = try journal.log.verify()
        #expect(found.isSound)
        #expect(found.head == UInt64(taken + 10))
        journal.close()
    }

    @Test(
        "A disk that is full when the index must grow fails the append and loses nothing",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func diskFullForIndex() async throws {
        let disk = try SmallDisk(kibibytes: 8 << 10)
        let journal = try TestJournal(in: disk.path)
        let subject = UUID()
        try await journal.log.append((0..<2_500).map { TestJournal.event(TestJournal.id($0), subject: subject) })
        let ballast = disk.path + "/ballast"
        try FileBytes.write([], to: ballast)
        let file = try #require(FileHandle(forWritingAtPath: ballast))
        while (try? file.write(contentsOf: Data(count: 4_096))) != nil {}
        // Leaves some space for the log, but too little for the larger index.
        try file.truncate(atOffset: file.offset() - 140_000)
        var codes: Set<EventLogError.Code?> = []
        for number in 2_500..<2_640 {
            let event = TestJournal.event(TestJournal.id(number), subject: subject, payload: "")
            codes.insert(await code { try await journal.log.append([event]) })
        }
        #expect(codes.contains(.diskFull))
        #expect(codes.isSubset(of: [nil, .diskFull]))
        let head = try journal.log.head()
        try file.truncate(atOffset: 0)
        try await journal.log.append([TestJournal.event(TestJournal.id(0), subject: subject)])
        #expect(try journal.log.head() == head + 1)
        #expect(try journal.log.verify().isSound)
        #expect(try journal.log.version(of: TestJournal.id(0)) == 2)
        #expect(!FileManager.default.fileExists(atPath: journal.folder.index + "/positions.new"))
        journal.close()
    }
}
