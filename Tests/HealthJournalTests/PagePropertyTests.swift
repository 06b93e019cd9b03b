import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Pages of entries")
struct PagePropertyTests {
    /// The entries have several kinds, and some are retracted or too late for `happenedBy`, so that a scan for a page
    /// finds many entries that are not part of it.
    @Test("Pages of any length add up to the whole list, now and in the past")
    func pages() async throws {
        var random = SeededGenerator()
        let home = try await TestHousehold()
        let record = try await home.person("Ida")
        var entries: [UUID] = []
        for _ in 0..<60 {
            home.clock.step(milliseconds: Int64.random(in: -3_000...3_000, using: &random))
            let kind = ["weight", "weight", "weight", "doctor", "allergy"][Int.random(in: 0..<5, using: &random)]
            let day = String(format: "2026-02-%02d", Int.random(in: 1...28, using: &random))
            let values = kind == "weight" ? ["value": "70", "date": day] : ["name": "A. Name", "date": day]
            entries.append(try await home.add(kind, values, to: record))
            if Int.random(in: 0..<3, using: &random) == 0, let entry = entries.randomElement(using: &random) {
                _ = await refusal { _ = try await home.journal.entries.retractEntry(entry, home.owner) }
            }
        }
        let positions: [AsOf?] = [nil, .position(try home.head / 2)]
        for asOf in positions {
            for happenedBy in [nil, try Day(parsing: "2026-02-11")] {
                for includesRetracted in [true, false] {
                    let options = ReadOptions(asOf: asOf, happenedBy: happenedBy, includesRetracted: includesRetracted)
                    let whole = try await home.journal.records.read(record, options, home.owner).state.entries
                    #expect(whole.map(\.added.position) == whole.map(\.added.position).sorted())
                    for limit in [1, 2, 7, 100] {
                        #expect(try await pieces(of: record, options, limit, home) == whole, "\(options), \(limit)")
                    }
                }
            }
        }
    }

    private func pieces(
        of record: UUID,
        _ options: ReadOptions,
        _ limit: Int,
        _ home: TestHousehold
    ) async throws -> [EntryState] {
        var options = options
        options.page = Page(limit: limit)
        var found: [EntryState] = []
        while true {
            let page = try await home.journal.records.read(record, options, home.owner).state.entries
            #expect(page.count <= limit)
            found += page
            guard page.count == limit, let last = page.last else { return found }
            options.page.after = last.added.position
        }
    }
}
