import Foundation
import HealthModel

/// The plans whose doses the benchmarks compute; the peer dateutil has the same ones.
enum CarePlans {
    static let count = 50
    static let zone = "Europe/Zurich"
    static let first = "2026-01-01"
    static let end = "2027-01-01"

    /// A fifth of the plans has each schedule.
    static func all() throws -> [Plan] {
        let anchor = try Day(parsing: first)
        let patterns: [(PlanRule.Pattern.Form, String)] = [
            (.daily, "08:00=1,20:00=1"), (.days, "2@08:00=1"), (.weekdays, "mon,wed,fri@09:30=1"),
            (.monthDays, "1,15@07:00=1"), (.daily, "08:00=1,14:00=1,20:00=1"),
        ]
        return try (0..<count)
            .map { number in
                let (form, text) = patterns[number % patterns.count]
                let rule = PlanRule(
                    id: UUID(),
                    from: WallMoment(day: anchor),
                    pattern: try PlanRule.Pattern(form, parsing: text, anchor: anchor) { UUID() },
                    recordedAt: anchor.startInstant
                )
                return Plan(id: UUID(), rules: [rule])
            }
    }

    /// The clocks of a person who stays in one zone.
    static func clocks() throws -> CareClocks {
        guard let zone = TimeZone(identifier: zone) else { throw WorkError.wrongAnswer }
        var time = Date(timeIntervalSince1970: 1_735_689_600)
        var offsets = ZoneOffsets(initial: zone.secondsFromGMT(for: time))
        while let next = zone.nextDaylightSavingTimeTransition(after: time), next.timeIntervalSince1970 < 1_861_920_000
        {
            let change = ZoneOffsets.Change(
                at: Int64(next.timeIntervalSince1970),
                offset: zone.secondsFromGMT(for: next)
            )
            offsets.changes.append(change)
            time = next
        }
        let table = ZoneTable(version: "machine", zones: [CarePlans.zone: offsets])
        return try CareClocks(ZoneHistory(home: CarePlans.zone), rules: [], table)
    }
}
