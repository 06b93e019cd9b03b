import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("Opening times")
struct OpeningTimesTests {
    private func times(_ hours: [String], _ holidays: [String] = [], emergency: [String] = []) throws -> OpeningTimes {
        var timetables = Dated<Timetable>()
        timetables.set(
            Timetable(
                usual: try WeeklyHours(parsing: hours),
                emergency: try WeeklyHours(parsing: emergency),
                holidays: try holidays.map { try Holiday(parsing: $0) }
            ),
            from: try Day(parsing: "2026-01-01")
        )
        return OpeningTimes(timetables, try PersonClock(ZoneHistory(home: "Europe/Zurich"), .real))
    }

    private func texts(_ spans: [TimeSpan]) -> [String] { spans.map { "\($0.start) \($0.end)" } }

    private func days(_ first: String, _ last: String) throws -> ClosedRange<Day> {
        try Day(parsing: first)...Day(parsing: last)
    }

    @Test("Days around a change of the clocks open by the clock on the wall")
    func days() throws {
        let times = try times(["mon-sun 09:00-17:00"])
        #expect(
            texts(times.usual(on: try days("2027-03-27", "2027-03-28"))) == [
                "2027-03-27T08:00:00Z 2027-03-27T16:00:00Z", "2027-03-28T07:00:00Z 2027-03-28T15:00:00Z",
            ]
        )
    }

    @Test(
        "A night has 7 hours when the clocks are set forward, and 9 when they are set back",
        arguments: [("2027-03-27", 7), ("2027-03-28", 8), ("2027-10-30", 9), ("2027-10-31", 8)]
    )
    func nights(day: String, hours: Int) throws {
        let night = try times(["mon-sun 22:00-06:00"]).usual(on: try days(day, day))
        #expect(night.map(\.minutes) == [hours * 60])
    }

    @Test("A time that comes twice opens at the first and closes at the second; one that is skipped is read as before")
    func twice() throws {
        let back = try times(["sun 02:30-03:30"]).usual(on: try days("2027-10-31", "2027-10-31"))
        #expect(texts(back) == ["2027-10-31T00:30:00Z 2027-10-31T02:30:00Z"])
        let closing = try times(["sun 01:00-02:30"]).usual(on: try days("2027-10-31", "2027-10-31"))
        #expect(texts(closing) == ["2027-10-30T23:00:00Z 2027-10-31T01:30:00Z"])
        let forward = try times(["sun 02:30-04:00"]).usual(on: try days("2027-03-28", "2027-03-28"))
        #expect(texts(forward) == ["2027-03-28T01:30:00Z 2027-03-28T02:00:00Z"])
    }

    @Test("A holiday replaces its day of the week, and a night that began before it runs on")
    func holidays() throws {
        let times = try times(
            ["mon-sun 20:00-06:00"],
            ["2027-04-05 closed Easter Monday", "yearly 2026-08-01 10:00-12:00 National day"]
        )
        #expect(
            texts(times.usual(on: try days("2027-04-04", "2027-04-06"))) == [
                "2027-04-04T18:00:00Z 2027-04-05T04:00:00Z", "2027-04-06T18:00:00Z 2027-04-07T04:00:00Z",
            ]
        )
        #expect(
            texts(times.usual(on: try days("2030-08-01", "2030-08-01"))) == [
                "2030-08-01T08:00:00Z 2030-08-01T10:00:00Z"
            ]
        )
    }

    @Test("The timetable of a day is the last one that begins by then, and none before the first")
    func dated() throws {
        var timetables = Dated<Timetable>()
        for (day, hours) in [("2027-02-01", "mon 09:00-10:00"), ("2027-01-04", "mon 08:00-10:00")] {
            timetables.set(Timetable(usual: try WeeklyHours(parsing: [hours])), from: try Day(parsing: day))
        }
        let times = OpeningTimes(timetables, try PersonClock(ZoneHistory(home: "Europe/Zurich"), .real))
        let starts = times.usual(on: try days("2026-12-28", "2027-02-08")).map(\.start.description)
        #expect(
            starts == [
                "2027-01-04T07:00:00Z", "2027-01-11T07:00:00Z", "2027-01-18T07:00:00Z", "2027-01-25T07:00:00Z",
                "2027-02-01T08:00:00Z", "2027-02-08T08:00:00Z",
            ]
        )
    }

    @Test("A practice is open, takes emergencies only, or is closed until its next opening")
    func states() throws {
        let times = try times(["mon-fri 08:00-12:00"], emergency: ["sat 20:00-06:00"])
        func state(_ now: String) throws -> OpeningTimes.State { times.state(at: try Instant(parsing: now)) }
        #expect(try state("2027-03-01T07:00:00Z") == .open(until: try Instant(parsing: "2027-03-01T11:00:00Z")))
        #expect(try state("2027-03-01T11:00:00Z") == .closed(next: try Instant(parsing: "2027-03-02T07:00:00Z")))
        #expect(
            try state("2027-03-06T23:30:00Z") == .emergencyOnly(until: try Instant(parsing: "2027-03-07T05:00:00Z"))
        )
        #expect(try self.times([]).state(at: try Instant(parsing: "2027-03-01T07:00:00Z")) == .closed(next: nil))
    }

    @Test(
        "Hours are read as they are written, and mistakes are refused",
        arguments: [
            ("mon-fri 08:00-12:00,13:00-17:00", "fri 08:00-12:00,13:00-17:00"), ("mon,thu 8:00-12:00", nil),
            ("mon 13:00-17:00,08:00-12:00", "mon 08:00-12:00,13:00-17:00"), ("sun 22:00-24:00", "sun 22:00-24:00"),
            ("sun 22:00-00:00", "sun 22:00-24:00"), ("mon 08:00", nil), ("fri-mon 08:00-12:00", nil),
            ("day 08:00-12:00", nil), ("mon 25:00-26:00", nil), ("mon", nil),
        ]
    )
    func texts(text: String, last: String?) throws {
        let hours = try? WeeklyHours(parsing: [text])
        #expect(hours?.lines.last == last)
        if let hours { #expect(try WeeklyHours(parsing: hours.lines) == hours) }
    }

    @Test("Hours of a day may not overlap, and there are at most 8 of them")
    func validation() throws {
        let overlapping = try WeeklyHours(parsing: ["mon 08:00-12:00,11:00-13:00"])
        #expect(refusal { try Timetable(usual: overlapping).validate() }?.field == "usual")
        let many = (0..<9).map { "0\($0):00-0\($0):30" }.joined(separator: ",")
        #expect(
            refusal { try Timetable(emergency: WeeklyHours(parsing: ["mon \(many)"])).validate() }?.field == "emergency"
        )
        try Timetable(usual: WeeklyHours(parsing: ["mon 08:00-12:00,12:00-13:00"])).validate()
    }

    @Test("Lists of times are joined, intersected and subtracted as minute by minute")
    func spans() throws {
        try checkProperty("spans", times: 2_000) { random, comment in
            func spans() -> [TimeSpan] {
                (0..<random.below(6))
                    .compactMap { _ in
                        TimeSpan(
                            start: Instant(microseconds: 0).adding(minutes: random.below(60)),
                            minutes: random.int(1...20)
                        )
                    }
            }
            let (left, right) = (spans(), spans())
            func minutes(_ spans: [TimeSpan]) -> Set<Int> {
                Set(
                    (0..<100)
                        .filter { minute in
                            spans.contains { $0.contains(Instant(microseconds: 0).adding(minutes: minute)) }
                        }
                )
            }
            #expect(minutes(left.joined) == minutes(left), comment)
            #expect(zip(left.joined, left.joined.dropFirst()).allSatisfy { $0.end < $1.start }, comment)
            let common = left.joined.intersection(right.joined)
            #expect(minutes(common) == minutes(left).intersection(minutes(right)), comment)
            let rest = left.joined.subtracting(right.joined)
            #expect(minutes(rest) == minutes(left).subtracting(minutes(right)), comment)
        }
    }
}
