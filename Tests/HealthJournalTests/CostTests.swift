import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import CostSummary
@testable import JournalCore

@Suite("Costs")
struct CostTests {
    private func cost(_ amount: String, _ values: [String: String] = [:]) throws -> EntryContent {
        try entry(
            "cost",
            ["year": "2024", "amount": amount, "basis": "item", "currency": "CHF"].merging(values) { $1 }
        )
    }

    /// Returns the sum and count of each bucket, named "year currency basis category".
    private func totals(_ home: TestHousehold, _ record: UUID, asOf: UInt64? = nil) async throws -> [String: String] {
        let costs = try await home.journal.records.costs(of: record, asOf: asOf.map { .position($0) }, home.owner)
        let totals = try #require(costs.first).totals
        return Dictionary(
            uniqueKeysWithValues: totals.map { total in
                let bucket = total.bucket
                let name = [String(bucket.year), bucket.currency ?? "-", bucket.basis, bucket.category ?? "-"]
                return (name.joined(separator: " "), "\(total.sum) of \(total.count)")
            }
        )
    }

    @Test("Items, yearly totals, currencies, categories and years are summed separately")
    func apart() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Vi")
        for content in try [
            cost("10.50"), cost("20"), cost("1840.50", ["basis": "total"]), cost("5", ["currency": "EUR"]),
            cost("7", ["currency": ""]), cost("8", ["category": "Vet"]), cost("9", ["year": "2025"]), cost("-0.25"),
        ] { _ = try await home.journal.entries.addEntry(content, to: record, home.owner) }
        #expect(
            try await totals(home, record) == [
                "2024 CHF item -": "30.25 of 3", "2024 CHF total -": "1840.50 of 1", "2024 EUR item -": "5 of 1",
                "2024 - item -": "7 of 1", "2024 CHF item Vet": "8 of 1", "2025 CHF item -": "9 of 1",
            ]
        )
    }

    @Test(
        "A correction changes the current sum and no past sum; a retraction removes the cost, and a restore adds it"
    )
    func corrected() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Vi")
        let first = try await home.journal.entries.addEntry(cost("10"), to: record, home.owner)
        let one = try #require(first.entry)
        let added = try await home.journal.entries.addEntry(cost("5"), to: record, home.owner).position
        let moved = try cost("12", ["currency": "EUR"])
        let corrected = try await home.journal.entries.correctEntry(one, home.owner) { $0 = moved }.position
        let retracted = try await home.journal.entries.retractEntry(one, home.owner).position
        let restored = try await home.journal.entries.restoreEntry(one, home.owner).position
        let expected: [(UInt64, [String: String])] = [
            (first.position, ["2024 CHF item -": "10 of 1"]), (added, ["2024 CHF item -": "15 of 2"]),
            (corrected, ["2024 CHF item -": "5 of 1", "2024 EUR item -": "12 of 1"]),
            (retracted, ["2024 CHF item -": "5 of 1"]),
            (restored, ["2024 CHF item -": "5 of 1", "2024 EUR item -": "12 of 1"]),
        ]
        for (position, sums) in expected { #expect(try await totals(home, record, asOf: position) == sums) }
        #expect(try await totals(home, record) == expected.last?.1)
    }

    @Test("A cost without an amount is not counted, and is not subtracted again when it is retracted")
    func amountless() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Vi")
        _ = try await home.journal.entries.addEntry(cost("3"), to: record, home.owner)
        let one = try #require(try await home.journal.entries.addEntry(cost("10"), to: record, home.owner).entry)
        var unknown = try cost("1")
        unknown.body[Cost.amount] = nil
        unknown.inferred = ["amount"]
        let content = unknown
        _ = try await home.journal.entries.correctEntry(one, home.owner) { $0 = content }
        #expect(try await totals(home, record) == ["2024 CHF item -": "3 of 1"])
        _ = try await home.journal.entries.retractEntry(one, home.owner)
        #expect(try await totals(home, record) == ["2024 CHF item -": "3 of 1"])
        _ = try await home.journal.entries.restoreEntry(one, home.owner)
        let again = try cost("4")
        _ = try await home.journal.entries.correctEntry(one, home.owner) { $0 = again }
        #expect(try await totals(home, record) == ["2024 CHF item -": "7 of 2"])
    }

    @Test("The largest and smallest amounts are summed exactly")
    func extremes() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Vi")
        let small = "0." + String(repeating: "0", count: 29) + "1"
        for amount in ["1000000000000", small, "1000000000000", "-" + small, "-" + small] {
            _ = try await home.journal.entries.addEntry(cost(amount), to: record, home.owner)
        }
        let nines = String(repeating: "9", count: 30)
        #expect(try await totals(home, record) == ["2024 CHF item -": "1999999999999.\(nines) of 5"])
    }

    @Test("Sums equal those of integers in the smallest unit")
    func sums() throws {
        var random = SeededGenerator()
        for _ in 0..<500 {
            var sum = ExactSum()
            var expected: Int128 = 0
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let scale = UInt8.random(in: 0...6, using: &random)
                let coefficient = Int64.random(in: -999_999...999_999, using: &random)
                let amount = ExactSum(ExactDecimal(coefficient: coefficient, scale: scale))
                let units = (scale..<6).reduce(Int128(coefficient)) { units, _ in units * 10 }
                let isTaken = Bool.random(using: &random)
                sum = sum + (isTaken ? amount : amount.negated)
                expected += isTaken ? units : -units
            }
            let read = try ExactDecimal(parsing: sum.description)
            #expect(read == ExactDecimal(coefficient: Int64(expected), scale: 6), "\(sum)")
            #expect(sum == ExactSum(read))
            #expect(sum.hashValue == ExactSum(read).hashValue)
            #expect((sum + sum.negated).description.allSatisfy { "0.".contains($0) })
        }
        let price = ExactSum(try ExactDecimal(parsing: "-183.1"))
        #expect(price.text(minimumPlaces: 2) == "-183.10")
        #expect(price.description == "-183.1")
        #expect(ExactSum().text(minimumPlaces: 2) == "0.00")
        #expect(ExactSum(try ExactDecimal(parsing: "0.125")).text(minimumPlaces: 2) == "0.125")
    }
}
