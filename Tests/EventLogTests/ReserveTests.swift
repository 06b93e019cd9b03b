import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Reserved disk space", .serialized)
struct ReserveTests {
    /// A small tmpfs filesystem, unmounted when the object is released.
    private final class SmallDisk {
        let path: String
        private let outer: TemporaryFolder

        init?(megabytes: Int) throws {
            outer = try TemporaryFolder()
            path = outer.path + "/disk"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else { return nil }
        }

        deinit { unsafe umount2(path, Int32(MNT_DETACH)) }
    }

    private static var mayMount: Bool { (try? SmallDisk(megabytes: 1)) ?? nil != nil }

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
        .enabled(if: mayMount)
    )
    func fullDisk() async throws {
        let disk = try #require(try SmallDisk(megabytes: 64))
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

    @Test("Without space for a reserve the journal works without one", .enabled(if: mayMount))
    func noRoom() async throws {
        let disk = try #require(try SmallDisk(megabytes: 16))
        let journal = try TestJournal(in: disk.path)
        journal.options.reserveBytes = 64 << 20
        try journal.reopen()
        #expect(journal.log.reserveStatus == ReserveStatus(size: 64 << 20, held: 0, isMade: false))
        #expect(await code(journal.log, event(2)) == nil)
    }
}
