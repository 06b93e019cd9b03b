import TestSupport
import Testing

@testable import HealthModel

@Suite("Times")
struct InstantTests {
    @Test(
        "An RFC 3339 time is parsed to whole microseconds, and other text is refused",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2024-02-16T00:00:00Z", 1_708_041_600_000_000),
            ("2024-02-16t01:00:00.5+01:00", 1_708_041_600_500_000),
            ("2024-02-15T19:00:00.000001-05:00", 1_708_041_600_000_001),
            ("2024-02-16T05:30:00.123456789+05:30", 1_708_041_600_123_456),
            ("1969-12-31T23:59:59.999999Z", -1),
            ("1969-12-31T23:59:59.9999999Z", -1),
            ("2024-02-15T24:00:00Z", nil),
            ("2024-02-16T00:00:00", nil),
            ("2024-02-16T00:00:00.Z", nil),
            ("2024-02-16T00:00:00.1234567890Z", nil),
            ("2024-02-16T00:60:00Z", nil),
            ("2024-02-16T00:00:00+24:00", nil),
            ("2024-02-16T00:00:00+0100", nil),
            ("2024-02-30T00:00:00Z", nil),
            ("2024-02-16T00:00:00Zx", nil),
            ("2024-02-16", nil),
            ("", nil),
        ] as [(String, Int64?)]
    )
    func parses(text: String, microseconds: Int64?) throws {
        if let microseconds {
            #expect(try Instant(parsing: text).microseconds == microseconds)
        } else {
            #expect(refusal { try Instant(parsing: text) }?.code == .invalid)
        }
    }

    @Test("A leap second is refused with an error that names it")
    func refusesLeapSeconds() {
        #expect(refusal { try Instant(parsing: "2016-12-31T23:59:60Z") }?.message.contains("leap second") == true)
    }

    @Test(
        "A time is written with as few groups of three decimal places as it needs",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_708_041_600_500_000, "2024-02-16T00:00:00.500Z"),
            (1_708_041_600_000_001, "2024-02-16T00:00:00.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
        ]
    )
    func fractionDigits(microseconds: Int64, text: String) {
        #expect(Instant(microseconds: microseconds).description == text)
    }

    @Test("A random time is parsed as it was written")
    func roundTrip() throws {
        try checkProperty("instants round trip") { random, comment in
            let instant = random.instant()
            let read = try Instant(parsing: instant.description)
            #expect(read == instant, comment)
        }
    }

    @Test("Seconds since 1970 and since 2001 are converted to times and back")
    func epochs() throws {
        let seconds = try ExactDecimal(parsing: "1708041600")
        #expect(Instant(secondsSince1970: seconds)?.description == "2024-02-16T00:00:00Z")
        #expect(Instant(secondsSinceReference: seconds)?.description == "2055-02-16T00:00:00Z")
        let fraction = try ExactDecimal(parsing: "-0.1234569")
        #expect(Instant(secondsSince1970: fraction)?.microseconds == -123_456)
        #expect(Instant(secondsSince1970: try ExactDecimal(parsing: "1e17")) == nil)
        #expect(try Instant(parsing: "2024-02-16T00:00:00.250Z").secondsSince1970.description == "1708041600.25")
        #expect(try Instant(parsing: "2001-01-01T00:00:00Z").secondsSinceReference.description == "0")
    }
}
