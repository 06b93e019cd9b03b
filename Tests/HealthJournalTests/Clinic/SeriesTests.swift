import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Series of appointments")
struct SeriesTests {
    private func series(
        _ clinic: TestPractice,
        _ first: String,
        days: Int = 7,
        count: Int,
        skipTaken: Bool = false,
        dryRun: Bool = false,
        key: String? = nil,
        _ edit: (inout AppointmentRequest) -> Void = { _ in }
    ) async throws -> BookedSeries {
        var caller = try clinic.caller(.receptionist)
        caller.request = key.map { RequestKey($0, digest: [UInt8(count)]) }
        return try await clinic.journal.appointments.bookSeries(
            clinic.request(first, 0, edit),
            Repetition(days: days, count: count),
            skipTaken: skipTaken,
            dryRun: dryRun,
            caller
        )
    }

    @Test("All are at the same time by the clock, also after the clocks are set forward, and in one append")
    func wholeSeries() async throws {
        let clinic = try await TestPractice()
        let before = try clinic.home.head
        let made = try await series(clinic, "2027-03-16T09:00", count: 4, key: "series")
        #expect(made.booked.map(\.wall.description).map { $0.suffix(5) } == ["09:00", "09:00", "09:00", "09:00"])
        let starts = made.booked.map(\.start.description)
        #expect(starts.first == "2027-03-16T08:00:00Z")
        #expect(starts.last == "2027-04-06T07:00:00Z")
        #expect(made.skipped.isEmpty)
        let events = try clinic.home.events(after: before)
        #expect(Set(events.map(\.stamp.recordedAt)).count == 1)
        #expect(events.last?.stamp.position == made.position)
        for visit in made.booked {
            let state = try clinic.state(try #require(visit.entry))
            #expect(state.status == .scheduled)
            #expect(state.details.start == visit.start)
        }
        // The same request again is answered from the log; each appointment is changed on its own.
        #expect(try await series(clinic, "2027-03-16T09:00", count: 4, key: "series") == made)
        #expect(try clinic.home.head == made.position)
        let second = try #require(made.booked[1].entry)
        _ = try await clinic.change(second, .move(to: try .init(parsing: "2027-03-24T09:00"), minutes: nil))
        #expect(try clinic.state(try #require(made.booked[2].entry)).details.wall.day.description == "2027-03-30")
    }

    @Test("Requests with one key at once get the same appointments, and each of these exists")
    func sameKey() async throws {
        let clinic = try await TestPractice()
        var caller = try clinic.caller(.receptionist)
        caller.request = RequestKey("one", digest: [1])
        let (journal, request) = (clinic.journal, try clinic.request("2027-03-16T09:00"))
        let repetition = try Repetition(days: 7, count: 3)
        let answers = try await withThrowingTaskGroup(of: BookedSeries.self) { group in
            for _ in 0..<6 {
                group.addTask { [caller] in
                    try await journal.appointments.bookSeries(request, repetition, skipTaken: false, caller)
                }
            }
            return try await group.reduce(into: [BookedSeries]()) { $0.append($1) }
        }
        #expect(Set(answers).count == 1)
        for visit in answers[0].booked { #expect(try clinic.state(try #require(visit.entry)).status == .scheduled) }
    }

    @Test("If one time cannot be booked, none is; or it is left out with the reason")
    func taken() async throws {
        let clinic = try await TestPractice(dogs: 2)
        _ = try await clinic.book("2027-03-09T09:15", 1)
        let before = try clinic.home.head
        let refused = await refusal { _ = try await series(clinic, "2027-03-02T09:00", count: 3) }
        #expect(refused?.code == .slotTaken)
        #expect(refused?.field == "specialist")
        #expect(refused?.message.hasPrefix("2027-03-09T09:00: specialist is not free") == true)
        #expect(refused?.taken?.alternatives.isEmpty == false)
        #expect(try clinic.home.head == before)
        let tried = try await series(clinic, "2027-03-02T09:00", count: 3, skipTaken: true, dryRun: true)
        #expect(try clinic.home.head == before && tried.booked.allSatisfy { $0.entry == nil })
        let made = try await series(clinic, "2027-03-02T09:00", count: 3, skipTaken: true, key: "some")
        #expect(made.booked.map(\.start) == tried.booked.map(\.start))
        #expect(made.booked.count == 2)
        #expect(made.skipped == tried.skipped)
        #expect(made.skipped.map(\.wall.description) == ["2027-03-09T09:00"])
        let again = try await series(clinic, "2027-03-02T09:00", count: 3, skipTaken: true, key: "some")
        #expect(again.booked == made.booked)
        #expect(again.skipped.map(\.wall) == made.skipped.map(\.wall))
        // A weekend, when the practice is closed, leaves nothing.
        let closed = await refusal {
            _ = try await series(clinic, "2027-03-06T09:00", count: 2, skipTaken: true)
        }
        #expect(closed?.code == .conflict)
        #expect(closed?.field == "start")
    }

    @Test("Appointments of a series do not overlap each other, and only the first one is a first visit")
    func together() async throws {
        let clinic = try await TestPractice()
        let (journal, owner) = (clinic.journal, clinic.home.owner)
        let hours = Timetable(usual: try WeeklyHours(parsing: ["mon-sun 00:00-24:00"]))
        _ = try await journal.practices.changePractice(clinic.practice, owner) { _ in
            .setTimetable(hours, from: try Day(parsing: "2027-01-01"))
        }
        // The day before the clocks are set forward, 24 hours end an hour after the same time of the next day.
        let long = await refusal {
            _ = try await series(clinic, "2027-03-27T12:00", days: 1, count: 2) { $0.minutes = 1_440 }
        }
        #expect(long?.code == .slotTaken)
        let first = UUID()
        _ = try await journal.practices.changePractice(clinic.practice, owner) { _ in
            .setService(
                first,
                try TestPractice.profile([
                    ("name", "Physiotherapy"), ("type", "routine"), ("minutes", "20"), ("firstVisitMinutes", "45"),
                ])
            )
        }
        let made = try await series(clinic, "2027-04-01T09:00", days: 1, count: 3) { $0.service = first }
        let minutes = try made.booked.map { try clinic.state(try #require($0.entry)).details.minutes }
        #expect(minutes == [45, 20, 20])
    }

    @Test("Only staff books a series")
    func roles() async throws {
        let clinic = try await TestPractice()
        let request = try clinic.request("2027-03-16T09:00")
        let refused = await refusal {
            _ = try await clinic.journal.appointments.bookSeries(
                request,
                Repetition(days: 7, count: 2),
                skipTaken: false,
                clinic.client
            )
        }
        #expect(refused?.code == .refused)
    }

    @Test("An interval is a number of days or weeks", arguments: [("4 weeks", 28), ("week", 7), ("10 days", 10)])
    func intervals(text: String, days: Int) throws {
        #expect(try Repetition(parsing: text, count: 2) == Repetition(days: days, count: 2))
        for wrong in ["", "weeks 4", "4", "0 days", "-1 weeks", "53 weeks", "4 months", "4  weeks 1"] {
            #expect(throws: ModelError.self) { try Repetition(parsing: wrong, count: 2) }
        }
        for count in [1, 53] { #expect(throws: ModelError.self) { try Repetition(days: 7, count: count) } }
    }
}
