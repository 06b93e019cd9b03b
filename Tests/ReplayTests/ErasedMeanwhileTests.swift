import EventLog
import Foundation
import HealthModel
import JournalEvents
import Platform
import TestSupport
import Testing

@testable import replay

@Suite("Verification of a journal in use")
struct ErasedMeanwhileTests {
    private static let records = (1...3).map { Household.id(UInt8(150 + $0)) }

    private static func entry(_ number: Int) -> UUID { UUID(nameBased: Household.ada, "entry \(number)") }
    private static func record(of number: Int) -> UUID { records[number % records.count] }

    private func household(entries: Int) async throws -> Household {
        let house = try Household()
        for record in Self.records {
            let profile = try Household.profile(.animal, [("name", "Pet")])
            try await house.append(.recordCreated(profile, owners: [Household.owner]), about: record)
        }
        for number in 0..<entries {
            let (id, record) = (Self.entry(number), Self.record(of: number))
            let content = try Household.content(Weight.kind, [("value", "\(number + 1)"), ("unit", "kg")])
            try await house.append(.entryAdded(content), about: record, entry: id)
            if number % 3 == 0 { try await house.append(.entryRetracted, about: record, entry: id) }
        }
        return house
    }

    private static func erase(_ number: Int, in log: EventLog) async throws {
        let (id, record) = (entry(number), record(of: number))
        let event = try NewEvent(
            .entryErased,
            id: UUID.timeOrdered(at: EventLog.clock()),
            stream: id,
            subject: record,
            entry: id,
            kind: Weight.kind,
            origin: EventOrigin(actor: Household.owner, source: .commandLine, correlation: .zero, reason: "wrong")
        )
        _ = try await log.erase(entry: id, of: record, events: [event])
    }

    @Test("Records and entries that are erased after a verification began are no differences")
    func afterTheBeginning() async throws {
        let house = try await household(entries: 12)
        let check = try ViewCheck(house.opened)
        for number in [1, 2, 3, 7] { try await Self.erase(number, in: house.log) }
        _ = try await house.erase(Self.records[2], reason: "asked for it")
        let report = try check.run()
        #expect(report.mismatches.map(\.what) == [])
        #expect(report.positions == 19)
    }

    @Test("A verification finds no difference while entries and records are erased all the time")
    func allTheTime() async throws {
        let house = try await household(entries: 120)
        let (log, opened) = (house.log, house.opened)
        let isDone = Guarded(false)
        async let reports = {
            var reports: [ViewReport] = []
            while reports.count < 2 || !isDone.withLock(\.self), reports.count < 50 {
                reports.append(try ViewCheck(opened).run())
            }
            return reports
        }()
        for number in 0..<100 where Self.record(of: number) != Self.records[2] || number < 50 {
            try await Self.erase(number, in: log)
        }
        _ = try await house.erase(Self.records[2], reason: "asked for it")
        isDone.withLock { $0 = true }
        for report in try await reports { #expect(report.mismatches.map(\.what) == []) }
        let last = try ViewCheck(opened).run()
        #expect(last.isSound)
        #expect(last.positions > 200)
    }

    @Test("A key that is gone without an erasure in the log is still found")
    func lostKey() async throws {
        let house = try await household(entries: 6)
        try house.log.keys.destroy([Self.records[0]])
        let report = try ViewCheck(house.opened).run()
        #expect(report.mismatches.contains { $0.what.contains("no event records its erasure") })
        #expect(!report.isSound)
    }
}
