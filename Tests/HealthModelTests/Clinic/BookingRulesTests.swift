import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("Rules of booking")
struct BookingRulesTests {
    private func refusal(
        _ example: ClinicExample,
        _ details: AppointmentDetails,
        of record: UUID? = nil,
        id: UUID = Example.id(90),
        by asker: BookingRules.Asker = .staff
    ) -> BookingRules.Refusal? {
        do {
            try example.rules.check(details, of: record ?? example.dog, id: id, by: asker)
            return nil
        } catch {
            return error
        }
    }

    private func field(_ refusal: BookingRules.Refusal?) -> String? { refusal?.error.field }

    @Test("A time may begin where another ends, and not within it or within its buffers")
    func touching() throws {
        var example = try ClinicExample()
        let taken = try example.details("2027-03-02T10:00") { $0.bufferAfter = 15 }
        example.take(Example.id(80), taken, of: Example.id(81))
        #expect(refusal(example, try example.details("2027-03-02T09:30")) == nil)
        #expect(refusal(example, try example.details("2027-03-02T10:45")) == nil)
        for wall in ["2027-03-02T09:35", "2027-03-02T10:15", "2027-03-02T10:30", "2027-03-02T10:44"] {
            let found = refusal(example, try example.details(wall))
            #expect(found?.error.code == .slotTaken)
            #expect(field(found) == "specialist")
            #expect(found?.taken == taken.wideSpan)
        }
        // The buffer of the new appointment counts as well.
        #expect(field(refusal(example, try example.details("2027-03-02T09:30") { $0.bufferAfter = 5 })) == "specialist")
        // An appointment does not collide with its own old time.
        #expect(refusal(example, try example.details("2027-03-02T10:15"), id: Example.id(80)) == nil)
    }

    @Test("Each resource is checked, and named: the specialist, the room, the patient")
    func resources() throws {
        var example = try ClinicExample()
        example.take(
            Example.id(80),
            try example.details("2027-03-02T10:00") {
                $0.specialist = example.ben
                $0.places = [example.room]
            },
            of: Example.id(81)
        )
        example.take(Example.id(82), try example.details("2027-03-02T14:00") { $0.specialist = example.ben })
        let inRoom = try example.details("2027-03-02T10:15") { $0.places = [example.room] }
        #expect(field(refusal(example, inRoom)) == "room")
        #expect(field(refusal(example, try example.details("2027-03-02T14:00"))) == "record")
        #expect(refusal(example, try example.details("2027-03-02T14:30")) == nil)
    }

    @Test("A room takes as many appointments at the same time as it has places, at every moment")
    func capacity() throws {
        try checkProperty("capacity of a room", times: 300) { random, comment in
            var example = try ClinicExample()
            let start = try Instant(parsing: "2027-03-02T07:00:00Z")
            var spans: [TimeSpan] = []
            for number in 0..<random.below(8) {
                guard let span = TimeSpan(start: start.adding(minutes: random.below(60)), minutes: random.int(5...40))
                else { continue }
                spans.append(span)
                example.take(Example.id(UInt8(100 + number)), .place(example.kennel), span, minutes: 5)
            }
            guard let asked = TimeSpan(start: start.adding(minutes: random.below(60)), minutes: random.int(5...40))
            else { return }
            let most =
                (0..<asked.minutes)
                .map { minute in spans.count { $0.contains(asked.start.adding(minutes: minute)) } }.max() ?? 0
            let obstacle = example.diaries.obstacle(
                to: asked,
                of: .place(example.kennel),
                capacity: 3,
                at: example.now,
                besides: nil
            )
            #expect((obstacle == nil) == (most < 3), comment)
        }
    }

