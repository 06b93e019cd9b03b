import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore

@Suite("The registration of an animal is asked for by a practice, and accepted by an owner of the record")
struct RegistrationTests {
    /// A practice, and another one with whose staff the owner of the dogs never dealt.
    private struct Bench {
        let clinic: TestPractice
        let other: UUID
        let stranger: Caller
        let service = UUID()
        let specialist: UUID

        var journal: Journal { clinic.journal }
        var dog: UUID { clinic.dogs[0] }

        init() async throws {
            clinic = try await TestPractice()
            let journal = clinic.journal
            stranger = try await clinic.home.account("Mallory")
            other = try #require(
                try await journal.practices
                    .createPractice(
                        TestPractice.profile([("name", "Elsewhere"), ("zone", "Europe/Zurich")]),
                        stranger
                    )
                    .id
            )
            let roles = Membership(roles: Set(ClinicRole.allCases))
            _ = try await journal.practices.changeMembers(of: other, .grant(account: stranger.account, roles), stranger)
            let hours = Timetable(usual: try WeeklyHours(parsing: ["mon-sun 00:00-24:00"]))
            let start = try Day(parsing: "2027-01-01")
            let profile: ServiceProfile = try TestPractice.profile([
                ("name", "Check-up"), ("type", "routine"), ("minutes", "720"), ("species", "dog"),
            ])
            let commands: [PracticeCommand] = [.setTimetable(hours, from: start), .setService(service, profile)]
            for command in commands { _ = try await journal.practices.changePractice(other, stranger) { _ in command } }
            specialist = try #require(
                try await journal.practices.addSpecialist(TestPractice.profile([("name", "M")]), to: other, stranger).id
            )
        }

        func register() async throws { _ = try await journal.patients.registerPatient(dog, at: other, stranger) }

        func status() async throws -> RegistrationStatus? {
            try await journal.patients.registrations(of: dog, clinic.client).first { $0.practice == other }?.state
                .status
        }

        /// Everything that a practice can begin with a patient.
        func attempts() throws -> [(String, () async throws -> Void)] {
            var request = AppointmentRequest(
                practice: other,
                record: dog,
                start: try .init(parsing: "2027-03-02T08:00")
            )
            (request.service, request.specialist) = (service, specialist)
            let asked = request
            let wish: WaitProfile = try TestPractice.profile([("service", service.text)])
            let day = try Day(parsing: "2027-03-02")
            var slots = FreeSlotRequest(practice: other, service: service, days: day...day)
            slots.record = dog
            let question = slots
            let recall = RegistrationState.Recall(service: service, due: day, group: "rabies")
            return [
                ("try", { _ = try await journal.appointments.book(asked, dryRun: true, stranger) }),
                ("book", { _ = try await journal.appointments.book(asked, stranger) }),
                (
                    "hold",
                    {
                        _ = try await journal.appointments.book(
                            asked,
                            heldUntil: journal.now.adding(minutes: 10),
                            stranger
                        )
                    }
                ),
                ("slots", { _ = try await journal.appointments.freeSlots(question, stranger) }),
                ("wait", { _ = try await journal.clients.addWait(wish, of: dog, at: other, stranger) }),
                ("recall", { _ = try await journal.patients.setRecall(UUID(), recall, of: dog, at: other, stranger) }),
                (
                    "triage",
                    {
                        _ = try await journal.triage.beginTriage(TriageRequest(practice: other, record: dog), stranger)
                    }
                ),
            ]
        }
    }

    @Test("A practice whose request nobody accepted sees nothing of the animal, and begins nothing with it")
    func requested() async throws {
        let bench = try await Bench()
        let (journal, clinic) = (bench.journal, bench.clinic)
        // The animal is busy at its own practice; no attempt may tell when.
        _ = try await clinic.book("2027-03-02T10:00")
        var messages: [[String]] = []
        for isRequested in [false, true] {
            if isRequested { try await bench.register() }
            let before = try clinic.home.head
            var found: [String] = []
            for (name, attempt) in try bench.attempts() {
                let error = await refusal(attempt)
                #expect(error?.code == .conflict, "\(name)")
                #expect(error?.field == "record", "\(name)")
                found.append(error?.message ?? "")
            }
            messages.append(found)
            #expect(try clinic.home.head == before)
        }
        // Each attempt is answered with the same words, whatever the record contains.
        #expect(messages.allSatisfy { Set($0).count == 1 })
        #expect(try await bench.status() == .requested)
        #expect(try await journal.patients.list(of: bench.other, bench.stranger).isEmpty)
        let named: NameLookup = try await journal.records.lookUp(record: "Dog 0", bench.stranger)
        if case .one = named { Issue.record("the stranger finds the animal by its name") }
        #expect(
            try await journal.patients.registrations(of: bench.dog, bench.stranger).map(\.practice) == [bench.other]
        )
        let again = try await journal.patients.registerPatient(bench.dog, at: bench.other, bench.stranger)
        #expect(!again.isChanged)
        // The animal's own practice books on any day.
        for wall in ["08:00", "09:00", "10:00", "11:00"] { _ = try await clinic.book("2027-03-03T\(wall)") }
    }

    @Test("An owner accepts, refuses and ends a registration; who was refused may only ask again")
    func decisions() async throws {
        let bench = try await Bench()
        let (journal, owner, dog) = (bench.journal, bench.clinic.client, bench.dog)
        let none = await refusal { _ = try await journal.patients.acceptRegistration(of: dog, at: bench.other, owner) }
        #expect(none?.code == .notFound)
        try await bench.register()
        // The practice cannot accept its own request, and nobody else can.
        for caller in [bench.stranger, try bench.clinic.caller(.manager)] {
            let own = await refusal {
                _ = try await journal.patients.acceptRegistration(of: dog, at: bench.other, caller)
            }
            #expect(own?.code == .refused)
        }
        _ = try await journal.patients.endRegistration(of: dog, at: bench.other, owner)
        #expect(try await bench.status() == .ended)
        try await bench.register()
        #expect(try await bench.status() == .requested)
        _ = try await journal.patients.acceptRegistration(of: dog, at: bench.other, owner)
        #expect(try await bench.status() == .accepted)
        let again = try await journal.patients.acceptRegistration(of: dog, at: bench.other, owner)
        #expect(!again.isChanged)
        #expect(try await journal.patients.list(of: bench.other, bench.stranger).map(\.patient.record) == [dog])
        for (name, attempt) in try bench.attempts() where name != "hold" {
            #expect(await refusal(attempt) == nil, "\(name)")
        }
        _ = try await journal.patients.endRegistration(of: dog, at: bench.other, owner)
        try await bench.register()
        #expect(try await bench.status() == .requested)
        for (name, attempt) in try bench.attempts() {
            #expect(await refusal(attempt)?.field == "record", "\(name)")
        }
    }

    @Test("After an owner ended a registration, the practice's bookings do not take the animal's time elsewhere")
    func freed() async throws {
        let bench = try await Bench()
        let (journal, clinic) = (bench.journal, bench.clinic)
        try await bench.register()
        _ = try await journal.patients.acceptRegistration(of: bench.dog, at: bench.other, clinic.client)
        let booking = try #require(try bench.attempts().first { $0.0 == "book" })
        try await booking.1()
        let taken = await refusal { _ = try await clinic.book("2027-03-02T09:00") }
        #expect(taken?.code == .slotTaken)
        #expect(taken?.field == "record")
        _ = try await journal.patients.endRegistration(of: bench.dog, at: bench.other, clinic.client)
        _ = try await clinic.book("2027-03-02T09:00")
        // The practice can still cancel what it booked.
        let own = try #require(
            try await journal.appointments.list(of: bench.dog, clinic.client)
                .first { $0.state.details.practice == bench.other }
        )
        _ = try await journal.appointments.changeAppointment(own.state.id, bench.stranger) { _ in .cancel(code: "") }
    }

    @Test("A practice registers the animals whose records it keeps, and those of a record that it handed over stay")
    func custody() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: "Rex")
        let rex = try #require(
            try await journal.patients.createPatient(NewPatient(profile), at: clinic.practice, desk).record
        )
        func status() async throws -> RegistrationStatus? {
            try await journal.patients.registrations(of: rex, desk).first?.state.status
        }
        #expect(try await status() == .accepted)
        _ = try await journal.patients.endRegistration(of: rex, at: clinic.practice, desk)
        _ = try await journal.patients.registerPatient(rex, at: clinic.practice, desk)
        #expect(try await status() == .accepted)
        _ = try await journal.sharing.transfer(rex, to: clinic.client.account, desk)
        #expect(try await status() == .accepted)
        _ = try await journal.patients.endRegistration(of: rex, at: clinic.practice, clinic.client)
        _ = try await journal.patients.registerPatient(rex, at: clinic.practice, desk)
        #expect(try await status() == .requested)
    }
}
