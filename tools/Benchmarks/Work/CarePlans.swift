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

    /// The clocks of a person who stays in Zurich, where they change on the last Sundays of March and October.
    ///
    /// They are written out, because a program that is linked statically may lack the table of time zones.
    static func clocks() throws -> CareClocks {
        var offsets = ZoneOffsets(initial: 3_600)
        for year in 2_025...2_028 {
            for (month, offset) in [(3, 7_200), (10, 3_600)] {
                guard var day = Day(year: year, month: month, day: 31) else { throw WorkError.wrongAnswer }
                while day.weekday != .sunday { day = day.adding(days: -1) }
                // At 01:00 UTC.
                let time = Int64(day.daysSince1970) * 86_400 + 3_600
                offsets.changes.append(ZoneOffsets.Change(at: time, offset: offset))
            }
        }
        return try CareClocks(
            ZoneHistory(home: CarePlans.zone),
            rules: [],
            ZoneTable(version: "written out", zones: [CarePlans.zone: offsets])
        )
    }
}
