import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

/// Several devices report one planned dose, and some undo their report.
@Suite struct DoseReportTests {
    private static func dose(
        _ status: LoggedDose.Status = .taken,
        at minute: Int,
        amount: String = "1"
    ) throws -> EntryContent {
        let slot = Slot.time(rule: Example.id(30), day: try Day(parsing: "2026-03-02"), time: Example.id(31))
        var values = [("of", Example.id(29).text), ("slot", slot.description), ("status", status.rawValue)]
        if status == .taken { values.append(("amount", amount)) }
        let time = minute < 10 ? "0\(minute)" : "\(minute)"
        return try Example.content(Dose.kind, date: "2026-03-02T07:\(time):00Z", values)
    }

    /// Phone and tablet report the dose; the tablet's report is shown if `times.1` is earlier.
    private static func reported(_ times: (Int, Int)) throws -> SyncLog {
        var log = SyncLog()
        _ = try log.send(.log, dose(at: times.0), device: 1, madeAt: 1)
        _ = try log.send(.log, dose(at: times.1), device: 2, madeAt: 2)
        return log
    }

    @Test(arguments: [(2, 3), (3, 2), (3, 3), (2, 40), (40, 2)])
    func anUndoLeavesTheOtherReport(_ times: (Int, Int)) throws {
        for device in [1, 2] as [UInt8] {
            var log = try Self.reported(times)
            let undone = try log.send(.retract, base: device == 1 ? 1 : nil, device: device, madeAt: 3)
            #expect(undone.outcome == .merged)
            #expect(log.state?.isRetracted == false)
            #expect(try log.state?.content == Self.dose(at: device == 1 ? times.1 : times.0))
            #expect(log.open.isEmpty)
            // When the other device withdraws its report too, there is no dose.
            let other: UInt8 = 3 - device
            _ = try log.send(.retract, base: other == 1 ? 1 : nil, device: other, madeAt: 4)
            #expect(log.state?.isRetracted == true)
        }
    }

    @Test func whoKnewOfBothReportsWithdrawsTheDose() throws {
        var log = try Self.reported((2, 3))
        let head = UInt64(log.events.count)
        #expect(try log.send(.retract, base: head, device: 1, madeAt: 3).outcome == .taken)
        #expect(log.state?.isRetracted == true)
    }

    @Test func aSkippedDoseStandsAfterTheTakenOneIsUndone() throws {
        var log = SyncLog()
        _ = try log.send(.log, Self.dose(.skipped, at: 5), device: 1, madeAt: 1)
        #expect(try log.send(.log, Self.dose(at: 9), device: 2, madeAt: 2).outcome == .diverged)
        _ = try log.send(.retract, device: 2, madeAt: 3)
        #expect(try log.state?.content == Self.dose(.skipped, at: 5))
        #expect(log.open.isEmpty)
        #expect(log.state?.isRetracted == false)
    }

    @Test func aWithdrawnReportIsRepeated() throws {
        var log = try Self.reported((2, 3))
        _ = try log.send(.retract, base: 1, device: 1, madeAt: 3)
        #expect(try log.state?.content == Self.dose(at: 3))
        _ = try log.send(.restore, base: 1, device: 1, madeAt: 4)
        #expect(try log.state?.content == Self.dose(at: 2))
        _ = try log.send(.retract, device: 2, madeAt: 5)
        #expect(try log.state?.content == Self.dose(at: 2) && log.state?.isRetracted == false)
    }

    /// Work is not thrown away: a correction of the dose by somebody else is decided on.
    @Test func aCorrectedDoseStaysUntilSomebodyDecides() throws {
        var log = try Self.reported((2, 3))
        let corrected = try Self.dose(at: 2, amount: "2")
        _ = try log.send(.correct, corrected, base: UInt64(log.events.count), device: 3, madeAt: 3)
        #expect(try log.send(.retract, base: 1, device: 1, madeAt: 4).outcome == .diverged)
        #expect(log.state?.content == corrected)
        #expect(log.state?.isRetracted == false)
        #expect(log.open.map(\.kept.isRetracted) == [true])
    }

