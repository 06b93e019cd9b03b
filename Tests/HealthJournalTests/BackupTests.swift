import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Backups of the journal")
struct JournalBackupTests {
    @Test("Each backup location is listed with the position and time of its latest backup")
    func places() async throws {
        let household = try await TestHousehold()
        let folder = try TemporaryFolder()
        #expect(try household.journal.backups().isEmpty)
        let first = try await household.journal.maintenance.backUp(to: folder.path + "/b", household.owner)
        #expect(first.position == first.report.head + 1)
        _ = try await household.person("Ida")
        _ = try await household.journal.maintenance.backUp(to: folder.path + "/a", household.owner)
        let third = try await household.journal.maintenance.backUp(to: folder.path + "/b", household.owner)
        let known = try household.journal.backups()
        #expect(known.map(\.place) == [folder.path + "/a", folder.path + "/b"])
        #expect(known[1].head == third.report.head && known[1].head > known[0].head)
        #expect(known[0].at < known[1].at)
        // No file of the journal contains the path in plaintext.
        let log = try FileBytes.read(household.folder.log + "/data.mdb")
        #expect(Data(log).range(of: Data(folder.path.utf8)) == nil)
    }

    @Test("A first backup that fails is listed too, because it may contain keys")
    func unfinished() async throws {
        let household = try await TestHousehold()
        let folder = try TemporaryFolder()
        let place = folder.path + "/b"
        try FileManager.default.createDirectory(atPath: place + "/keys", withIntermediateDirectories: true)
        #expect(await refusal { _ = try await household.journal.maintenance.backUp(to: place, household.owner) } != nil)
        #expect(try household.journal.backups().map(\.place) == [place])
        #expect(try household.journal.backups().map(\.head) == [0])
        try FileManager.default.removeItem(atPath: place + "/keys")
        let made = try await household.journal.maintenance.backUp(to: place, household.owner)
        #expect(try household.journal.backups().map(\.head) == [made.report.head])
    }

    @Test("A refused backup is recorded, and nothing is copied")
    func refused() async throws {
        let household = try await TestHousehold()
        let anna = try await household.account("Anna")
        let folder = try TemporaryFolder()
        let head = try household.head
        let error = await refusal { _ = try await household.journal.maintenance.backUp(to: folder.path + "/b", anna) }
        #expect(error?.code == .refused)
        let events = try household.events(after: head)
        #expect(events.map(\.type) == [AccessDenied.type])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/b"))
    }
}
