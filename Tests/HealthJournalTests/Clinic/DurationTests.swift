import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("The duration and the species of services")
struct DurationTests {
    @Test("A first visit is longer when it is booked, free times are as long, and a person may choose otherwise")
    func lengthened() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let profile: ServiceProfile = try TestPractice.profile([
            ("name", "Check-up"), ("type", "routine"), ("minutes", "30"), ("firstVisitMinutes", "45"),
            ("online", "true"),
        ])
        _ = try await journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .setService(clinic.checkUp, profile)
        }
        func minutes(_ id: UUID) throws -> Int { try clinic.state(id).details.minutes }
        func free(_ dog: Int) async throws -> FreeSlotAnswer {
            let day = try Day(parsing: "2027-03-03")
            var asked = FreeSlotRequest(practice: clinic.practice, service: clinic.checkUp, days: day...day)
            asked.record = clinic.dogs[dog]
            return try await journal.appointments.freeSlots(asked, desk)
        }
        #expect(try await free(0).lengthened == [.firstVisit])
        let first = try await clinic.book("2027-03-02T09:00")
        #expect(try minutes(first) == 45)
        #expect(try await free(0).minutes == 30)
        let second = try await clinic.book("2027-03-02T10:00")
        #expect(try minutes(second) == 30)
        // A cancelled appointment was no visit; moving keeps what was agreed.
        _ = try await clinic.change(second, .cancel(code: "prevented"))
        _ = try await clinic.change(first, .move(to: try .init(parsing: "2027-03-02T09:15"), minutes: nil))
        #expect(try minutes(first) == 45)
        let asked = try await clinic.book("2027-03-02T11:00", 1) { $0.minutes = 20 }
        #expect(try minutes(asked) == 20)
    }

    @Test("The complexity that a triage found lengthens appointments for a week")
    func complex() async throws {
        let clinic = try await TestPractice()
        let (journal, vet) = (clinic.journal, try clinic.caller(.veterinarian))
        let rules = try #require(TriageRules.builtIn.last)
        _ = try await journal.triage.adoptTriageRules(rules, by: "Ada Roth", in: clinic.practice, vet)
        let begun = try await journal.triage.beginTriage(
            TriageRequest(practice: clinic.practice, record: clinic.dogs[0]),
            clinic.caller(.nurse)
        )
        var findings = TriageFindings(values: FieldValues())
        findings.signsFound = [.immediate]
        _ = try await journal.triage.changeTriage(try #require(begun.entry), .assess(findings), vet)
        let next = try await clinic.book("2027-03-02T09:00")
        // Level 1 is a case of 4.0 points or more.
        #expect(try clinic.state(next).details.minutes == 40)
        try clinic.home.clock.set("2027-03-09T13:00:00Z")
        let later = try await clinic.book("2027-03-10T09:00")
        #expect(try clinic.state(later).details.minutes == 30)
    }

    @Test("A service for cats cannot be booked for a dog")
    func species() async throws {
        let clinic = try await TestPractice()
        let cats: ServiceProfile = try TestPractice.profile([
            ("name", "Cats"), ("type", "routine"), ("minutes", "20"), ("species", "cat"),
        ])
        let service = UUID()
        _ = try await clinic.journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .setService(service, cats)
        }
        _ = try await clinic.journal.records.changeRecord(clinic.dogs[0], clinic.client) { profile throws(ModelError) in
            try profile.set("species", text: "Hund")
        }
        let refused = await refusal { _ = try await clinic.book("2027-03-02T09:00") { $0.service = service } }
        #expect(refused?.code == .conflict)
        #expect(refused?.field == "service")
        // Nobody guesses what an unknown species is.
        _ = try await clinic.book("2027-03-02T09:00", 1) { $0.service = service }
    }
}
