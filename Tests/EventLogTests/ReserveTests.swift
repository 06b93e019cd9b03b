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
        #expect(held.isInUse)
        #expect(held.held > 0)
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
        "What a read or an erasure needs may use the reserved space, and nothing else",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system"),
        arguments: SmallDisk.kinds
    )
    func whoMayUseIt(kind: SmallDisk.Kind) async throws {
        let disk = try SmallDisk(kibibytes: 64 << 10, kind: kind)
        let journal = try TestJournal(in: disk.path)
        journal.options.reserveBytes = 16 << 20
        try journal.reopen()
        let record = UUID()
        // Enough entries that separating their keys extends the key file by many pages.
        for first in stride(from: 0, to: 2_000, by: 500) {
            let events = (first..<first + 500).map { TestJournal.entryEvent(TestJournal.id($0), of: record) }
            try await journal.log.append(events)
        }
        try disk.fill()
        // Reads that find no index build one.
        let held = try #require(journal.log.reserveStatus).held
        try journal.reopen { try FileManager.default.removeItem(atPath: journal.folder.index) }
        try disk.fill()
        #expect(try journal.log.events(of: TestJournal.id(7)).count == 1)
        #expect(try #require(journal.log.reserveStatus).held < held)
        // The released part may not be used by new keys of ordinary events, nor by attachments.
        let before = try #require(journal.log.reserveStatus)
        #expect(await code(journal.log, TestJournal.event()) == .diskFull)
        #expect(throws: EventLogError.self) { try journal.log.blobs.put([1, 2, 3], subject: record) }
        #expect(throws: EventLogError.self) { try journal.log.requireSpaceBesideReserve() }
        #expect(journal.log.reserveStatus == before)
        // Signing in is needed to read in a browser.
        var signIn = event(2)
        signIn.header.type = EventLog.sessionTypes.lowerBound
        signIn.header.subject = record
        #expect(await code(journal.log, signIn) == nil)
        // An erasure gives each entry of the record a key of its own.
        try disk.fill()
        let gone = TestJournal.id(7)
        _ = try await journal.log.erase(entry: gone, of: record, events: [TestJournal.erasure(of: gone, in: record)])
        #expect(await code(journal.log, TestJournal.event()) == .diskFull)
        try journal.reopen()
        #expect(try journal.log.keptCheckpoint?.checkpoint.size == journal.log.head())
        try disk.empty()
        #expect(await code(journal.log, TestJournal.event()) == nil)
        #expect(try #require(journal.log.reserveStatus).held == 16 << 20)
        #expect(try journal.log.verify().isSound)
    }

    @Test(
        "The reserve is not released for a disk on which it is not",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func otherDisk() throws {
        let (disk, full) = (try SmallDisk(kibibytes: 32 << 10), try SmallDisk(kibibytes: 64))
        let journal = try TestJournal(in: disk.path)
        journal.options.reserveBytes = 8 << 20
        try journal.reopen()
        try full.fill()
        let error = #expect(throws: StorageError.self) {
            try journal.log.spendingReserve(at: full.path) { () throws(StorageError) in
                try DurableFile(path: full.path + "/more", mode: .create).write([1], at: 0)
            }
        }
        #expect(error?.code == .diskFull)
        #expect(try #require(journal.log.reserveStatus).held == 8 << 20)
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
