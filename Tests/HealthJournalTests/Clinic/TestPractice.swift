import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalClinic
@testable import JournalCore

/// A practice in Zurich in a journal of its own, with two specialists, a room, staff of each role, and dogs of a client.
struct TestPractice {
    let home: TestHousehold
    let practice: UUID
    let ada: UUID
    let ben: UUID
    let room: UUID
    let checkUp: UUID
    let surgery: UUID
    let staff: [ClinicRole: Caller]
    let client: Caller
    let dogs: [UUID]

    var journal: Journal { home.journal }

    init(dogs count: Int = 2) async throws {
        home = try await TestHousehold(zone: "Europe/Zurich", clock: TestClock("2027-03-01"))
        let (journal, owner) = (home.journal, home.owner)
        let name = [("name", "Two Rooms"), ("zone", "Europe/Zurich")]
        practice = try #require(try await journal.practices.createPractice(Self.profile(name), owner).id)
        let timetable = Timetable(usual: try WeeklyHours(parsing: ["mon-fri 08:00-12:00,13:00-17:00"]))
        let start = try Day(parsing: "2027-01-01")
        _ = try await journal.practices.changePractice(practice, owner) { _ in .setTimetable(timetable, from: start) }
        let (room, checkUp, surgery) = (UUID(), UUID(), UUID())
        (self.room, self.checkUp, self.surgery) = (room, checkUp, surgery)
        let commands: [PracticeCommand] = [
            .setPlace(room, try Self.profile([("name", "Surgery")])),
            .setService(
                checkUp,
                try Self.profile([("name", "Check-up"), ("type", "routine"), ("minutes", "30"), ("online", "true")])
            ),
            .setService(
                surgery,
                try Self.profile([
                    ("name", "Castration"), ("type", "surgery"), ("minutes", "60"), ("places.0", room.text),
                    ("bufferAfter", "15"),
                ])
            ),
        ]
        for command in commands { _ = try await journal.practices.changePractice(practice, owner) { _ in command } }
        ada = try #require(
            try await journal.practices.addSpecialist(Self.profile([("name", "Ada")]), to: practice, owner).id
        )
        ben = try #require(
            try await journal.practices.addSpecialist(Self.profile([("name", "Ben")]), to: practice, owner).id
        )
        var staff: [ClinicRole: Caller] = [:]
        for role in ClinicRole.allCases {
            let caller = try await home.account(role.name)
            _ = try await journal.practices.changeMembers(
                of: practice,
                .grant(account: caller.account, Membership(roles: [role])),
                owner
            )
            staff[role] = caller
        }
        self.staff = staff
        client = try await home.account("Clara")
        var dogs: [UUID] = []
        for number in 0..<count {
            var profile = RecordProfile(subject: .animal)
            try profile.set("name", text: "Dog \(number)")
            let dog = try #require(try await journal.records.createRecord(profile, client).record)
            _ = try await journal.patients.registerPatient(dog, at: practice, client)
            dogs.append(dog)
        }
        self.dogs = dogs
    }

    static func profile<Profile: ClinicProfile>(_ values: [(String, String)]) throws -> Profile {
        var profile = Profile(values: FieldValues())
        for (name, text) in values { try profile.set(name, text: text) }
        return profile
    }

    func caller(_ role: ClinicRole) throws -> Caller { try #require(staff[role]) }

    /// A request for a check-up with Ada, by the practice's clock.
    func request(
        _ wall: String,
        _ dog: Int = 0,
        _ edit: (inout AppointmentRequest) -> Void = { _ in }
    ) throws -> AppointmentRequest {
        var request = AppointmentRequest(practice: practice, record: dogs[dog], start: try .init(parsing: wall))
        (request.service, request.specialist) = (checkUp, ada)
        edit(&request)
        return request
    }

    func book(
        _ wall: String,
        _ dog: Int = 0,
        as role: ClinicRole = .receptionist,
        _ edit: (inout AppointmentRequest) -> Void = { _ in }
    ) async throws -> UUID {
        let result = try await journal.appointments.book(request(wall, dog, edit), caller(role))
        return try #require(result.entry)
    }

    /// Gives the practice access to the records of all dogs, as their owner does.
    func grantRecords(_ terms: GrantTerms = .ofPractice) async throws {
        for dog in dogs { _ = try await journal.sharing.grant(terms, to: practice, on: dog, client) }
    }

    func change(
        _ appointment: UUID,
        _ change: AppointmentChange,
        as role: ClinicRole = .receptionist,
        reason: String = ""
    ) async throws -> WriteResult {
        var caller = try caller(role)
        caller.reason = reason
        return try await journal.appointments.changeAppointment(appointment, caller) { _ in change }
    }

    func state(_ appointment: UUID, asOf position: UInt64 = .max) throws -> AppointmentState {
        try journal.appointments.appointment(appointment, asOf: position).state
    }
}
