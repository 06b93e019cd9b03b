import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

/// Decisions on changes that devices send, as given, when, then.
@Suite struct SyncDecisionTests {
    private static func weight(_ value: String, comment: String = "") throws -> EntryContent {
        var content = try Example.content(Weight.kind, date: "2026-03-02", [("value", value), ("unit", "kg")])
        content.comment = comment
        return content
    }

    private static func dose(_ status: String, at minute: String, amount: String? = "1") throws -> EntryContent {
        let slot = Slot.time(rule: Example.id(30), day: try Day(parsing: "2026-03-02"), time: Example.id(31))
        var values = [("of", Example.id(29).text), ("slot", slot.description), ("status", status)]
        if let amount { values.append(("amount", amount)) }
        return try Example.content(Dose.kind, date: "2026-03-02T07:\(minute):00Z", values)
    }

    @Test func changesOfDifferentFieldsAreMerged() throws {
        var log = SyncLog()
        #expect(try log.send(.add, Self.weight("70"), device: 1, madeAt: 1).outcome == .taken)
        #expect(try log.send(.correct, Self.weight("71"), base: 1, device: 1, madeAt: 5).outcome == .taken)
        let merged = try log.send(.correct, Self.weight("70", comment: "late"), base: 1, device: 2, madeAt: 3)
        #expect(merged.outcome == .merged)
        #expect(try log.state?.content == Self.weight("71", comment: "late"))
        #expect(log.open.isEmpty)
    }

    @Test(arguments: [true, false]) func theLaterOfTwoCorrectionsIsShown(_ isFirstLater: Bool) throws {
        var log = SyncLog()
        _ = try log.send(.add, Self.weight("70"), device: 1, madeAt: 1)
        _ = try log.send(.correct, Self.weight("71"), base: 1, device: 1, madeAt: isFirstLater ? 9 : 2)
        let sent = try log.send(.correct, Self.weight("72"), base: 1, device: 2, madeAt: 5)
        #expect(sent.outcome == .diverged)
        #expect(sent.fields == ["value"])
        #expect(try log.state?.content == Self.weight(isFirstLater ? "71" : "72"))
        let kept = try #require(log.open.first?.kept)
        #expect(try kept.content == Self.weight(isFirstLater ? "72" : "71"))
        #expect(kept.writer.origin.device == Example.id(isFirstLater ? 2 : 1))
    }

    /// The second change of a device is made on its own first one, not on what others sent.
    @Test func aDeviceDoesNotDisagreeWithItself() throws {
        var log = SyncLog()
        _ = try log.send(.add, Self.weight("70"), device: 1, madeAt: 1)
        _ = try log.send(.correct, Self.weight("71"), base: 1, device: 2, madeAt: 2)
        _ = try log.send(.correct, Self.weight("70", comment: "noon"), base: 1, device: 3, madeAt: 3)
        let again = try log.send(.correct, Self.weight("72"), base: 1, device: 2, madeAt: 4)
        #expect(again.outcome == .merged)
        #expect(try log.state?.content == Self.weight("72", comment: "noon"))
        #expect(log.open.isEmpty)
    }

    @Test func aLostVersionIsNotKeptTwice() throws {
        var log = SyncLog()
        _ = try log.send(.add, Self.weight("70"), device: 1, madeAt: 1)
        _ = try log.send(.correct, Self.weight("71"), base: 1, device: 1, madeAt: 9)
        _ = try log.send(.correct, Self.weight("72"), base: 1, device: 2, madeAt: 5)
        let second = try log.send(.correct, Self.weight("72", comment: "x"), base: 1, device: 2, madeAt: 6)
        #expect(second.outcome == .merged)
        #expect(try log.state?.content == Self.weight("71", comment: "x"))
        #expect(log.open.count == 1)
    }

    @Test(arguments: [true, false]) func aCorrectionPrevailsOverARetraction(_ isRetractedFirst: Bool) throws {
        var log = SyncLog()
        _ = try log.send(.add, Self.weight("70"), device: 3, madeAt: 1)
        func retract() throws { _ = try log.send(.retract, base: 1, device: 1, madeAt: 9) }
        func correct() throws { _ = try log.send(.correct, Self.weight("71"), base: 1, device: 2, madeAt: 2) }
        if isRetractedFirst {
            try retract()
            try correct()
        } else {
            try correct()
            try retract()
        }
        #expect(log.state?.isRetracted == false)
        #expect(try log.state?.content == Self.weight("71"))
        #expect(log.open.map(\.kept.isRetracted) == [true])
        #expect(log.open.first?.kept.fields == ["retracted"])
    }

