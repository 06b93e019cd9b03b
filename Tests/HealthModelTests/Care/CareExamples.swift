import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The names of zones whose clocks differ much.
let travelledZones = [
    "Europe/Zurich", "Europe/Lisbon", "Asia/Kathmandu", "Pacific/Honolulu", "Pacific/Auckland", "Pacific/Apia",
    "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca", "UTC",
]

extension ZoneTable {
    /// The time zones of this machine, from 2000 to 2040.
    static let real = ZoneTable(
        version: "real",
        zones: Dictionary(uniqueKeysWithValues: travelledZones.map { ($0, ZoneOffsets(ofMachine: $0)) })
    )

    /// Time zones that do not exist, with jumps of up to 26 hours at any time.
    static func random(_ random: inout SeededGenerator) -> ZoneTable {
        var zones: [String: ZoneOffsets] = [:]
        for name in travelledZones {
            var offsets = ZoneOffsets(initial: random.int(-52...52) * 900)
            var time = Int64(1_767_225_600) - 86_400 * 40
            for _ in 0..<random.below(8) {
                time += Int64(random.int(1...100)) * 43_200 + Int64(random.below(1_440)) * 60
                offsets.changes.append(ZoneOffsets.Change(at: time, offset: random.int(-52...52) * 900))
            }
            zones[name] = offsets
        }
        return ZoneTable(version: "random", zones: zones)
    }
}

extension ZoneOffsets {
    fileprivate init(ofMachine name: String) {
        let zone = TimeZone(identifier: name) ?? .gmt
        var time = Date(timeIntervalSince1970: 946_684_800)
        self.init(initial: zone.secondsFromGMT(for: time))
        while let next = zone.nextDaylightSavingTimeTransition(after: time),
            next < Date(timeIntervalSince1970: 2_208_988_800)
        {
            changes.append(Change(at: Int64(next.timeIntervalSince1970), offset: zone.secondsFromGMT(for: next)))
            time = next
        }
    }
}

extension ZoneHistory {
    /// Creates a random history of journeys in 2026.
    static func random(_ random: inout SeededGenerator) throws -> ZoneHistory {
        var history = ZoneHistory(home: try random.pick(travelledZones))
        var time = Int64(1_767_225_600) - 86_400 * 20
        for _ in 0..<random.below(6) {
            time += Int64(random.int(1...2_400)) * 3_600 + Int64(random.below(60)) * 60
            let from = Instant(microseconds: time * Instant.microsecondsPerSecond)
            history.changes.append(Change(from: from, zone: try random.pick(travelledZones)))
        }
        return history
    }
}

extension PlanRule {
    /// Creates a rule for random days and times of 2026.
    static func randomDays(_ random: inout SeededGenerator) throws -> PlanRule {
        func day(_ range: ClosedRange<Int>) -> Day { Day(daysSince1970: Int32(20_454 + random.int(range))) }
        let from = WallMoment(day: day(-30...300), time: random.bool() ? nil : WallTime(minutes: random.below(1_440)))
        let minutes = Set((0..<random.int(1...4)).map { _ in random.below(96) * 15 }).sorted()
        let weekdays = Set(Weekday.allCases.filter { _ in random.bool() })
        let filter = DayFilter(
            everyDays: random.below(3) == 0 ? random.int(1...9) : nil,
            weekdays: random.below(3) == 0 && !weekdays.isEmpty ? weekdays : nil,
            monthDays: random.below(4) == 0 ? [.day(random.int(1...31)), random.bool() ? .last : .day(31)] : nil,
            cycle: random.below(4) == 0 ? .init(daysOn: random.int(1...21), daysOff: random.int(1...9)) : nil,
            anchor: day(-60...60)
        )
        let times = try minutes.map { minute in
            DoseTime(
                id: random.id(),
                at: try #require(WallTime(minutes: minute)),
                intake: Intake(amount: random.amount())
            )
        }
        return PlanRule(
            id: random.id(),
            from: from,
            until: random.bool() ? nil : WallMoment(day: from.day.adding(days: random.int(1...200))),
            clock: random.below(4) == 0 ? .zone(try random.pick(travelledZones)) : .local,
            pattern: .days(filter, times: times),
            recordedAt: Instant(microseconds: 1_770_000_000_000_000)
        )
    }
}

extension Plan {
    static func random(_ random: inout SeededGenerator) throws -> Plan {
        Plan(
            id: random.id(),
            rules: try (0..<random.int(1...3)).map { _ in try .randomDays(&random) },
            limits: DoseLimits(minimumInterval: random.bool() ? nil : random.int(1...600)),
            early: random.int(0...240),
            late: random.int(5...1_440)
        )
    }

    /// Creates a plan with one rule for each day.
    init(daily times: String..., from day: String, clock: PlanRule.Clock = .local) throws {
        var number: UInt8 = 0
        func id() -> UUID {
            number += 1
            return UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        }
        let first = try Day(parsing: day)
        let pattern = try PlanRule.Pattern(.daily, parsing: times.joined(separator: ","), anchor: first, newID: id)
        let rule = PlanRule(id: id(), from: WallMoment(day: first), clock: clock, pattern: pattern, recordedAt: .epoch)
        self.init(id: id(), rules: [rule])
    }

    /// Returns what is due between two days by the person's clock, of which the second one is not included.
    func due(_ from: String, _ to: String, _ clocks: CareClocks) throws -> [Due] {
        let start = clocks.person.moment(of: WallMoment(day: try Day(parsing: from))).instant
        let end = clocks.person.moment(of: WallMoment(day: try Day(parsing: to))).instant
        return try due(from: start, until: end, clocks)
    }
}

extension CareClocks {
    /// Creates the clocks of a person who was at home, and then in other zones.
    init(_ home: String, _ journeys: (from: String, zone: String)..., plan: Plan) throws {
        let changes = try journeys.map { ZoneHistory.Change(from: try Instant(parsing: $0.from), zone: $0.zone) }
        try self.init(ZoneHistory(home: home, changes: changes), rules: plan.rules, .real)
    }
}

extension LoggedDose {
    /// Creates a dose that was taken.
    static func taken(
        _ slot: Slot? = nil,
        at: Instant,
        amount: ExactDecimal? = ExactDecimal(coefficient: 1, scale: 0),
        _ random: inout SeededGenerator
    ) -> LoggedDose {
        LoggedDose(id: random.id(), plan: .zero, slot: slot, status: .taken, at: at, amount: amount)
    }
}

extension SeededGenerator {
    mutating func id() -> UUID { UUID(bytes: bytes(16)) ?? .zero }

    /// Returns an amount that people take: a whole number, or a half, a third, a quarter or a fifth of it.
    mutating func amount() -> ExactDecimal {
        ExactDecimal(Int128(int(1...8)), over: Int128(int(1...5))) ?? ExactDecimal(coefficient: 1, scale: 0)
    }
}

extension UUID {
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension Instant {
    static let epoch = Instant(microseconds: 0)

    /// Parses an RFC 3339 time.
    static func at(_ text: String) throws -> Instant { try Instant(parsing: text) }
}
