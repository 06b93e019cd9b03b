import Foundation
import Testing

@testable import HealthModel

@Suite("Times as people read and type them")
struct ShownTimeTests {
    @Test(
        "A time is shown in a zone with its offset, to the second",
        arguments: [
            ("2026-03-01T07:00:00.123456Z", "Europe/Zurich", "2026-03-01T08:00:00+01:00"),
            ("2026-07-01T22:30:00Z", "Europe/Zurich", "2026-07-02T00:30:00+02:00"),
            ("2026-07-01T22:30:59.999999Z", "America/St_Johns", "2026-07-01T20:00:59-02:30"),
            ("2026-07-01T22:30:00Z", "UTC", "2026-07-01T22:30:00Z"),
            ("1969-12-31T23:59:59.5Z", "UTC", "1969-12-31T23:59:59Z"),
        ]
    )
    func shown(time: String, zone: String, text: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let instant = try Instant(parsing: time)
        #expect(instant.text(in: zone) == text)
        // What is shown can be typed, and means the same second.
        let typed = try AsOf(typed: text).throughItsSecond
        guard case .instant(let end) = typed else { throw ModelError(.invalid, "not a time") }
        #expect(end >= instant)
        #expect(end.microseconds - instant.microseconds < 1_000_000)
    }

    @Test(
        "A time is typed by the clocks of a zone; one that they skip or show twice is refused with what to write",
        arguments: [
            ("2026-03-01T08:00", "Europe/Zurich", "2026-03-01T07:00:00Z"),
            ("2026-07-01 08:00", "Europe/Zurich", "2026-07-01T06:00:00Z"),
            ("2026-03-01T08:00:00Z", "Europe/Zurich", "2026-03-01T08:00:00Z"),
            ("2026-03-29T02:30", "Europe/Zurich", "set forward"),
            ("2026-10-25T02:30", "Europe/Zurich", "2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00"),
            ("2026-03-01T25:00", "Europe/Zurich", "not"), ("2026-03-01X08:00", "Europe/Zurich", "not"),
        ]
    )
    func typed(text: String, zone: String, expected: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        do {
            let instant = try Instant(typed: text, in: zone)
            #expect(instant.description == expected)
            #expect(try OccurredDate(typed: text, in: zone) == .instant(instant))
        } catch {
            #expect(error.message.contains(expected), "\(error.message)")
        }
    }

    @Test("A day, a month and a year are typed as such", arguments: ["2026-03-01", "2026-03", "2026"])
    func partial(text: String) throws {
        #expect(try OccurredDate(typed: text, in: .gmt) == .date(PartialDate(parsing: text)))
    }

    @Test(
        "A position has its sign, or cannot be taken for a year",
        arguments: [("#2026", 2_026), ("42", 42), ("#7", 7), ("18990", 18_990), ("2200", 2_200)] as [(String, UInt64)]
    )
    func positions(text: String, position: UInt64) throws {
        #expect(try AsOf(typed: text) == .position(position))
    }

    @Test("A number that could be a year is refused with what to write", arguments: ["2026", "1984"])
    func ambiguous(text: String) throws {
        let error = #expect(throws: ModelError.self) { try AsOf(typed: text) }
        #expect(error?.message.contains("#\(text)") == true)
        #expect(throws: ModelError.self) { try AsOf(typed: "#") }
    }
}
