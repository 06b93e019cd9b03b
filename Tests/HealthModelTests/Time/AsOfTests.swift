import Foundation
import Testing

@testable import HealthModel

@Suite("Positions, times and dates")
struct AsOfTests {
    @Test(
        "A position, a time and a date are each parsed and written in the same form",
        arguments: [
            ("42", AsOf.position(42)), ("0", .position(0)), ("18446744073709551615", .position(.max)),
            ("2024", .position(2_024)), ("2024-02-16", .day(Day(daysSince1970: 19_769))),
            ("2024-02-16T08:30", .minute(WallMoment(day: Day(daysSince1970: 19_769), time: WallTime(minutes: 510)))),
            ("2024-02-16T00:00:00Z", .instant(Instant(microseconds: 1_708_041_600_000_000))),
        ]
    )
    func parses(text: String, expected: AsOf) throws {
        #expect(try AsOf(parsing: text) == expected)
        #expect(expected.description == text)
    }

    @Test(
        "Text that is not a position, a time or a date is refused",
        arguments: ["", "-1", "18446744073709551616", "yesterday", "2024-02-30", "4 2", "٤٢"]
    )
    func refusesOtherText(text: String) {
        #expect(refusal { try AsOf(parsing: text) }?.code == .invalid)
    }

    @Test(
        "A minute ends with its last microsecond, and is the later one if the clocks show it twice",
        arguments: [
            ("Europe/Berlin", "2024-02-16T08:30", "2024-02-16T07:30:59.999999Z"),
            ("Europe/Berlin", "2024-10-27T02:30", "2024-10-27T01:30:59.999999Z"),
            // A minute over which the clocks are set forward ends when they are.
            ("Europe/Berlin", "2024-03-31T02:30", "2024-03-31T00:59:59.999999Z"),
            ("UTC", "2024-03-31T02:30", "2024-03-31T02:30:59.999999Z"),
        ]
    )
    func endsOfMinutes(zone: String, minute: String, end: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(try AsOf(parsing: minute).upperBound(in: zone)?.description == end)
    }

    @Test(
        "What begins with a minute begins with the earlier one if the clocks show it twice",
        arguments: [
            ("2024-02-16T08:30", "2024-02-16T07:29:59.999999Z"), ("2024-10-27T02:30", "2024-10-27T00:29:59.999999Z"),
            ("2024-03-31T02:30", "2024-03-31T00:59:59.999999Z"),
        ]
    )
    func beginningsOfMinutes(minute: String, before: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(try AsOf(parsing: minute).timeBefore(in: zone)?.description == before)
    }

    @Test(
        "A day ends with its last microsecond in the time zone",
        arguments: [
            ("UTC", "2024-03-31", "2024-03-31T23:59:59.999999Z"),
            // In Berlin the clocks change during the night, before the day ends.
            ("Europe/Berlin", "2024-03-30", "2024-03-30T22:59:59.999999Z"),
            ("Europe/Berlin", "2024-03-31", "2024-03-31T21:59:59.999999Z"),
            ("Europe/Berlin", "2024-10-26", "2024-10-26T21:59:59.999999Z"),
            ("Europe/Berlin", "2024-10-27", "2024-10-27T22:59:59.999999Z"),
            // In São Paulo the clock change skipped midnight in spring and repeated the last hour of the day in autumn.
            ("America/Sao_Paulo", "2018-11-03", "2018-11-04T02:59:59.999999Z"),
            ("America/Sao_Paulo", "2018-02-17", "2018-02-18T02:59:59.999999Z"),
            // In Havana the clocks are set back from one o'clock to midnight.
            ("America/Havana", "2024-11-02", "2024-11-03T03:59:59.999999Z"),
            ("Asia/Kathmandu", "2024-01-01", "2024-01-01T18:14:59.999999Z"),
            ("Pacific/Apia", "2011-12-29", "2011-12-30T09:59:59.999999Z"),
            // Apia skipped 30 December: the day ends at the moment at which it would have begun.
            ("Pacific/Apia", "2011-12-30", "2011-12-30T09:59:59.999999Z"),
            ("Pacific/Apia", "2011-12-31", "2011-12-31T09:59:59.999999Z"),
        ]
    )
    func endOfDay(zone: String, day: String, end: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(AsOf.day(try Day(parsing: day)).upperBound(in: zone)?.description == end)
    }

    @Test("The upper bound of a time is the time itself, and a position has none")
    func upperBounds() throws {
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        #expect(AsOf.position(7).upperBound(in: zone) == nil)
        #expect(AsOf.instant(Example.now).upperBound(in: zone) == Example.now)
        #expect(AsOf.day(Day(daysSince1970: .max)).upperBound(in: zone) != nil)
    }

    @Test(
        "Over thirty years, each day ends with its last microsecond by the local clock",
        arguments: [
            "Europe/Berlin", "America/Sao_Paulo", "America/Havana", "Asia/Beirut", "Africa/Cairo",
            "Australia/Lord_Howe",
        ]
    )
    func endOfEveryDay(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        func localDay(_ instant: Instant) -> Day {
            let date = Date(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000)
            let offset = Int64(zone.secondsFromGMT(for: date)) * Instant.microsecondsPerSecond
            return Day(of: Instant(microseconds: instant.microseconds + offset))
        }
        for days in Int32(9_000)..<20_000 {
            let day = Day(daysSince1970: days)
            let end = day.lastInstant(in: zone)
            let next = Instant(microseconds: end.microseconds + 1)
            guard localDay(end) == day, localDay(next) > day else {
                Issue.record("\(day) in \(name) ended at \(end)")
                return
            }
        }
    }
}