    @Test(arguments: [true, false]) func twoReportsOfOneDoseAreOne(_ isEarlierFirst: Bool) throws {
        var log = SyncLog()
        let times = isEarlierFirst ? ["02", "03"] : ["03", "02"]
        _ = try log.send(.log, Self.dose("taken", at: times[0]), device: 1, madeAt: 1)
        let second = try log.send(.log, Self.dose("taken", at: times[1]), device: 2, madeAt: 2)
        #expect(second.outcome == .merged)
        #expect(try log.state?.content == Self.dose("taken", at: "02"))
        #expect(log.open.isEmpty)
        // Each report is in the log.
        let values = log.events.compactMap { event in
            event.event.content ?? (event.event.data as? EntryDiverged)?.content
        }
        #expect(try Set(values) == [Self.dose("taken", at: "02"), Self.dose("taken", at: "03")])
    }

    @Test(arguments: [true, false]) func reportsFarApartDiverge(_ isEarlierFirst: Bool) throws {
        var log = SyncLog()
        let times = isEarlierFirst ? ["02", "40"] : ["40", "02"]
        _ = try log.send(.log, Self.dose("taken", at: times[0]), device: 1, madeAt: 1)
        #expect(try log.send(.log, Self.dose("taken", at: times[1]), device: 2, madeAt: 2).outcome == .diverged)
        #expect(try log.state?.content == Self.dose("taken", at: "02"))
        let open = try #require(log.open.first)
        #expect(try open.kept.content == Self.dose("taken", at: "40"))
        let state = try #require(log.state)
        let both = try settle(open, .both, state, now: SyncLog.now)
        #expect(both.added?.body[Dose.slot] == nil)
        #expect(both.added?.date == open.kept.content.date)
        let taken = try settle(open, .take, state, now: SyncLog.now)
        #expect(taken.events.first?.content == open.kept.content)
    }

    @Test(arguments: [true, false]) func whatWasTakenPrevails(_ isTakenFirst: Bool) throws {
        var log = SyncLog()
        let reports = [try Self.dose("taken", at: "02"), try Self.dose("skipped", at: "30", amount: nil)]
        for (index, report) in (isTakenFirst ? reports : reports.reversed()).enumerated() {
            _ = try log.send(.log, report, device: UInt8(index + 1), madeAt: Int64(index))
        }
        #expect(log.state?.content == reports[0])
        #expect(log.open.map(\.kept.content) == [reports[1]])
    }

    @Test func aClosedRecordAndAnUnknownEntryAreRefused() throws {
        var log = SyncLog()
        #expect(throws: ModelError.self) {
            try log.send(.correct, Self.weight("71"), base: 1, device: 1, madeAt: 1)
        }
        #expect(throws: ModelError.self) {
            try log.send(.add, Self.weight("-1"), device: 1, madeAt: 1)
        }
        #expect(log.events.isEmpty)
    }

    /// S3 and S10 over random changes of three devices: each value is in the log, and a slot has one planned dose.
    @Test func noValueIsLost() throws {
        try checkProperty("no value is lost", times: 200) { random, comment in
            var log = SyncLog()
            _ = try log.send(.add, Self.weight("70"), device: 1, madeAt: 0)
            var sent: [String] = []
            for step in 0..<random.int(1...12) {
                let base = UInt64(random.int(1...log.events.count))
                let device = UInt8(random.int(1...3))
                let madeAt = Int64(random.int(0...20))
                if random.below(5) == 0 {
                    _ = try log.send(.retract, base: base, device: device, madeAt: madeAt)
                } else {
                    let value = "\(71 + step)"
                    sent.append(value)
                    _ = try log.send(
                        .correct,
                        Self.weight(value, comment: random.bool() ? "c\(step)" : ""),
                        base: base,
                        device: device,
                        madeAt: madeAt
                    )
                }
            }
            let kept = log.events.compactMap { event -> String? in
                let content = event.event.content ?? (event.event.data as? EntryDiverged)?.content
                return content?.body.decimal(Weight.value)?.description
            }
            #expect(Set(kept).isSuperset(of: sent), comment)
        }
    }
}
