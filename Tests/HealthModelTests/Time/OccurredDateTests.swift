import Testing

@testable import HealthModel

@Suite("Dates of entries")
struct OccurredDateTests {
    @Test("A date remains a year, a month, a day or a time, as it was given")
    func keepsPrecision() throws {
        #expect(try OccurredDate(parsing: "2024-02-16") == .day(Day(parsing: "2024-02-16")))
        #expect(try OccurredDate(parsing: "2024-02") == .date(.month(year: 2024, month: 2)))
        #expect(try OccurredDate(parsing: "2024-02").day.description == "2024-02-01")
        #expect(try OccurredDate(parsing: "2024").description == "2024")
        #expect(try OccurredDate(parsing: "2024").day.description == "2024-01-01")
        #expect(refusal { try OccurredDate(parsing: "2024-13") } != nil)
        #expect(refusal { try OccurredDate(parsing: "24") } != nil)
        #expect(try OccurredDate(parsing: "2024-02-16T00:00:00Z").description == "2024-02-16T00:00:00Z")
        #expect(try OccurredDate(parsing: "2024-02-16T23:30:00-05:00").day.description == "2024-02-17")
    }

    @Test(
        "A date before 1900 or more than 50 years ahead is refused",
        arguments: [
            ("1900-01-01", true), ("1899-12-31", false), ("1899-12-31T23:59:59Z", false),
            ("1900-01-01T00:00:00Z", true), ("1900", true), ("1899-12", false),
            ("2076-03-04", true), ("2076-03-05", false), ("2076-03-04T23:59:59Z", true),
            ("2076-03-05T00:00:00Z", false),
        ]
    )
    func limitsRange(text: String, isTaken: Bool) throws {
        let date = try OccurredDate(parsing: text)
        if isTaken {
            try date.check(field: "date", now: Example.now)
        } else {
            #expect(refusal { try date.check(field: "date", now: Example.now) }?.field == "date")
        }
    }
}
