import Foundation
import Testing

@testable import HealthModel

@Suite("Days")
struct DayTests {
    @Test(
        "A date is parsed and written in the same form",
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2000-03-01", 11_017),
            ("1900-01-01", -25_567), ("0000-01-01", -719_528), ("9999-12-31", 2_932_896), ("2024-02-16", 19_769),
        ]
    )
    func parses(text: String, days: Int32) throws {
        let day = try Day(parsing: text)
        #expect(day.daysSince1970 == days)
        #expect(day.description == text)
    }

    @Test(
        "Text that is not a calendar date is refused",
        arguments: [
            "2023-02-29", "1900-02-29", "2024-04-31", "2024-13-01", "2024-00-10", "2024-01-00", "2024-1-1", "24-01-01",
            "2024-01-01 ", " 2024-01-01", "2024/01/01", "20240101", "", "2024-01", "+024-01-01", "２０２４-01-01",
            "2024-01-01T",
        ]
    )
    func refusesInvalidDates(text: String) {
        #expect(refusal { try Day(parsing: text) }?.code == .invalid)
    }

    @Test("The days of four centuries are numbered without gaps, and each month has its correct length")
    func countsEveryDayOfFourCenturies() throws {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var expected = try #require(Day(year: 1_900, month: 1, day: 1)).daysSince1970
        for year in 1_900..<2_300 {
            let isLeap = year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100))
            for month in 1...12 {
                let length = lengths[month - 1] + (isLeap && month == 2 ? 1 : 0)
                for number in 1...length {
                    let day = try #require(Day(year: year, month: month, day: number))
                    guard day.daysSince1970 == expected, day.civil == (year, month, number) else {
                        Issue.record("\(year)-\(month)-\(number) became \(day)")
                        return
                    }
                    expected += 1
                }
                #expect(Day(year: year, month: month, day: length + 1) == nil)
            }
        }
    }

    @Test("A time just before 1970 belongs to the last day of 1969")
    func dayOfInstant() {
        #expect(Day(of: Instant(microseconds: -1)).description == "1969-12-31")
        #expect(Day(of: Instant(microseconds: -1), in: .gmt).description == "1969-12-31")
        #expect(Day(of: Instant(microseconds: 0)).description == "1970-01-01")
        #expect(Day(of: Instant(microseconds: 86_400_000_000 - 1)).description == "1970-01-01")
    }

    @Test("The first and last representable days and times do not overflow")
    func rangeLimits() {
        #expect(Day(daysSince1970: .max).startInstant == Instant(microseconds: .max))
        #expect(Day(daysSince1970: .min).startInstant == Instant(microseconds: .min))
        #expect(Day(daysSince1970: .min).description.hasPrefix("-"))
        #expect(Instant(microseconds: .min).description.hasSuffix("Z"))
        #expect(Instant(microseconds: .max).description.hasSuffix("Z"))
    }

    @Test("A leap day plus some years is the last day of February")
    func addsYearsToLeapDay() throws {
        #expect(try Day(parsing: "2024-02-29").adding(years: 50).description == "2074-02-28")
        #expect(try Day(parsing: "2024-02-29").adding(years: 4).description == "2028-02-29")
    }
}
