import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("Free times")
struct FreeSlotsTests {
    @Test("Free times are those that can be booked, as in a search over every minute")
    func all() throws {
        try checkProperty("free slots", times: 400) { random, comment in
            let example = try RandomClinic(&random).example
            let day = try Day(parsing: "2027-03-26").adding(days: random.below(5))
            let question = SlotQuestion(
                minutes: try random.pick([15, 20, 30, 45, 90]),
                bufferBefore: try random.pick([0, 0, 5]),
                bufferAfter: try random.pick([0, 0, 10]),
                grid: try random.pick([5, 10, 15, 20, 30]),
                days: day...day.adding(days: random.below(2)),
                purpose: try random.pick([.appointment, .appointment, .emergency]),
                service: random.bool() ? example.checkUp : nil,
                specialists: [example.ada, example.ben],
                places: random.bool() ? [] : [example.room, example.kennel],
                record: random.bool() ? example.dog : nil,
                window: try #require(TimeSpan(start: example.now, minutes: 1_440 * 60))
            )
            let (slots, why) = example.rules.freeSlots(question)
            let expected = try example.slowSlots(question)
            let found = Set(slots.map { Pair($0.start, $0.specialist) })
            let missing = expected.subtracting(found).map { "\($0.start) \($0.specialist)" }.sorted().prefix(3)
            let wrong = found.subtracting(expected).map { "\($0.start) \($0.specialist)" }.sorted().prefix(3)
            #expect(slots.count == found.count, comment)
            #expect(wrong.isEmpty, "not bookable: \(wrong), \(comment)")
            // The list is cut off at its limit.
            if slots.count < SlotQuestion.maximumSlots {
                #expect(missing.isEmpty, "left out: \(missing), \(comment)")
            }
            #expect((why == nil) == !slots.isEmpty, comment)
            #expect(zip(slots, slots.dropFirst()).allSatisfy { $0.start <= $1.start }, comment)
        }
    }

    @Test("Times after midnight are listed on the day on which they start")
    func afterMidnight() throws {
        var example = try ClinicExample()
        let hours = Timetable(usual: try WeeklyHours(parsing: ["mon 22:00-02:00"]))
        example.state.timetables.set(hours, from: try Day(parsing: "2021-01-01"))
        func walls(_ day: String) throws -> [String] {
            let day = try Day(parsing: day)
            let question = SlotQuestion(
                minutes: 60,
                grid: 30,
                days: day...day,
                specialists: [example.ada],
                window: try #require(TimeSpan(start: example.now, minutes: 1_440 * 60))
            )
            return example.rules.freeSlots(question).slots.map { example.clock.wall(at: $0.start).description }
        }
        // 1 March 2027 is a Monday; the last appointment begins before midnight and ends after it.
        #expect(
            try walls("2027-03-01") == [
                "2027-03-01T22:00", "2027-03-01T22:30", "2027-03-01T23:00", "2027-03-01T23:30",
            ]
        )
        #expect(try walls("2027-03-02") == ["2027-03-02T00:00", "2027-03-02T00:30", "2027-03-02T01:00"])
    }

    @Test("Times for emergencies are those of all hours; who has other hours then is on call and comes last")
    func emergencies() throws {
        var example = try ClinicExample()
        // 6 March 2027 is a Saturday, with hours for emergencies from 20:00.
        let day = try Day(parsing: "2027-03-06")
        example.specialists[example.ada]?.posts[example.practice]?.hours
            .set(try WeeklyHours(parsing: ["mon-sat 08:00-12:00"]), from: try Day(parsing: "2021-01-01"))
        func slots(_ purpose: Attendance.Purpose) throws -> [FreeSlot] {
            let question = SlotQuestion(
                minutes: 30,
                days: day...day,
                purpose: purpose,
                specialists: [example.ada, example.ben],
                window: try #require(TimeSpan(start: Instant(parsing: "2027-03-06T19:00:00Z"), minutes: 1_440))
            )
            return example.rules.freeSlots(question).slots
        }
        #expect(try slots(.appointment).isEmpty)
        let first = try slots(.emergency).prefix(2)
        #expect(first.map(\.specialist) == [example.ben, example.ada])
        #expect(first.map(\.isOnCall) == [false, true])
    }

    @Test("An empty answer says what left no time")
    func reasons() throws {
        var example = try ClinicExample()
        let day = try Day(parsing: "2027-03-02")
        func why(_ day: Day, minutes: Int = 30, window: TimeSpan? = nil) throws -> NoSlotReason? {
            let question = SlotQuestion(
                minutes: minutes,
                days: day...day,
                specialists: [example.ada],
                window: try window ?? #require(TimeSpan(start: example.now, minutes: 1_440 * 60))
            )
            return example.rules.freeSlots(question).why
        }
        #expect(try why(day) == nil)
        #expect(try why(try Day(parsing: "2027-03-07")) == .closed)
        #expect(try why(day, minutes: 300) == .noGapLongEnough)
        let late = try #require(TimeSpan(start: Instant(parsing: "2027-03-20T00:00:00Z"), minutes: 60))
        #expect(try why(day, window: late) == .outsideWindow)
        let all = try #require(TimeSpan(start: Instant(parsing: "2027-03-02T07:00:00Z"), minutes: 540))
        example.take(Example.id(80), .specialist(example.ada), all, minutes: 540)
        #expect(try why(day) == .fullyBooked)
        try example.specialists[example.ada]?.profile.set("caseload.appointments", text: "1")
        #expect(try why(day) == .caseloadFull)
        example.specialists[example.ada]?.absences[Example.id(70)] = Absence(span: all, why: .leave)
        #expect(try why(day) == .absent)
        example.specialists[example.ada]?.endedFrom = day
        #expect(try why(day) == .noSpecialist)
    }
}