    /// Whatever order reports and undos arrive in, the dose is the best of the reports that nobody withdrew.
    @Test func theDoseIsTheBestOfTheStandingReports() throws {
        try checkProperty("reports of one dose", times: 1_000) { random, comment in
            var log = SyncLog()
            // What each device reports, by the position of its report; nil once it is withdrawn.
            var standing: [UInt8: (content: EntryContent, position: UInt64)] = [:]
            var values: [EntryContent] = []
            // Where what was sent together ends.
            var heads: [UInt64] = []
            for step in 1...random.int(2...12) {
                let device = UInt8(random.int(1...3))
                if standing[device] != nil, random.bool() {
                    let base = random.bool() ? nil : try random.pick(heads)
                    _ = try log.send(.retract, base: base, device: device, madeAt: Int64(step))
                    standing[device] = nil
                    standing = standing.filter { $0.value.position > base ?? 0 }
                } else {
                    let status: LoggedDose.Status = random.below(4) == 0 ? .skipped : .taken
                    // Times differ, so that the expectation does not depend on who was later.
                    let content = try Self.dose(status, at: step + 12 * random.int(0...3))
                    _ = try log.send(.log, content, device: device, madeAt: Int64(step))
                    standing[device] = (content, UInt64(log.events.count))
                    values.append(content)
                }
                heads.append(UInt64(log.events.count))
                let best = standing.values.map(\.content)
                    .min { left, right in
                        let skipped = [left, right].map { $0.body.text(Dose.status) == "skipped" ? 1 : 0 }
                        return (skipped[0], "\(left.date, default: "")") < (skipped[1], "\(right.date, default: "")")
                    }
                #expect(log.state?.isRetracted == (best == nil), comment)
                if let best { #expect(log.state?.content == best, comment) }
            }
            // S3: each report is in the log.
            let kept = log.events.compactMap { $0.event.content ?? ($0.event.data as? EntryDiverged)?.content }
            #expect(Set(kept).isSuperset(of: values), comment)
        }
    }

    /// S7: with clocks that are wrong by up to ten years, no dose is refused, none is later than its receipt, and what
    /// the device stated is in the log.
    @Test func aWrongClockLosesNoDose() throws {
        try checkProperty("wrong clocks", times: 500) { random, comment in
            var log = SyncLog()
            let year: Int64 = 366 * 86_400_000_000
            var clocks: [UInt8: Int64] = [:]
            for device in 1...3 as ClosedRange<UInt8> {
                clocks[device] = Int64.random(in: -10 * year...10 * year, using: &random)
            }
            for step in 1...random.int(1...6) {
                let device = UInt8(random.int(1...3))
                let ahead = clocks[device] ?? 0
                // By a right clock.
                let time = SyncLog.now.adding(microseconds: -Int64(random.int(0...86_400)) * 1_000_000)
                var content = try Self.dose(at: step)
                content.date = .instant(time.adding(microseconds: ahead))
                _ = try log.send(.log, content, device: device, madeAt: Int64(step), offset: -ahead)
                let values = log.events.compactMap { $0.event.content ?? ($0.event.data as? EntryDiverged)?.content }
                #expect(values.contains { $0.date == .instant(time) || ahead.magnitude <= 300_000_000 }, comment)
                #expect(
                    values.contains {
                        [$0.date, $0.body.instant(Dose.stated).map { .instant($0) }].contains(content.date)
                    },
                    comment
                )
                for value in values {
                    if case .instant(let at)? = value.date { #expect(at <= SyncLog.now, comment) }
                }
            }
        }
    }

    /// A device that sends no clock: a dose that seems to lie ahead was taken before it is received.
    @Test func aDoseThatLiesAheadIsTakenAtTheReceipt() throws {
        var log = SyncLog()
        var content = try Self.dose(at: 1)
        let ahead = SyncLog.now.adding(microseconds: 3_600_000_000)
        content.date = .instant(ahead)
        #expect(try log.send(.log, content, device: 1, madeAt: 1).outcome == .taken)
        #expect(log.state?.content.date == .instant(SyncLog.now))
        #expect(log.state?.content.body.instant(Dose.stated) == ahead)
        // The device corrects its dose before it knows of the time of the service.
        content.comment = "with water"
        #expect(try log.send(.correct, content, device: 1, madeAt: 2, offset: -7).outcome == .taken)
        #expect(log.state?.content.date == .instant(SyncLog.now))
        #expect(log.state?.content.comment == "with water")
    }
}
