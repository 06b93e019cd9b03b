import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore

@Suite("The calendar feed of a specialist")
struct SpecialistCalendarTests {
    private func feed(
        _ clinic: TestPractice,
        _ made: NewCalendar,
        unless isKnown: (ICalendar) -> Bool = { _ in false }
    ) async throws(JournalError) -> ICalendar? {
        try await clinic.journal.reminders.calendar(atSecret: made.secret, components: .event, unless: isKnown)
    }

    @Test("A feed has the specialist's appointments and absences without names, and each fetch is on each trail")
    func content() async throws {
        let clinic = try await TestPractice()
        let (journal, vet) = (clinic.journal, try clinic.caller(.veterinarian))
        let source = CalendarSource.appointments(of: clinic.ada, at: clinic.practice)
        let made = try await journal.reminders.linkCalendar(to: source, vet)
        let first = try await clinic.book("2027-03-02T09:00") { $0.places = [clinic.room] }
        let second = try await clinic.book("2027-03-02T11:00", 1)
        let cancelled = try await clinic.book("2027-03-02T14:00")
        _ = try await clinic.change(cancelled, .cancel(code: "prevented"))
        _ = try await clinic.book("2027-03-02T15:00") { $0.specialist = clinic.ben }
        let leave = try #require(
            TimeSpan(try Instant(parsing: "2027-03-04T07:00:00Z"), try Instant(parsing: "2027-03-04T16:00:00Z"))
        )
        _ = try await journal.practices.changeSpecialist(clinic.ada, in: clinic.practice, clinic.home.owner) { _ in
            .addAbsence(UUID(), Absence(span: leave, why: .leave))
        }
        let before = try clinic.home.head
        let calendar = try #require(try await feed(clinic, made))
        #expect(calendar.components.map(\.summary).sorted() == ["Absent", "Check-up", "Check-up"])
        let shown = try #require(calendar.components.first { $0.id == first.text })
        #expect(shown.start == .utc(try Instant(parsing: "2027-03-02T08:00:00Z")))
        #expect(shown.end == (try Instant(parsing: "2027-03-02T08:30:00Z")))
        #expect(shown.location == "Surgery")
        #expect(!calendar.text.contains("Dog 0"))
        let reads = try clinic.home.events(after: before)
        #expect(Set(reads.map(\.subject)) == Set(clinic.dogs))
        #expect(reads.count == 2)
        #expect(reads.allSatisfy { ($0.event.data as? RecordRead)?.access.action == .calendar })
        #expect(reads.allSatisfy { ($0.event.data as? RecordRead)?.access.grantedBy == .practice(clinic.practice) })

        // What the client has already shows nothing, and is not recorded.
        let head = try clinic.home.head
        #expect(try await feed(clinic, made) { $0.text == calendar.text } == nil)
        #expect(try clinic.home.head == head)
        // A move has the same id and a later revision.
        _ = try await clinic.change(second, .move(to: try .init(parsing: "2027-03-02T11:30"), minutes: nil))
        let moved = try #require(try await feed(clinic, made)?.components.first { $0.id == second.text })
        #expect(moved.sequence == 1)
        #expect(moved.start == .utc(try Instant(parsing: "2027-03-02T10:30:00Z")))

        let named = try await journal.reminders.linkCalendar(to: source, showsNames: true, vet)
        #expect(try await feed(clinic, named)?.text.contains("Check-up\\, Dog 0") == true)
    }

    @Test("Only members link a feed; it ends with the membership, and managers end those of others")
    func access() async throws {
        let clinic = try await TestPractice()
        let (journal, vet, nurse) = (clinic.journal, try clinic.caller(.veterinarian), try clinic.caller(.nurse))
        let source = CalendarSource.appointments(of: clinic.ada, at: clinic.practice)
        _ = try await clinic.book("2027-03-02T09:00")
        #expect(
            await refusal { _ = try await journal.reminders.linkCalendar(to: source, clinic.client) }?.code == .refused
        )
        let nobody = CalendarSource.appointments(of: UUID(), at: clinic.practice)
        #expect(await refusal { _ = try await journal.reminders.linkCalendar(to: nobody, vet) }?.code == .notFound)
        let made = try await journal.reminders.linkCalendar(to: source, vet)
        let other = try await journal.reminders.linkCalendar(to: source, nurse)
        #expect(try await journal.reminders.calendars(of: source, nurse).map(\.id) == [other.id])
        #expect(
            try await journal.reminders.calendars(of: source, clinic.caller(.manager)).map(\.id) == [made.id, other.id]
        )
        #expect(
            await refusal { _ = try await journal.reminders.unlinkCalendar(made.id, of: source, nurse) }?.code
                == .refused
        )
        // A manager of another practice does not end it.
        let branch: PracticeProfile = try TestPractice.profile([("name", "Branch"), ("zone", "Europe/Zurich")])
        let elsewhere = try #require(try await journal.practices.createPractice(branch, nurse).id)
        let wrong = CalendarSource.appointments(of: clinic.ada, at: elsewhere)
        #expect(
            await refusal { _ = try await journal.reminders.unlinkCalendar(made.id, of: wrong, nurse) }?.code
                == .notFound
        )
        #expect(try await feed(clinic, made) != nil)
        _ = try await journal.reminders.unlinkCalendar(other.id, of: source, clinic.caller(.manager))
        #expect(await refusal { _ = try await feed(clinic, other) } == .noCalendar)
        // It is among what outlives a password, and ends with the membership.
        #expect(try await journal.accounts.lastingAccess(of: vet.account, vet).calendars.map(\.state.id) == [made.id])
        _ = try await journal.practices.changeMembers(
            of: clinic.practice,
            .revoke(account: vet.account),
            clinic.home.owner
        )
        #expect(await refusal { _ = try await feed(clinic, made) } == .noCalendar)
    }
}
