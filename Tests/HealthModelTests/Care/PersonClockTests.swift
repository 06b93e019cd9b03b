import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The clock of a person: a time zone with its own changes, and journeys.
@Suite("The person's clock")
struct PersonClockTests {
    @Test("The moment of a time is the first one at which the clock shows it, as in a search minute by minute")
    func moments() throws {
        try checkProperty("moments of a clock", times: 150) { random, comment in
            let table = random.bool() ? ZoneTable.real : .random(&random)
            let history = try ZoneHistory.random(&random)
            let clock = try PersonClock(history, table)
            let slow = SlowClock(history: history, table: table)
            for _ in 0..<4 {
                let day = Day(daysSince1970: Int32(20_454 + random.int(-25...360)))
                let wall = WallMoment(day: day, time: WallTime(minutes: random.below(1_440)))
                let moment = clock.moment(of: wall)
                let expected = slow.moment(of: wall)
                #expect(moment.instant == expected.instant, "\(wall) \(comment)")
                #expect(moment.isInGap == expected.isInGap, "\(wall) \(comment)")
                if !moment.isInGap { #expect(clock.wall(at: moment.instant) == wall, comment) }
            }
        }
    }

    @Test(
        "Times that a clock shows twice or never",
        arguments: [
            ("Europe/Zurich", "2026-03-29T02:30", "2026-03-29T01:30:00Z", true),
            ("Europe/Zurich", "2026-03-29T03:30", "2026-03-29T01:30:00Z", false),
            ("Europe/Zurich", "2026-10-25T02:30", "2026-10-25T00:30:00Z", false),
            ("Pacific/Apia", "2011-12-30T08:00", "2011-12-30T18:00:00Z", true),
            ("Pacific/Apia", "2011-12-31T08:00", "2011-12-30T18:00:00Z", false),
        ]
    )
    func jumps(zone: String, wall: String, instant: String, isInGap: Bool) throws {
        let clock = try PersonClock(ZoneHistory(home: zone), .real)
        let moment = clock.moment(of: try WallMoment(parsing: wall))
        #expect(moment.instant == (try Instant(parsing: instant)))
        #expect(moment.isInGap == isInGap)
    }

    @Test("A zone that the table does not contain is an error")
    func unknownZone() throws {
        #expect(throws: ModelError.self) { try PersonClock(ZoneHistory(home: "Europe/Atlantis"), .real) }
    }
}

/// The definition of the clock, computed minute by minute.
private struct SlowClock {
    let history: ZoneHistory
    let table: ZoneTable

    /// The offset at a minute since 1970, in minutes.
    private func offset(_ minute: Int64) -> Int64 {
        let stay = history.changes.last { $0.from.microseconds <= minute * 60_000_000 }
        let zone = table.zones[stay?.zone ?? history.home] ?? .utc
        let change = zone.changes.last { $0.at <= minute * 60 }
        return Int64((change?.offset ?? zone.initial) / 60)
    }

    func moment(of wall: WallMoment) -> PersonClock.Moment {
        let local = Int64(wall.day.daysSince1970) * 1_440 + Int64(wall.time?.minutes ?? 0)
        let range = (local - 20 * 60)...(local + 20 * 60)
        if let found = range.first(where: { $0 + offset($0) == local }) {
            return PersonClock.Moment(instant: Instant(microseconds: found * 60_000_000), isInGap: false)
        }
        let jump = range.first { $0 + offset($0) > local && $0 - 1 + offset($0 - 1) < local } ?? 0
        let instant = Instant(microseconds: (local - offset(jump - 1)) * 60_000_000)
        return PersonClock.Moment(instant: instant, isInGap: true)
    }
}
