import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("What is stated of specialists and services binds bookings")
struct TreatmentTests {
    private func clinic(species: String) async throws -> TestPractice {
        let clinic = try await TestPractice(dogs: 2)
        let (journal, owner, practice) = (clinic.journal, clinic.home.owner, clinic.practice)
        _ = try await journal.records.changeRecord(clinic.dogs[0], clinic.client) { profile throws(ModelError) in
            try profile.set("species", text: species)
        }
        let ada: SpecialistProfile = try TestPractice.profile([
            ("name", "Ada"), ("species.never.0", "Katze"), ("species.never.1", "Axolotl"),
        ])
        _ = try await journal.practices.changeSpecialist(clinic.ada, in: practice, owner) { _ in .change(ada) }
        return clinic
    }

    @Test(
        "A specialist who never treats a species is not booked for it, unless an emergency says why",
        arguments: ["cat", "Kater", "axolotl"]
    )
    func never(species: String) async throws {
        let clinic = try await clinic(species: species)
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        func book(_ edit: (inout AppointmentRequest) -> Void = { _ in }) async -> JournalError? {
            await refusal { _ = try await journal.appointments.book(clinic.request("2027-03-02T09:00", 0, edit), desk) }
        }
        let refused = await book()
        #expect(refused?.code == .conflict)
        #expect(refused?.field == "specialist")
        #expect(await book { $0.type = .emergency }?.field == "specialist")
        let day = try Day(parsing: "2027-03-02")
        var asked = FreeSlotRequest(practice: clinic.practice, service: clinic.checkUp, days: day...day)
        asked.record = clinic.dogs[0]
        #expect(try await Set(journal.appointments.freeSlots(asked, desk).slots.map(\.specialist)) == [clinic.ben])
        #expect(await book { ($0.type, $0.reason) = (.emergency, "nobody else is here") } == nil)
        // Another animal, and another specialist.
        #expect(await refusal { _ = try await clinic.book("2027-03-02T10:00", 1) } == nil)
        let other = await refusal { _ = try await clinic.book("2027-03-02T11:00", 0) { $0.specialist = clinic.ben } }
        #expect(other == nil)
        // It binds as well when an appointment is given to somebody else.
        let booked = try await clinic.book("2027-03-02T14:00", 0) { $0.specialist = clinic.ben }
        let given = await refusal {
            _ = try await clinic.change(booked, .reassign(specialist: clinic.ada, places: nil))
        }
        #expect(given?.field == "specialist")
    }

    @Test("A service with a specialty is booked with one who has it, whatever the case of its name")
    func specialty() async throws {
        let clinic = try await clinic(species: "dog")
        let (journal, owner, practice) = (clinic.journal, clinic.home.owner, clinic.practice)
        let profile: PracticeProfile = try TestPractice.profile([
            ("name", "Two Rooms"), ("zone", "Europe/Zurich"), ("specialties.0.name", "Dentistry"),
        ])
        _ = try await journal.practices.changePractice(practice, owner) { _ in .change(profile) }
        let teeth = UUID()
        let service: ServiceProfile = try TestPractice.profile([
            ("name", "Teeth"), ("type", "routine"), ("minutes", "30"), ("specialty", "dentistry"),
        ])
        _ = try await journal.practices.changePractice(practice, owner) { _ in .setService(teeth, service) }
        func book(_ wall: String, with specialist: UUID) async -> JournalError? {
            await refusal {
                _ = try await clinic.book(wall) { ($0.service, $0.specialist) = (teeth, specialist) }
            }
        }
        #expect(await book("2027-03-02T09:00", with: clinic.ben)?.field == "specialist")
        let ben: SpecialistProfile = try TestPractice.profile([
            ("name", "Ben"), ("expertise.0.specialty", "DENTISTRY"), ("expertise.0.level", "basic"),
        ])
        _ = try await journal.practices.changeSpecialist(clinic.ben, in: practice, owner) { _ in .change(ben) }
        #expect(await book("2027-03-02T09:00", with: clinic.ben) == nil)
        #expect(await book("2027-03-02T10:00", with: clinic.ada)?.message.contains("specialty") == true)
    }

    @Test("Everything that is in the way of a booking is listed at once")
    func conflicts() async throws {
        let clinic = try await clinic(species: "cat")
        _ = try await clinic.book("2027-03-02T09:00", 1) { ($0.service, $0.places) = (clinic.surgery, [clinic.room]) }
        let refused = await refusal {
            _ = try await clinic.book("2027-03-02T09:15", 0) {
                ($0.service, $0.places) = (clinic.surgery, [clinic.room])
            }
        }
        #expect(refused?.conflicts.map(\.field) == ["specialist", "specialist", "room"])
        #expect(refused?.conflicts.map { $0.taken == nil } == [true, false, false])
        #expect(refused?.field == "specialist")
        #expect(refused?.code == .conflict)
    }
}
