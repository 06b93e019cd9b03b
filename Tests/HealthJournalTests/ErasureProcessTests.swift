import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Erasure by another process")
struct ErasureProcessTests {
    @Test("An erasure takes effect at once in another process that has the journal open and has read the record")
    func otherProcess() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let entry = try await home.add("document", ["name": "x"], to: record)
        let attached = try await home.journal.entries.attachDocument(
            Array("bytes".utf8),
            HealthJournalTests.entry("document", ["name": "file"]),
            to: record,
            home.owner
        )
        let file = try #require(attached.entry)
        let other = try ChildProcess(
            [home.folder.path, home.writeMasterKey()] + [record, entry, file].map(\.uuidString),
            tool: "JournalReader"
        )
        #expect(other.readLine() == "read")
        _ = try await home.journal.erasure.eraseRecord(record, home.owner.giving(reason: "asked"))
        try other.say("go on")
        let tries = ["record", "past", "document", "history", "costs", "add", "attach", "open"]
        #expect(other.readLines() == tries.map { "\($0) erased" } + ["records 0"])
        #expect(other.wait() == 0)
    }
}
