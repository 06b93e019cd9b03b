import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import MedicalRecords
import Platform
import Testing

@testable import JournalCore

/// Searches for resources, and counts how often a page was written.
private final class Searches: Sendable {
    private let writes = Guarded(0)

    var count: Int { writes.withLock(\.self) }

    func weights(
        _ record: UUID,
        _ journal: Journal,
        _ caller: Caller,
        asOf moment: AsOf? = nil,
        at address: String = "/Observation"
    ) async throws -> String {
        let search = try FHIRSearch(of: "Observation", [("patient", record.text)])
        let bytes = try await journal.exports.searchFHIR(search, of: record, asOf: moment, at: address, caller) {
            page in
            writes.withLock { $0 += 1 }
            let resources = JSONWriter.text(.array(page.resources))
            return Array("\(address) \(page.total ?? -1) \(page.isPartial) \(resources)".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite("Cached pages of FHIR")
struct FHIRPageTests {
    @Test("A page is written once for its address while nothing changes, and each read of it is recorded")
    func kept() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        let weight = try await home.add("weight", ["value": "170.25"], to: record)
        let then = try home.head
        let searches = Searches()
        for look in 1...3 {
            let before = try home.head
            let page = try await searches.weights(record, home.journal, home.owner)
            #expect(page.hasPrefix("/Observation 1 false"), "look \(look)")
            #expect(page.contains("170.25"), "look \(look)")
            let accesses = try home.events(after: before).map { ($0.event.data as? RecordRead)?.access }
            #expect(accesses.map { $0?.entryCount } == [1] && accesses.map { $0?.action } == [.read], "look \(look)")
            let shown = accesses.first??.shown
            let entry = try home.journal.contents(for: .checking).entry(weight, asOf: before)
            #expect(shown == ShownEntries.each(of: [try #require(entry)]))
        }
        #expect(searches.count == 1)
        #expect(try await searches.weights(record, home.journal, home.owner, at: "/other").hasPrefix("/other 1"))
        #expect(searches.count == 2)

        _ = try await home.journal.entries.correctEntry(weight, home.owner) { content throws(ModelError) in
            try content.set("value", text: "171.25")
        }
        for _ in 0..<2 {
            #expect(try await searches.weights(record, home.journal, home.owner).contains("171.25"))
            let past = try await searches.weights(record, home.journal, home.owner, asOf: .position(then))
            #expect(past.contains("170.25"))
            #expect(!past.contains("171.25"))
        }
        // The present is written once more, and the past each time.
        #expect(searches.count == 5)
        _ = try await home.journal.entries.retractEntry(weight, home.owner)
        #expect(try await searches.weights(record, home.journal, home.owner).hasPrefix("/Observation 0"))
    }

    @Test("The authorization gate decides on each page, cached or not", arguments: Relation.allCases)
    func gate(relation: Relation) async throws {
        let scene = try await Scene(relation)
        let (journal, searches) = (scene.home.journal, Searches())
        // An account with wider access has cached a page before.
        let whole = try await searches.weights(scene.record, journal, scene.home.owner, at: "/a")
        #expect(whole.contains("valueQuantity"))
        var pages: [String] = []
        for address in ["/a", "/a", "/b"] {
            do {
                let page = try await searches.weights(scene.record, journal, scene.caller, at: address)
                pages.append(String(page.dropFirst(2)))
            } catch let error as JournalError {
                pages.append(error.message)
            }
        }
        #expect(Set(pages).count == 1, "\(relation)")
    }
}
