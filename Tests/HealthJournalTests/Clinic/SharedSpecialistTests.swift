import EventLog
import Foundation
import HealthJournal
import HealthModel
import JournalEvents
import PracticeDirectory
import TestSupport
import Testing

@testable import JournalCore

@Suite("A specialist in two practices")
struct SharedSpecialistTests {
    /// A second practice, whose manager is `manager`, with the services of the first one.
    private func branch(of clinic: TestPractice, managedBy manager: Caller) async throws -> UUID {
        let journal = clinic.journal
        let profile: PracticeProfile = try TestPractice.profile([("name", "Branch"), ("zone", "Europe/Zurich")])
        let branch = try #require(try await journal.practices.createPractice(profile, clinic.home.owner).id)
        _ = try await journal.practices.changeMembers(
            of: branch,
            .grant(account: manager.account, Membership(roles: [.manager, .receptionist])),
            clinic.home.owner
        )
        let hours = Timetable(usual: try WeeklyHours(parsing: ["mon-sun 00:00-24:00"]))
        let commands: [PracticeCommand] = [
            .setTimetable(hours, from: try Day(parsing: "2027-01-01")),
            .setService(UUID(), try TestPractice.profile([("name", "Visit"), ("type", "routine"), ("minutes", "30")])),
        ]
        for command in commands {
            _ = try await journal.practices.changePractice(branch, clinic.home.owner) { _ in command }
        }
        for dog in clinic.dogs { _ = try await journal.patients.registerPatient(dog, at: branch, clinic.client) }
        return branch
    }

    private func change(
        _ clinic: TestPractice,
        in practice: UUID,
        by caller: Caller,
        _ command: SpecialistCommand
    ) async throws -> WriteResult {
        try await clinic.journal.practices.changeSpecialist(clinic.ada, in: practice, caller) { _ in command }
    }

    @Test("Only who manages a practice in which the specialist works lets the specialist join another one")
    func joining() async throws {
        let clinic = try await TestPractice()
        let stranger = try await clinic.home.account("stranger")
        let branch = try await branch(of: clinic, managedBy: stranger)
        let before = try clinic.home.head
        let refused = await refusal {
            _ = try await change(clinic, in: branch, by: stranger, .join(practice: branch))
        }
        #expect(refused?.code == .notFound)
        #expect(refused?.message == ModelError.noSpecialist.message)
        let unknown = await refusal {
            _ = try await clinic.journal.practices.changeSpecialist(UUID(), in: branch, stranger) { _ in
                .join(practice: branch)
            }
        }
        #expect(unknown?.code == refused?.code)
        #expect(unknown?.message == refused?.message)
        #expect(try clinic.home.head == before)
        let joined = try await change(clinic, in: branch, by: clinic.home.owner, .join(practice: branch))
        let again = try await change(clinic, in: branch, by: clinic.home.owner, .join(practice: branch))
        #expect(joined.isChanged)
        #expect(!again.isChanged)
        let shown = try await clinic.journal.practices.specialists(of: branch, stranger)
        #expect(shown.map(\.id) == [clinic.ada])
    }

