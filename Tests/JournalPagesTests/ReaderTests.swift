import Foundation
import HealthModel
import Testing

@testable import JournalPages

@Suite("Formats of dates, numbers and weights")
struct ReaderTests {
    private func reader(_ locale: String = "en-GB", zone: String = "Europe/Zurich", unit: String? = nil) throws
        -> Reader
    {
        Reader(
            ReaderLanguage(Languages.builtIn.english, locale: Locale(identifier: locale)),
            zone: try #require(TimeZone(identifier: zone)),
            weightUnit: unit
        )
    }

    @Test("A change of what an import kept is shown without its text, and only if nothing else that is shown changed")
    func originals() throws {
        var before = EntryContent(kind: Illness.kind)
        try before.set("name", text: "Asthma")
        before.extra = [Extra(name: "$fhir.resource", json: "{}")]
        var after = before
        after.extra[0].json = #"{"resourceType":"Condition"}"#
        #expect(try after.shownChanges(from: before, reader()).map(\.label) == ["Imported original"])
        try after.set("name", text: "Bronchitis")
        #expect(try after.shownChanges(from: before, reader()).map(\.after) == ["Bronchitis"])
    }

    @Test(
        "A day is the same in every time zone",
        arguments: [
            ("en-GB", "Pacific/Auckland", "3 May 2024"), ("en-US", "America/New_York", "May 3, 2024"),
            ("de-DE", "Europe/Berlin", "3. Mai 2024"),
        ]
    )
    func days(_ locale: String, _ zone: String, _ told: String) throws {
        let day = try Day(parsing: "2024-05-03")
        #expect(try reader(locale, zone: zone).day(day) == told)
        #expect(try reader(locale, zone: zone).occurred(.instant(day.startInstant)) == told)
    }

    @Test("A moment is shown in the reader's time zone, with its name")
    func moments() throws {
        let instant = Instant(microseconds: 1_714_768_200_000_000)
        #expect(
            try reader().moment(instant) == "3 May 2024 at 22:30 GMT+2"
                || (try reader().moment(instant)).contains("22:30")
        )
        #expect(try reader(zone: "Pacific/Auckland").day(of: instant) == "4 May 2024")
        #expect(try reader(zone: "GMT").moment(instant).hasSuffix("20:30 UTC"))
    }

    @Test("When something happened is shown without the zone, which the page says once, unless clocks showed it twice")
    func occurrences() throws {
        let summer = try Instant(parsing: "2024-05-03T20:30:00Z")
        #expect(try reader().occurred(.instant(summer)) == "3 May 2024 at 22:30")
        // Clocks were set back from 03:00 to 02:00.
        for utc in ["00:30", "01:30"] {
            let repeated = try Instant(parsing: "2024-10-27T\(utc):00Z")
            #expect(try reader().occurred(.instant(repeated)) == reader().moment(repeated))
            #expect(try reader().moment(repeated) != "27 Oct 2024 at 02:30")
        }
        for utc in ["2024-10-26T23:59:00Z", "2024-10-27T02:00:00Z"] {
            let instant = try Instant(parsing: utc)
            #expect(try reader().occurred(.instant(instant)) != reader().moment(instant), "\(utc)")
        }
        // By half an hour, on Lord Howe Island: from 02:00 to 01:30.
        let lordHowe = try Instant(parsing: "2024-04-06T15:10:00Z")
        let reader = try reader(zone: "Australia/Lord_Howe")
        #expect(reader.occurred(.instant(lordHowe)) == reader.moment(lordHowe))
    }

    @Test(
        "A number keeps all of its digits",
        arguments: [("en-GB", "1,234,567.80"), ("de-DE", "1.234.567,80"), ("de-CH", "1’234’567.80")]
    )
    func numbers(_ locale: String, _ told: String) throws {
        #expect(try reader(locale).number(ExactDecimal(parsing: "1234567.80")) == told)
    }

    @Test("A comma is a decimal separator only in locales that use it")
    func typed() throws {
        #expect(try reader("de-DE").plainNumber("72,5") == "72.5")
        #expect(try reader("de-DE").plainNumber("1.234,5") == "1.234,5")
        #expect(try reader("de-CH").plainNumber("72,5") == "72.5")
        #expect(try reader("en-GB").plainNumber("72,5") == "72,5")
        #expect(try reader("de-DE").typed(ExactDecimal(parsing: "-72.50")) == "-72,50")
    }

    @Test("A weight is shown in the reader's unit, with the value that was entered")
    func weights() throws {
        var content = EntryContent(kind: Weight.kind)
        try content.set("value", text: "180")
        #expect(try reader().weight(content) == "180 (no unit was given)")
        try content.set("unit", text: "lb")
        #expect(try reader().weight(content) == "180\u{A0}lb")
        #expect(try reader(unit: "kg").weight(content) == "81.647\u{A0}kg (recorded as 180\u{A0}lb)")
        #expect(try reader(unit: "st").weight(content) == "12\u{A0}st 12\u{A0}lb (recorded as 180\u{A0}lb)")
        try content.set("value", text: "75.4")
        try content.set("unit", text: "kg")
        #expect(try reader(unit: "st").weight(content) == "11\u{A0}st 12.2\u{A0}lb (recorded as 75.4\u{A0}kg)")
        // A rounded remainder of 14 pounds is a stone.
        try content.set("value", text: "6.35029")
        #expect(try reader(unit: "st").weight(content) == "1\u{A0}st 0\u{A0}lb (recorded as 6.35029\u{A0}kg)")
    }

    @Test(
        "An age is in whole years, or in months for the youngest",
        arguments: [
            ("2000-03-01", "2024-02-29", "23 years"), ("2000-03-01", "2024-03-01", "24 years"),
            ("2023-05-31", "2024-02-28", "8 months"), ("2023-05-31", "2024-02-29", "9 months"),
            ("2024-03-01", "2024-02-29", "not born yet"),
            ("1951", "2024-07-01", "72–73 years"), ("1951", "2024-12-31", "73 years"),
            ("1951-03", "2024-07-01", "73 years"),
            ("2022", "2024-06-01", "17 months – 2 years"), ("2024", "2024-03-05", "0–2 months"),
        ]
    )
    func ages(_ birth: String, _ today: String, _ told: String) throws {
        #expect(try reader().age(from: PartialDate(parsing: birth), to: Day(parsing: today)) == told)
    }
}
