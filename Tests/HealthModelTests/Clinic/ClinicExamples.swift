import FoundationEssentials
import TestSupport

@testable import HealthModel

/// A practice in Zurich with two specialists and two rooms, for tests.
struct ClinicExample {
    let practice = Example.id(60)
    let ada = Example.id(61)
    let ben = Example.id(62)
    let room = Example.id(63)
    /// It takes three appointments at the same time.
    let kennel = Example.id(64)
    let checkUp = Example.id(65)
    let dog = Example.id(67)
    let clock: PersonClock
    var state: PracticeState
    var specialists: [UUID: SpecialistState] = [:]
    var diaries = Diaries()
    var now: Instant
    /// The species of the patient; nil to state none.
    var species: String?

    init(_ zone: String = "Europe/Zurich", now: String = "2027-03-01T08:00:00Z", _ table: ZoneTable = .real) throws {
        clock = try PersonClock(ZoneHistory(home: zone), table)
        self.now = try Instant(parsing: now)
        state = PracticeState(
            id: practice,
            profile: try ClinicExample.profile([("name", "Two Rooms"), ("zone", zone)]),
            created: Example.stamp(1)
        )
        let timetable = Timetable(
            usual: try WeeklyHours(parsing: ["mon-fri 08:00-12:00,13:00-17:00", "sat 09:00-12:00"]),
            emergency: try WeeklyHours(parsing: ["sat-sun 20:00-06:00"])
        )
        state.timetables.set(timetable, from: try Day(parsing: "2020-01-01"))
        state.places[room] = .init(profile: try ClinicExample.profile([("name", "Surgery")]))
        state.places[kennel] = .init(profile: try ClinicExample.profile([("name", "Kennel"), ("capacity", "3")]))
        state.services[checkUp] = .init(
            profile: try ClinicExample.profile([("name", "Check-up"), ("type", "routine"), ("minutes", "30")])
        )
        for (id, name) in [(ada, "Ada"), (ben, "Ben")] {
            var specialist = SpecialistState(
                id: id,
                profile: try ClinicExample.profile([("name", name)]),
                added: Example.stamp(2)
            )
            specialist.posts[practice] = .init(joined: Example.stamp(2))
            specialists[id] = specialist
        }
    }

    static func profile<Profile: ClinicProfile>(_ values: [(String, String)]) throws -> Profile {
        var profile = Profile(values: FieldValues())
        for (name, text) in values { try profile.set(name, text: text) }
        return profile
    }

    var rules: BookingRules {
        BookingRules(
            practice: state,
            specialists: specialists,
            diaries: diaries,
            clock: clock,
            now: now,
            species: species
        )
    }

    /// An appointment of Ada at a time by the practice's clock.
    func details(_ wall: String, minutes: Int = 30, _ edit: (inout AppointmentDetails) -> Void = { _ in }) throws
        -> AppointmentDetails
    {
        let wall = try WallMoment(parsing: wall)
        var details = AppointmentDetails(
            practice: practice,
            type: .routine,
            start: clock.moment(of: wall).instant,
            wall: wall,
            zone: "Europe/Zurich",
            minutes: minutes,
            specialist: ada
        )
        edit(&details)
        return details
    }

    /// Enters an appointment into the diaries of its resources, without any check.
    mutating func take(_ id: UUID, _ details: AppointmentDetails, of record: UUID? = nil) {
        guard let span = details.span, let wide = details.wideSpan else { return }
        for resource in details.resources { take(id, resource, wide, minutes: details.minutes) }
        take(id, .patient(record ?? dog), span, minutes: details.minutes)
    }

    mutating func take(_ id: UUID, _ resource: ClinicResource, _ span: TimeSpan, minutes: Int) {
        for day in span.days.all {
            diaries.diaries[Diaries.Key(resource, day), default: Diary()]
                .set(id, Diary.Taken(span: span, minutes: minutes))
        }
    }
}
