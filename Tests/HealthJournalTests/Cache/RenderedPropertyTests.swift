import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Cached answers after random changes")
struct RenderedPropertyTests {
    /// Compares cached answers with answers that are rendered without the cache, after each of many random changes.
    @Test("A cached answer equals one rendered from scratch")
    func random() async throws {
        var random = SeededGenerator()
        let home = try await TestHousehold()
        let journal = home.journal
        let reads = RenderedReads()
        let callers = [home.owner, try await home.account("anna"), try await home.account("bea")]
        var records: [UUID] = []
        for name in ["Ida", "Otto", "Rex"] { records.append(try await home.person(name)) }
        var entries: [UUID] = []
        var changes = 0
        for _ in 0..<400 {
            home.clock.step(milliseconds: Int64.random(in: -3_000...3_000, using: &random))
            let record = records[Int.random(in: 0..<3, using: &random)]
            let other = callers[Int.random(in: 1..<3, using: &random)].account
            let entry = entries.randomElement(using: &random)
            let number = String(Int.random(in: 1...99, using: &random))
            let choice = Int.random(in: 0..<12, using: &random)
            let error = await refusal {
                switch choice {
                case 0...2: entries.append(try await home.add("weight", ["value": number], to: record))
                case 3: entries.append(try await home.add("doctor", ["name": "Dr. \(number)"], to: record))
                case 4:
                    guard let entry else { return }
                    _ = try await journal.entries.correctEntry(entry, home.owner) { $0.comment = number }
                case 5: if let entry { _ = try await journal.entries.retractEntry(entry, home.owner) }
                case 6: if let entry { _ = try await journal.entries.restoreEntry(entry, home.owner) }
                case 7:
                    _ = try await journal.records.changeRecord(record, home.owner) { profile throws(ModelError) in
                        try profile.set("nickName", text: number)
                    }
                case 8...9:
                    let sections = Section.allCases.filter { _ in Bool.random(using: &random) }
                    let terms = GrantTerms(sections: Set(sections), verbs: [.read])
                    _ = try await journal.sharing.grant(terms, to: other, on: record, home.owner)
                case 10: _ = try await journal.sharing.revoke(other, on: record, home.owner)
                default: _ = try await journal.sharing.addOwner(other, to: record, home.owner)
                }
                changes += 1
            }
            if let error { #expect(error.code != .failed, "\(error)") }
            for _ in 0..<3 {
                try await compare(
                    records[Int.random(in: 0..<3, using: &random)],
                    callers[Int.random(in: 0..<3, using: &random)],
                    Bool.random(using: &random) ? nil : [try #require(Kind.named("weight"))],
                    reads,
                    journal
                )
            }
        }
        #expect(changes > 200)
        #expect(reads.count < 900, "most looks find what was rendered before")
    }

    private func compare(
        _ record: UUID,
        _ caller: Caller,
        _ kinds: [Kind]?,
        _ reads: RenderedReads,
        _ journal: Journal
    ) async throws {
        let options = ReadOptions(kinds: kinds, page: Page(limit: kinds == nil ? .max : 5))
        var texts: [String] = []
        var messages: [String] = []
        do {
            texts.append(try await reads.read(record, journal, caller, options))
        } catch {
            messages.append(error.message)
        }
        do {
            texts.append(try await reads.fresh(record, journal, caller, options))
        } catch {
            messages.append(error.message)
        }
        #expect(texts.count != 1)
        #expect(Set(texts).count <= 1)
        #expect(Set(messages).count <= 1)
    }
}
