import Foundation
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Reserved disk space", .serialized)
struct ReserveTests {
    private func event(_ category: UInt16, _ bytes: Int = 100) -> NewEvent {
        var event = TestJournal.event(stream, bytes: [UInt8](repeating: 1, count: bytes))
        event.header.category = category
        return event
    }

    private let stream = UUID()

    private func code(_ log: EventLog, _ event: NewEvent) async -> EventLogError.Code? {
        do throws(EventLogError) {
            try await log.append([event])
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "On a full disk reads are still audited, and ordinary events cannot use the reserved space",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func fullDisk() async throws {
        let disk = try SmallDisk(kibibytes: 64 << 10)
        let journal = try TestJournal(in: disk.path)
        journal.options.reserveBytes = 16 << 20
        try journal.reopen()
        #expect(journal.log.reserveStatus == ReserveStatus(size: 16 << 20, held: 16 << 20, isMade: true))
        // A filler file takes all space that is left, and the log's own free pages are used up.
        let filler = try DurableFile(path: disk.path + "/filler", mode: .create)
        try filler.allocate(Int(try #require(Filesystem.freeBytes(at: disk.path))))
        var written = 0
        while await code(journal.log, event(2, 100_000)) == nil { written += 1 }
        #expect(written < 20)
        #expect(await code(journal.log, event(2, 100_000)) == .diskFull)
        for _ in 0..<300 { #expect(await code(journal.log, event(EventLog.accessCategory)) == nil) }
        let held = try #require(journal.log.reserveStatus)
        #expect(held.isInUse && held.held > 0)
        // The released space is not available to other events, however small, and however often they retry.
        let head = try journal.log.head()
        for _ in 0..<20 { #expect(await code(journal.log, event(2, 10)) == .diskFull) }
        #expect(try journal.log.head() == head)
        #expect(journal.log.reserveStatus == held)
        // An erasure is still accepted.
        var erased = TestJournal.event(UUID(), subject: journal.log.description.id)
        (erased.header.type, erased.header.entry) = (EventLog.erasedType, stream)
        _ = try await journal.log.erase(stream, events: [erased])
        // The same holds after a reopen, and appends succeed again once there is space.
        try journal.reopen()
        #expect(await code(journal.log, TestJournal.event(payload: "x")) == .diskFull)
        try filler.truncate(to: 0)
        #expect(await code(journal.log, TestJournal.event(payload: "x")) == nil)
        #expect(journal.log.reserveStatus == ReserveStatus(size: 16 << 20, held: 16 << 20, isMade: true))
        #expect(try journal.log.verify().isSound)
    }

    @Test(
        "Without space for a reserve the journal works without one",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func noRoom() async throws {
        let disk = try SmallDisk(kibibytes: 16 << 10)
        let journal = try TestJournal(in: disk.path)
        journal.options.reserveBytes = 64 << 20
        try journal.reopen()
        #expect(journal.log.reserveStatus == ReserveStatus(size: 64 << 20, held: 0, isMade: false))
        #expect(await code(journal.log, event(2)) == nil)
    }
}