    @Test("A hold keeps others out until its end, and then no more")
    func holds() throws {
        var example = try ClinicExample()
        let details = try example.details("2027-03-02T10:00")
        let until = example.now.adding(minutes: 15)
        let key = Diaries.Key(.specialist(example.ada), Day(of: details.start))
        var diary = Diary()
        diary.set(Example.id(80), Diary.Taken(span: try #require(details.span), minutes: 30, heldUntil: until))
        example.diaries.diaries[key] = diary
        #expect(field(refusal(example, details)) == "specialist")
        example.now = until
        #expect(refusal(example, details) == nil)
    }

    @Test("Hours, absences, licences and ends bind a booking; emergencies go beyond the hours of a specialist")
    func availability() throws {
        var example = try ClinicExample()
        #expect(field(refusal(example, try example.details("2027-03-02T12:00"))) == "start")
        #expect(field(refusal(example, try example.details("2027-03-02T16:45"))) == "start")
        #expect(field(refusal(example, try example.details("2027-03-07T10:00"))) == "start")
        #expect(field(refusal(example, try example.details("2027-02-26T10:00"))) == "start")
        example.specialists[example.ada]?.posts[example.practice]?.hours
            .set(try WeeklyHours(parsing: ["tue 08:00-10:00"]), from: try Day(parsing: "2027-01-01"))
        #expect(field(refusal(example, try example.details("2027-03-02T10:00"))) == "specialist")
        #expect(refusal(example, try example.details("2027-03-02T09:30")) == nil)
        #expect(refusal(example, try example.details("2027-03-02T10:00") { $0.type = .emergency }) == nil)
        #expect(refusal(example, try example.details("2027-03-06T22:00") { $0.type = .emergency }) == nil)
        let absent = try TimeSpan(Instant(parsing: "2027-03-02T08:15:00Z"), Instant(parsing: "2027-03-02T08:45:00Z"))
        example.specialists[example.ada]?.absences[Example.id(70)] = Absence(span: try #require(absent), why: .sick)
        #expect(refusal(example, try example.details("2027-03-02T09:30"))?.error.message == "is absent then")
        example.specialists[example.ada]?.absences = [:]
        example.specialists[example.ada]?.endedFrom = try Day(parsing: "2027-03-02")
        #expect(field(refusal(example, try example.details("2027-03-02T09:30"))) == "specialist")
        example.specialists[example.ada]?.endedFrom = try Day(parsing: "2027-03-03")
        #expect(refusal(example, try example.details("2027-03-02T09:30")) == nil)
        try example.specialists[example.ada]?.profile.set("licenseUntil", text: "2027-03-01")
        #expect(field(refusal(example, try example.details("2027-03-02T09:30"))) == "specialist")
    }

    @Test("The caseload of a local day binds everything but emergencies")
    func caseload() throws {
        var example = try ClinicExample()
        try example.specialists[example.ada]?.profile.set("caseload.appointments", text: "2")
        for (number, wall) in ["2027-03-02T08:00", "2027-03-02T09:00"].enumerated() {
            example.take(Example.id(UInt8(80 + number)), try example.details(wall), of: Example.id(99))
        }
        #expect(field(refusal(example, try example.details("2027-03-02T10:00"))) == "specialist")
        #expect(refusal(example, try example.details("2027-03-02T10:00") { $0.type = .emergency }) == nil)
        #expect(refusal(example, try example.details("2027-03-03T10:00")) == nil)
        #expect(refusal(example, try example.details("2027-03-02T10:00"), id: Example.id(80)) == nil)
        try example.specialists[example.ada]?.profile.set("caseload.appointments", text: "")
        try example.specialists[example.ada]?.profile.set("caseload.minutes", text: "80")
        #expect(field(refusal(example, try example.details("2027-03-02T10:00"))) == "specialist")
        #expect(refusal(example, try example.details("2027-03-02T10:00", minutes: 20)) == nil)
    }

    @Test("Clients book within the days that the practice permits")
    func clients() throws {
        let example = try ClinicExample()
        #expect(field(refusal(example, try example.details("2027-03-01T16:00"), by: .client)) == "start")
        #expect(refusal(example, try example.details("2027-03-02T10:00"), by: .client) == nil)
        #expect(field(refusal(example, try example.details("2027-06-01T10:00"), by: .client)) == "start")
        #expect(refusal(example, try example.details("2027-06-01T10:00")) == nil)
    }

    @Test("A time that was offered when the form was opened can be booked for a quarter of an hour")
    func timeOfTheForm() throws {
        var example = try ClinicExample()
        let soon = try example.details("2027-03-01T09:00")
        let firstOfClients = try example.details("2027-03-02T09:00")
        for minutes in [0, 15] {
            example.now = soon.start.adding(minutes: minutes)
            #expect(refusal(example, soon) == nil)
            #expect(refusal(example, firstOfClients, by: .client) == nil)
        }
        example.now = soon.start.adding(minutes: 16)
        #expect(refusal(example, soon)?.error.message == "is in the past")
        #expect(field(refusal(example, firstOfClients, by: .client)) == "start")
    }

    @Test("An appointment whose clock time has moved is an open question, at the same instant as before")
    func movedClock() throws {
        let example = try ClinicExample()
        var details = try example.details("2027-07-01T09:00")
        #expect(example.rules.problem(of: details) == nil)
        // As if it had been agreed under other rules of the zone.
        details.wall = try WallMoment(parsing: "2027-07-01T10:00")
        let problem = example.rules.problem(of: details)
        #expect(problem?.field == "start")
        #expect(problem?.message.contains("agreed was 2027-07-01T10:00") == true)
    }
}
