import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore

@Suite("Appointments in the calendar of a record")
struct PatientCalendarTests {
    private func calendar(
        _ clinic: TestPractice,
        _ caller: Caller,
        showsNames: Bool = false,
        components: ICalendarComponent.Kind = .event
    ) async throws -> ICalendar {
        let options = CalendarOptions(showsNames: showsNames, components: components)
        return try await clinic.journal.reminders.calendar(of: clinic.dogs[0], options, caller)
    }

    @Test("The calendar of a patient has its appointments that are ahead or took place, with names only if asked for")
    func content() async throws {
        let clinic = try await TestPractice()
        let first = try await clinic.book("2027-03-02T09:00") { $0.places = [clinic.room] }
        let cancelled = try await clinic.book("2027-03-02T14:00")
        _ = try await clinic.change(cancelled, .cancel(code: "prevented"))
        let late = try await clinic.book("2027-08-25T09:00")
        let tooLate = try await clinic.book("2027-10-04T09:00")
        let other = try await clinic.book("2027-03-02T15:00", 1)

        let before = try clinic.home.head
        let calendar = try await calendar(clinic, clinic.client)
        #expect(calendar.components.map(\.id) == [first.text, late.text], "not \(cancelled), \(tooLate), \(other)")
        let shown = try #require(calendar.components.first)
        #expect(shown.start == .utc(try Instant(parsing: "2027-03-02T08:00:00Z")))
        #expect(shown.end == (try Instant(parsing: "2027-03-02T08:30:00Z")))
        #expect(shown.summary == "Appointment")
        #expect(shown.location == nil)
        #expect(shown.status == .confirmed)
        for word in ["Two Rooms", "Surgery", "Check-up"] { #expect(!calendar.text.contains(word)) }
        // What was shown of appointments is recorded as such.
        let reads = try clinic.home.events(after: before)
        #expect(reads.map(\.subject) == [clinic.dogs[0], clinic.dogs[0]])
        let accesses = reads.compactMap { ($0.event.data as? RecordRead)?.access }
        #expect(accesses.map(\.action) == [.calendar, .appointments] && accesses.map(\.entryCount) == [0, 2])

        let named = try #require(try await self.calendar(clinic, clinic.client, showsNames: true).components.first)
        #expect(named.summary == "Check-up, Two Rooms")
        #expect(named.location == "Surgery")
        #expect(try await self.calendar(clinic, clinic.client, components: .task).components.isEmpty)

        // A move has the same id and a later revision.
        _ = try await clinic.change(first, .move(to: try .init(parsing: "2027-03-02T09:30"), minutes: nil))
        let moved = try #require(try await self.calendar(clinic, clinic.client).components.first)
        #expect(moved.id == first.text)
        #expect(moved.sequence > shown.sequence)
        #expect(moved.start == .utc(try Instant(parsing: "2027-03-02T08:30:00Z")))
    }

    @Test("An appointment that took place stays for 30 days; one that was missed or entered by mistake does not")
    func past() async throws {
        let clinic = try await TestPractice()
        var visits: [UUID] = []
        for time in ["09:00", "10:00", "11:00", "14:00"] { visits.append(try await clinic.book("2027-03-02T\(time)")) }
        _ = try await clinic.change(visits[3], .retract, as: .manager, reason: "the wrong dog")
        func shown(_ time: String) async throws -> [String] {
            try clinic.home.clock.set(time)
            return try await calendar(clinic, clinic.client).components.map(\.id)
        }
        #expect(try await shown("2027-03-02T07:00:00Z") == visits.prefix(3).map(\.text))
        // Nobody has said yet what became of the third.
        try clinic.home.clock.set("2027-03-02T16:00:00Z")
        for change in [AppointmentChange.arrive, .begin, .complete] {
            _ = try await clinic.change(visits[0], change, as: .veterinarian)
        }
        _ = try await clinic.change(visits[1], .miss)
        #expect(try await shown("2027-03-03T07:00:00Z") == [visits[0].text, visits[2].text])
        #expect(try await shown("2027-04-01T07:00:00Z") == [visits[0].text, visits[2].text])
        #expect(try await shown("2027-04-02T07:00:00Z").isEmpty)
    }

    @Test("A caregiver's calendar has no appointments, nor has the feed that a former owner linked")
    func access() async throws {
        let clinic = try await TestPractice()
        let (journal, dog) = (clinic.journal, clinic.dogs[0])
        let booked = try await clinic.book("2027-03-02T09:00")
        let sitter = try await clinic.home.account("sitter")
        _ = try await journal.sharing.grant(
            GrantTerms(sections: [.myhealth]),
            to: sitter.account,
            on: dog,
            clinic.client
        )
        #expect(try await calendar(clinic, sitter).components.isEmpty)

        let feed = try await journal.reminders.linkCalendar(to: .doses(of: dog), clinic.client)
        let shown = try #require(try await journal.reminders.calendar(atSecret: feed.secret, components: .event))
        #expect(shown.components.map(\.id) == [booked.text])
        let client = clinic.client.giving(reason: "the dog moves")
        _ = try await journal.sharing.transfer(dog, to: sitter.account, client)
        #expect(
            await refusal { _ = try await journal.reminders.calendar(atSecret: feed.secret, components: .event) }
                == .noCalendar
        )
        #expect(try await calendar(clinic, sitter).components.map(\.id) == [booked.text])
    }
}
