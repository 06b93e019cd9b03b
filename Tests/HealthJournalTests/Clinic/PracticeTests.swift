import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore

@Suite("Practices and their directory")
struct PracticeTests {
    @Test("A licence number belongs to one specialist of a practice, in every spelling, until it is corrected")
    func licenses() async throws {
        let clinic = try await TestPractice()
        let (journal, owner) = (clinic.journal, clinic.home.owner)
        func licensed(_ number: String) throws -> SpecialistProfile {
            try TestPractice.profile([("name", "Cy"), ("licenseNumber", number)])
        }
        let first = try #require(
            try await journal.practices.addSpecialist(licensed("VD-12 345"), to: clinic.practice, owner).id
        )
        let day = try Day(parsing: "2027-03-02")
        _ = try await journal.practices.changeSpecialist(first, in: clinic.practice, owner) { _ in
            .leave(practice: clinic.practice, from: day)
        }
        let second = await refusal {
            _ = try await journal.practices.addSpecialist(licensed("vd12345"), to: clinic.practice, owner)
        }
        #expect(second?.code == .conflict)
        #expect(second?.field == "licenseNumber")
        let zone = [("name", "Elsewhere"), ("zone", "Europe/Zurich")]
        let other = try #require(try await journal.practices.createPractice(TestPractice.profile(zone), owner).id)
        _ = try await journal.practices.addSpecialist(licensed("vd12345"), to: other, owner)
        let corrected = try licensed("VD 999")
        _ = try await journal.practices.changeSpecialist(first, in: clinic.practice, owner) { _ in .change(corrected) }
        _ = try await journal.practices.addSpecialist(licensed("vd12345"), to: clinic.practice, owner)
    }

    @Test("Only a manager changes the practice, and the last manager stays")
    func managers() async throws {
        let clinic = try await TestPractice()
        let (journal, practice) = (clinic.journal, clinic.practice)
        for role in ClinicRole.allCases where role != .manager {
            let caller = try clinic.caller(role)
            let refused = await refusal {
                _ = try await journal.practices.changePractice(practice, caller) { _ in .close }
            }
            #expect(refused?.code == .refused, "\(role)")
        }
        let manager = try clinic.caller(.manager)
        _ = try await journal.practices.changeMembers(
            of: practice,
            .revoke(account: clinic.home.owner.account),
            manager
        )
        let last = await refusal {
            _ = try await journal.practices.changeMembers(of: practice, .revoke(account: manager.account), manager)
        }
        #expect(last?.code == .conflict)
        #expect(last?.field == "roles")
        // A former manager changes nothing any more, and the refusal is in the audit trail.
        let head = try clinic.home.head
        let former = await refusal {
            _ = try await journal.practices.changePractice(practice, clinic.home.owner) { _ in .close }
        }
        #expect(former?.code == .refused)
        #expect(try clinic.home.events(after: head).map(\.type.name) == ["access.denied"])
    }

    @Test("An animal is registered by its owner or the staff, people are not, and a number is used once")
    func registrations() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        let human = try await clinic.home.person("Ida", clinic.client)
        let refused = await refusal {
            _ = try await journal.patients.registerPatient(human, at: clinic.practice, clinic.client)
        }
        #expect(refused?.code == .conflict)
        #expect(refused?.field == "record")
        let stranger = try await clinic.home.account("Stranger")
        let other = await refusal {
            _ = try await journal.patients.registerPatient(clinic.dogs[0], at: clinic.practice, stranger)
        }
        #expect(other?.code == .refused)
        _ = try await journal.patients.registerPatient(
            clinic.dogs[0],
            at: clinic.practice,
            keeping: number("7"),
            clinic.client
        )
        let taken = await refusal {
            _ = try await journal.patients.registerPatient(
                clinic.dogs[1],
                at: clinic.practice,
                keeping: number("7"),
                clinic.client
            )
        }
        #expect(taken?.code == .conflict)
        #expect(taken?.field == "number")
        let again = try await journal.patients.registerPatient(
            clinic.dogs[0],
            at: clinic.practice,
            keeping: number("7"),
            clinic.client
        )
        #expect(!again.isChanged)
    }

    @Test("A practice, its hours and its services are as they were known at any position")
    func past() async throws {
        let clinic = try await TestPractice()
        let before = try clinic.home.head
        let day = try Day(parsing: "2027-04-01")
        let shorter = Timetable(usual: try WeeklyHours(parsing: ["mon 08:00-10:00"]))
        _ = try await clinic.journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .setTimetable(shorter, from: day)
        }
        _ = try await clinic.journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .endService(clinic.checkUp)
        }
        let now = try clinic.journal.practiceStates.practice(clinic.practice).state
        let then = try clinic.journal.practiceStates.practice(clinic.practice, asOf: before).state
        #expect(now.timetables.value(on: day) == shorter)
        #expect(now.services[clinic.checkUp]?.ended != nil)
        #expect(then.timetables.value(on: day) != shorter)
        #expect(then.services[clinic.checkUp]?.ended == nil)
        let refused = await refusal { _ = try await clinic.book("2027-03-02T10:00") }
        #expect(refused?.code == .notFound)
        #expect(refused?.field == "service")
    }

    private func number(_ text: String) throws -> RegistrationProfile { try TestPractice.profile([("number", text)]) }
}