    @Test("One diary: what one practice books is busy time in the other one, and nobody books over it")
    func oneDiary() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        let stranger = try await clinic.home.account("stranger")
        let branch = try await branch(of: clinic, managedBy: stranger)
        _ = try await change(clinic, in: branch, by: clinic.home.owner, .join(practice: branch))
        _ = try await clinic.book("2027-03-02T10:00", 0) { $0.reason = "limps" }
        func request(_ wall: String) throws -> AppointmentRequest {
            var request = AppointmentRequest(practice: branch, record: clinic.dogs[1], start: try .init(parsing: wall))
            (request.specialist, request.minutes) = (clinic.ada, 30)
            return request
        }
        let taken = await refusal { _ = try await journal.appointments.book(request("2027-03-02T10:15"), stranger) }
        #expect(taken?.code == .slotTaken)
        #expect(taken?.field == "specialist")
        let busy = TimeSpan(start: try Instant(parsing: "2027-03-02T09:00:00Z"), minutes: 30)
        #expect(taken?.taken?.span == busy)
        let day = try Day(parsing: "2027-03-02")
        let calendar = try await journal.appointments.calendar(of: branch, days: day...day, stranger)
        #expect(calendar.appointments.isEmpty)
        #expect(calendar.busy.map(\.specialist) == [clinic.ada])
        #expect(calendar.busy.first?.isBlocked == false)
        _ = try await journal.appointments.book(request("2027-03-02T10:30"), stranger)
        let back = await refusal { _ = try await clinic.book("2027-03-02T10:45", 0) }
        #expect(back?.code == .slotTaken)
        // The branch is open at night, and the other practice is not.
        _ = try await journal.appointments.book(request("2027-03-02T22:00"), stranger)
        #expect(await refusal { _ = try await clinic.book("2027-03-02T23:00", 0) }?.code == .conflict)
    }

    @Test("The specialist leaves one practice and works on in the other; only who manages both ends the work in both")
    func leaving() async throws {
        let clinic = try await TestPractice()
        let stranger = try await clinic.home.account("stranger")
        let branch = try await branch(of: clinic, managedBy: stranger)
        let owner = clinic.home.owner
        _ = try await change(clinic, in: branch, by: owner, .join(practice: branch))
        let day = try Day(parsing: "2027-03-02")
        let ended = await refusal { _ = try await change(clinic, in: branch, by: stranger, .end(from: day)) }
        #expect(ended?.code == .conflict)
        #expect(ended?.field == "specialist")
        _ = try await change(clinic, in: branch, by: stranger, .leave(practice: branch, from: day))
        _ = try await clinic.book("2027-03-02T10:00", 0)
        var request = AppointmentRequest(
            practice: branch,
            record: clinic.dogs[1],
            start: try .init(parsing: "2027-03-02T14:00")
        )
        (request.specialist, request.minutes) = (clinic.ada, 30)
        let afterwards = await refusal { [request] in _ = try await clinic.journal.appointments.book(request, stranger)
        }
        #expect(afterwards?.code == .conflict)
        // Back again, as the branch knows the specialist.
        _ = try await change(clinic, in: branch, by: stranger, .join(practice: branch))
        _ = try await clinic.journal.appointments.book(request, stranger)
        _ = try await change(clinic, in: branch, by: owner, .end(from: day))
        #expect(await refusal { _ = try await clinic.book("2027-03-02T11:00", 0) }?.code == .conflict)
    }

    @Test("A licence number is claimed in each practice, and a correction changes it in all of them")
    func licences() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        let stranger = try await clinic.home.account("stranger")
        let branch = try await branch(of: clinic, managedBy: stranger)
        let owner = clinic.home.owner
        func profile(_ number: String) throws -> SpecialistProfile {
            try TestPractice.profile([("name", "Ada"), ("licenseNumber", number)])
        }
        func add(_ number: String, _ practice: UUID) async -> JournalError? {
            await refusal { _ = try await journal.practices.addSpecialist(profile(number), to: practice, owner) }
        }
        _ = try await change(clinic, in: clinic.practice, by: owner, .change(profile("VD-1")))
        #expect(await add("vd 1", branch) == nil)
        let taken = await refusal { _ = try await change(clinic, in: branch, by: owner, .join(practice: branch)) }
        #expect(taken?.code == .conflict)
        #expect(taken?.field == "licenseNumber")
        _ = try await change(clinic, in: clinic.practice, by: owner, .change(profile("VD-2")))
        _ = try await change(clinic, in: branch, by: owner, .join(practice: branch))
        #expect(await add("VD-2", branch)?.field == "licenseNumber")
        _ = try await change(clinic, in: branch, by: stranger, .change(profile("VD-3")))
        for practice in [clinic.practice, branch] {
            #expect(await add("VD-3", practice)?.field == "licenseNumber")
            #expect(await add("VD-2", practice) == nil)
        }
    }

    @Test("An erased specialist is unreadable at any position, the licence number is free, and the appointments stay")
    func erased() async throws {
        let clinic = try await TestPractice()
        let (journal, owner) = (clinic.journal, clinic.home.owner)
        let stranger = try await clinic.home.account("stranger")
        let branch = try await branch(of: clinic, managedBy: stranger)
        let profile: SpecialistProfile = try TestPractice.profile([("name", "Zadie"), ("licenseNumber", "VD-9")])
        _ = try await change(clinic, in: clinic.practice, by: owner, .change(profile))
        _ = try await change(clinic, in: branch, by: owner, .join(practice: branch))
        let past = try await clinic.book("2027-03-01T09:00", 0) { $0.type = .emergency }
        let ahead = try await clinic.book("2027-03-10T09:00", 0)
        func erase(_ caller: Caller, _ reason: String = "asked for") async -> JournalError? {
            await refusal {
                _ = try await journal.practices.eraseSpecialist(
                    clinic.ada,
                    in: clinic.practice,
                    caller.giving(reason: reason)
                )
            }
        }
        #expect(await erase(try clinic.caller(.receptionist))?.code == .refused)
        #expect(await erase(owner, "")?.field == "reason")
        #expect(await erase(owner)?.message.contains("still works") == true)
        let today = try Day(parsing: "2027-03-01")
        _ = try await change(clinic, in: clinic.practice, by: owner, .end(from: today))
        #expect(await erase(owner)?.message.contains("appointments ahead") == true)
        _ = try await clinic.change(ahead, .reassign(specialist: clinic.ben, places: nil))
        try clinic.home.clock.set("2027-03-01T12:00:00Z")
        let before = try clinic.home.head
        #expect(await erase(owner) == nil)
        for practice in [clinic.practice, branch] {
            for moment in [nil, AsOf.position(before)] {
                let shown = try await journal.practices.specialists(of: practice, asOf: moment, owner)
                #expect(!shown.contains { $0.id == clinic.ada })
            }
            #expect(try !journal.practiceDirectory.specialists(of: practice, asOf: .max).contains(clinic.ada))
            #expect(
                await refusal { _ = try await journal.practices.addSpecialist(profile, to: practice, owner) } == nil
            )
        }
        #expect(throws: EventLogError.self) { _ = try journal.log.recordedEvents(of: clinic.ada) }
        // What was agreed stays, and is closed as usual.
        #expect(try clinic.state(past).details.specialist == clinic.ada)
        let calendar = try await journal.appointments.calendar(of: clinic.practice, days: today...today, owner)
        #expect(calendar.appointments.map(\.state.id) == [past])
        _ = try await clinic.change(past, .cancel(code: ""), as: .veterinarian)
        #expect(await erase(owner)?.code == .notFound)
    }
}
