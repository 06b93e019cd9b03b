import EventLog
import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalClinic
@testable import JournalCore

@Suite("Appointments after the rules of a time zone have changed")
struct ZoneRulesTests {
    /// Books an appointment as a program did by whose rules the clock was an hour behind.
    private func bookByOldRules(_ clinic: TestPractice, _ wall: String, _ dog: Int) async throws -> UUID {
        let (journal, caller, record) = (clinic.journal, try clinic.caller(.receptionist), clinic.dogs[dog])
        let admission = try await journal.access.admit(caller, to: .schedule(.arrange), in: clinic.practice, on: record)
        var details = try journal.appointments.details(of: clinic.request(wall, dog), admission)
        details.start = details.start.adding(minutes: 60)
        let id = UUID()
        var change = try Change(journal, caller)
        let event = JournalEvent(AppointmentBooked(details: details))
        try change.add(event, in: .entry(id, of: record), expecting: .empty)
        try journal.appointments.facts(for: details, of: record, admission)
            .move(id, of: record, from: nil, to: details, &change)
        _ = try await change.commit()
        return id
    }

    private func open(_ clinic: TestPractice) async throws -> [AppointmentAnswer] {
        let day = try Day(parsing: "2027-03-02")
        var filter = AppointmentFilter()
        filter.onlyOpenQuestions = true
        return try await clinic.journal
            .appointments
            .calendar(
                of: clinic.practice,
                days: day...day,
                matching: filter,
                clinic.caller(.receptionist)
            )
            .appointments
    }

    @Test("What is at another time by the clock is found, and moved back to what was agreed unless that is taken")
    func movedBack() async throws {
        let clinic = try await TestPractice(dogs: 3)
        _ = try await clinic.book("2027-03-02T15:00", 0)
        #expect(clinic.journal.appointments.zoneFindings().isEmpty)
        let one = try await bookByOldRules(clinic, "2027-03-02T09:00", 0)
        let other = try await bookByOldRules(clinic, "2027-03-02T13:30", 1)
        // Their agreed times look free.
        let taking = try await clinic.book("2027-03-02T13:15", 2)
        let finding = try #require(clinic.journal.appointments.zoneFindings().first)
        #expect(!finding.isOK)
        #expect(finding.detail.hasPrefix("2 appointments of the practice"))
        let listed = try await open(clinic)
        #expect(Set(listed.map(\.state.id)) == [one, other])
        for answer in listed { #expect(answer.problem?.contains("agreed was \(answer.state.details.wall)") == true) }

        let agreed = try clinic.state(one).details.wall
        _ = try await clinic.change(one, .move(to: .wall(agreed), minutes: nil))
        let back = try clinic.state(one).details
        #expect(back.wall == agreed)
        #expect(back.start.description == "2027-03-02T08:00:00Z")
        let wall = try clinic.state(other).details.wall
        let taken = await refusal { _ = try await clinic.change(other, .move(to: .wall(wall), minutes: nil)) }
        #expect(taken?.code == .slotTaken)
        #expect(try await open(clinic).map(\.state.id) == [other])
        _ = try await clinic.change(taking, .cancel(code: ""))
        _ = try await clinic.change(other, .move(to: .wall(wall), minutes: nil))
        #expect(clinic.journal.appointments.zoneFindings().isEmpty)
        #expect(try await open(clinic).isEmpty)
        // The hour that the old rules meant is free again.
        _ = try await clinic.book("2027-03-02T10:00", 2)
    }

    @Test("Another zone of a practice needs a reason, and lists what it moves before and when it is changed")
    func anotherZone() async throws {
        let clinic = try await TestPractice(dogs: 3)
        let (journal, practice) = (clinic.journal, clinic.practice)
        let one = try await clinic.book("2027-03-02T09:00", 0)
        let gone = try await clinic.book("2027-03-02T10:00", 1)
        let two = try await clinic.book("2027-03-30T09:00", 2)
        _ = try await clinic.change(gone, .cancel(code: ""))
        let profile: PracticeProfile = try TestPractice.profile([("name", "Two Rooms"), ("zone", "Europe/London")])
        func change(_ reason: String, dryRun: Bool = false) async throws -> WriteResult {
            let caller = clinic.home.owner.giving(reason: reason)
            return try await journal.practices.changePractice(practice, dryRun: dryRun, caller) { _ in .change(profile)
            }
        }
        for dryRun in [true, false] {
            let refused = await refusal { _ = try await change(" ", dryRun: dryRun) }
            #expect(refused?.code == .invalid)
            #expect(refused?.field == "reason")
        }
        let trial = try await change("the practice has moved", dryRun: true)
        #expect(!trial.isChanged)
        #expect(trial.moved.map(\.appointment) == [one, two])
        #expect(
            trial.moved.map { "\($0.agreed) \($0.wall)" } == [
                "2027-03-02T09:00 2027-03-02T08:00", "2027-03-30T09:00 2027-03-30T08:00",
            ]
        )
        #expect(try journal.practiceStates.practice(practice).state.profile.zone == "Europe/Zurich")
        let done = try await change("the practice has moved")
        #expect(done.isChanged)
        #expect(done.moved == trial.moved)
        // Any other change needs none.
        let renamed: PracticeProfile = try TestPractice.profile([("name", "Three Rooms"), ("zone", "Europe/London")])
        let other = try await journal.practices.changePractice(practice, clinic.home.owner) { _ in .change(renamed) }
        #expect(other.isChanged)
        #expect(other.moved.isEmpty)
    }
}