private struct Pair: Hashable {
    let start: Instant
    let specialist: UUID

    init(_ start: Instant, _ specialist: UUID) {
        (self.start, self.specialist) = (start, specialist)
    }
}

extension ClinicExample {
    /// The starts on the grid that the rules of booking accept, found by trying every minute.
    fileprivate func slowSlots(_ question: SlotQuestion) throws -> Set<Pair> {
        var found: Set<Pair> = []
        let opening = OpeningTimes(state.timetables, clock)
        // Hours of the day before may run on after midnight.
        for day in (question.days.lowerBound.adding(days: -1)...question.days.upperBound).all {
            for open in opening.openings(on: day...day, withEmergencies: question.purpose == .emergency) {
                for minute in 0..<open.minutes where minute % question.grid == 0 {
                    let start = open.start.adding(minutes: minute)
                    guard question.days.contains(clock.day(at: start)) else { continue }
                    for specialist in question.specialists
                    where accepts(question, start, specialist, rooms: question.places) {
                        found.insert(Pair(start, specialist))
                    }
                }
            }
        }
        return found
    }

    private func accepts(_ question: SlotQuestion, _ start: Instant, _ specialist: UUID, rooms: [UUID]) -> Bool {
        let choices: [[UUID]] = rooms.isEmpty ? [[]] : rooms.map { [$0] }
        return question.window.contains(start)
            && choices.contains { places in
                let details = AppointmentDetails(
                    practice: practice,
                    service: question.service,
                    type: question.purpose == .emergency ? .emergency : .routine,
                    start: start,
                    wall: clock.wall(at: start),
                    zone: "Europe/Zurich",
                    minutes: question.minutes,
                    bufferBefore: question.bufferBefore,
                    bufferAfter: question.bufferAfter,
                    specialist: specialist,
                    places: places,
                    reason: "any"
                )
                let record = question.record ?? Example.id(99)
                return (try? rules.check(details, of: record, id: Example.id(98), by: .staff)) != nil
            }
    }
}

/// A practice with random hours, absences, caseloads and appointments around a change of the clocks.
private struct RandomClinic {
    var example: ClinicExample

    init(_ random: inout SeededGenerator) throws {
        example = try ClinicExample(now: "2027-03-26T07:10:00Z")
        let patterns = [
            ["mon-sun 08:00-12:00,13:00-17:00"], ["fri-sun 07:40-11:20"], ["mon-sun 22:00-06:00"], ["sat 00:00-24:00"],
        ]
        var timetable = Timetable(usual: try WeeklyHours(parsing: try random.pick(patterns)))
        if random.bool() { timetable.emergency = try WeeklyHours(parsing: try random.pick(patterns)) }
        if random.below(3) == 0 {
            try example.state.services[example.checkUp]?.profile.set("specialty", text: "Surgery")
            try example.specialists[example.ada]?.profile.set("expertise.0.specialty", text: "surgery")
            try example.specialists[example.ada]?.profile.set("expertise.0.level", text: "basic")
        }
        if random.below(4) == 0 {
            example.species = "Hund"
            try example.specialists[example.ben]?.profile.set("species.never.0", text: "dog")
        }
        if random.below(4) == 0 { timetable.holidays = [try Holiday(parsing: "2027-03-27 10:00-12:00 Fair")] }
        example.state.timetables.set(timetable, from: try Day(parsing: "2021-01-01"))
        let start = try Instant(parsing: "2027-03-26T00:00:00Z")
        func span(_ random: inout SeededGenerator, _ minutes: ClosedRange<Int>) throws -> TimeSpan {
            try #require(
                TimeSpan(start: start.adding(minutes: random.below(6 * 288) * 5), minutes: random.int(minutes))
            )
        }
        for id in [example.ada, example.ben] {
            if random.bool() {
                example.specialists[id]?.posts[example.practice]?.hours
                    .set(try WeeklyHours(parsing: try random.pick(patterns)), from: try Day(parsing: "2021-01-01"))
            }
            for number in 0..<random.below(3) {
                let absence = Absence(span: try span(&random, 30...600), why: .leave)
                example.specialists[id]?.absences[Example.id(UInt8(70 + number))] = absence
            }
            if random.below(3) == 0 {
                try example.specialists[id]?.profile.set("caseload.appointments", text: "\(random.int(1...6))")
            }
            if random.below(4) == 0 {
                try example.specialists[id]?.profile.set("caseload.minutes", text: "\(random.int(60...300))")
            }
            if random.below(8) == 0 { example.specialists[id]?.endedFrom = try Day(parsing: "2027-03-28") }
        }
        let resources: [ClinicResource] = [
            .specialist(example.ada), .specialist(example.ben), .place(example.room), .place(example.kennel),
            .patient(example.dog),
        ]
        for number in 0..<random.below(40) {
            let taken = try span(&random, 10...120)
            example.take(Example.id(UInt8(100 + number)), try random.pick(resources), taken, minutes: taken.minutes)
        }
    }
}
