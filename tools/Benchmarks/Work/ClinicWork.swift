import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Books appointments of a practice, also many at once, and reads its calendar and its free times.
public struct ClinicWork: Sendable {
    private static let specialists = 20
    private static let clients = 100
    private static let reads = 9

    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values; times are medians, in milliseconds.
    ///
    /// The calendar is read after 20 days of appointments and again after `days`, which it must not notice.
    public func run(in folder: WorkFolder, days: Int) async throws -> WorkResult {
        let journal = try await folder.createJournal()
        defer { journal.close() }
        let clinic = try await Clinic(journal, specialists: Self.specialists, dogs: Self.clients)
        let singles = try await clinic.appendOneByOne(Self.clients)
        let different = try await clinic.bookDifferentTimes()
        let race = try await clinic.raceForOneTime()
        try await clinic.fill(days: 20, from: 0)
        let early = try await clinic.week(from: 7, Self.reads)
        try await clinic.fill(days: days - 20, from: 20)
        let late = try await clinic.week(from: 7, Self.reads)
        let free = try await clinic.freeTimes(days: 92, Self.reads)
        return WorkResult("clinic", events: Self.clients, in: different)
            .with("single_seconds", singles.seconds)
            .with("first_ms", race.first.seconds * 1e3)
            .with("all_ms", race.all.seconds * 1e3)
            .with("week_ms", early.seconds * 1e3)
            .with("week_later_ms", late.seconds * 1e3)
            .with("free_ms", free.seconds * 1e3)
    }
}

/// A practice that is open every day, with animals as its patients.
private struct Clinic {
    let journal: Journal
    let caller: Caller
    let practice: UUID
    let service: UUID
    let specialists: [UUID]
    let dogs: [UUID]
    /// A Monday in the future.
    let first: Day

    init(_ journal: Journal, specialists count: Int, dogs number: Int) async throws {
        self.journal = journal
        caller = try journal.accounts.caller(Journal.ownerName, source: .system)
        var profile = PracticeProfile(values: FieldValues())
        try profile.set("name", text: "Bench")
        try profile.set("zone", text: "UTC")
        guard let practice = try await journal.practices.createPractice(profile, caller).id else { throw Missing() }
        self.practice = practice
        let roles: Set<ClinicRole> = [.manager, .veterinarian, .receptionist]
        _ = try await journal.practices.changeMembers(
            of: practice,
            .grant(account: caller.account, Membership(roles: roles)),
            caller
        )
        let timetable = Timetable(usual: try WeeklyHours(parsing: ["mon-sun 00:00-24:00"]))
        let service = UUID()
        self.service = service
        var checkUp = ServiceProfile(values: FieldValues())
        for (name, text) in [("name", "Check-up"), ("type", "routine"), ("minutes", "10"), ("grid", "10")] {
            try checkUp.set(name, text: text)
        }
        let offered = checkUp
        let day = try Day(parsing: "2020-01-01")
        _ = try await journal.practices.changePractice(practice, caller) { _ in .setTimetable(timetable, from: day) }
        _ = try await journal.practices.changePractice(practice, caller) { _ in .setService(service, offered) }
        var specialists: [UUID] = []
        for number in 0..<count {
            var profile = SpecialistProfile(values: FieldValues())
            try profile.set("name", text: "Specialist \(number)")
            if let id = try await journal.practices.addSpecialist(profile, to: practice, caller).id {
                specialists.append(id)
            }
        }
        self.specialists = specialists
        var dogs: [UUID] = []
        for number in 0..<number {
            var profile = RecordProfile(subject: .animal)
            try profile.set("name", text: "Dog \(number)")
            guard let dog = try await journal.records.createRecord(profile, caller).record else { throw Missing() }
            _ = try await journal.patients.registerPatient(dog, at: practice, caller)
            dogs.append(dog)
        }
        self.dogs = dogs
        let today = Day(of: journal.now)
        first = today.adding(days: 14 - (Int(today.daysSince1970) + 3) % 7)
    }

    private struct Missing: Error {}

    // Before the days that `fill` books.
    private static let dayOfDifferentTimes = -3
    private static let dayOfRace = -2

    private func request(_ dog: Int, _ day: Int, _ minutes: Int, _ specialist: Int) -> AppointmentRequest {
        let start = first.adding(days: day).startInstant.adding(minutes: minutes)
        var request = AppointmentRequest(practice: practice, record: dogs[dog], start: .instant(start))
        (request.service, request.specialist) = (service, specialists[specialist])
        return request
    }

    /// Appends as many entries, each after the one before is durable.
    func appendOneByOne(_ count: Int) async throws -> Duration {
        var content = EntryContent(kind: Weight.kind)
        try content.set("date", text: "2026-01-02")
        try content.set("value", text: "31.5")
        let entry = content
        let begin = ContinuousClock.now
        for number in 0..<count { _ = try await journal.entries.addEntry(entry, to: dogs[number], caller) }
        return ContinuousClock.now - begin
    }

    /// All clients book different times of one day of one specialist at once.
    func bookDifferentTimes() async throws -> Duration {
        let requests = dogs.indices.map { request($0, Self.dayOfDifferentTimes, $0 * 10, 0) }
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for request in requests {
                group.addTask { [journal, caller] in _ = try await journal.appointments.book(request, caller) }
            }
            try await group.waitForAll()
        }
        return ContinuousClock.now - begin
    }

    /// All clients want one time at once; returns when the first one had it, and when the last one had an answer.
    func raceForOneTime() async throws -> (first: Duration, all: Duration) {
        let requests = dogs.indices.map { request($0, Self.dayOfRace, 600, 0) }
        let begin = ContinuousClock.now
        let won = await withTaskGroup(of: Duration?.self) { group in
            for request in requests {
                group.addTask { [journal, caller] in
                    (try? await journal.appointments.book(request, caller)).map { _ in ContinuousClock.now - begin }
                }
            }
            return await group.reduce(into: [Duration]()) { won, taken in if let taken { won.append(taken) } }
        }
        guard won.count == 1 else { throw Missing() }
        return (won[0], ContinuousClock.now - begin)
    }

    /// Books eight appointments a day of each specialist.
    func fill(days: Int, from start: Int) async throws {
        for day in start..<start + days {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for specialist in specialists.indices {
                    group.addTask {
                        for slot in 0..<8 {
                            // No dog has two appointments at once.
                            let dog = (specialist * 5 + slot) % dogs.count
                            let wanted = request(dog, day, 480 + slot * 60, specialist)
                            _ = try await journal.appointments.book(wanted, caller)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    func week(from day: Int, _ times: Int) async throws -> Duration {
        let days = first.adding(days: day)...first.adding(days: day + 6)
        return try await median(times) {
            let found = try await journal.appointments.calendar(of: practice, days: days, caller)
            guard found.appointments.count == 7 * 8 * specialists.count else { throw Missing() }
        }
    }

    func freeTimes(days: Int, _ times: Int) async throws -> Duration {
        let request = FreeSlotRequest(practice: practice, service: service, days: first...first.adding(days: days - 1))
        return try await median(times) {
            let found = try await journal.appointments.freeSlots(request, caller)
            guard found.slots.count == SlotQuestion.maximumSlots else { throw Missing() }
        }
    }

    private func median(_ times: Int, _ body: () async throws -> Void) async throws -> Duration {
        var taken: [Duration] = []
        for _ in 0..<times {
            let begin = ContinuousClock.now
            try await body()
            taken.append(ContinuousClock.now - begin)
        }
        return taken.quantile(0.5)
    }
}
