import EventLog
import Foundation
import HealthJournal
import HealthModel
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore

@Suite("The calendar of a practice")
struct PracticeCalendarTests {
    @Test("An auditor reads the calendar as it was known, without notes, each read on its trail, and changes nothing")
    func auditor() async throws {
        let clinic = try await TestPractice()
        let (journal, day) = (clinic.journal, try Day(parsing: "2027-03-02"))
        let auditor = try await clinic.home.account("Iris", .auditor)
        let id = try await clinic.book("2027-03-02T09:00", as: .nurse) { $0.notes = "bites" }
        let known = try clinic.home.head
        _ = try await clinic.change(id, .move(to: try .init(parsing: "2027-03-02T10:00"), minutes: nil))
        let head = try clinic.home.head
        let then = try await journal.appointments.calendar(
            of: clinic.practice,
            days: day...day,
            asOf: .position(known),
            auditor
        )
        #expect(then.appointments.map(\.state.details.wall.description) == ["2027-03-02T09:00"])
        #expect(then.appointments[0].state.details.notes.isEmpty)
        let reads = try clinic.home.events(after: head).compactMap { ($0.event.data as? RecordRead)?.access }
        #expect(reads.map(\.grantedBy) == [.role(.auditor)])
        #expect(try await journal.appointments.versions(ofAppointment: id, auditor).count == 2)
        let attempts: [() async throws -> Void] = [
            { _ = try await journal.appointments.changeAppointment(id, auditor) { _ in .arrive } },
            { _ = try await journal.patients.list(of: clinic.practice, auditor) },
            { _ = try await journal.clients.list(of: clinic.practice, auditor) },
            { _ = try await journal.triage.triageBoard(of: clinic.practice, auditor) },
        ]
        for attempt in attempts { #expect(await refusal(attempt)?.code == .refused) }
    }

    /// The second of March 2027, a Tuesday.
    private static let day = Day(daysSince1970: 20_879)

    private func calendar(
        _ clinic: TestPractice,
        _ role: ClinicRole = .receptionist,
        _ filter: AppointmentFilter = AppointmentFilter(),
        asOf: AsOf? = nil
    ) async throws -> CalendarAnswer {
        let days = Self.day...Self.day
        return try await clinic.journal.appointments.calendar(
            of: clinic.practice,
            days: days,
            matching: filter,
            asOf: asOf,
            clinic.caller(role)
        )
    }

    private func reads(of record: UUID, _ clinic: TestPractice) throws -> [Access] {
        try clinic.home.events(after: 0)
            .filter { $0.subject == record }
            .compactMap { ($0.event.data as? RecordRead)?.access }
            .filter { $0.action == .appointments || $0.action == .list }
    }

    @Test("A day lists its appointments, and each one that is shown is a read of its patient's record")
    func day() async throws {
        let clinic = try await TestPractice(dogs: 3)
        let late = try await clinic.book("2027-03-02T15:00", 1)
        let early = try await clinic.book("2027-03-02T09:00", 0)
        _ = try await clinic.book("2027-03-03T09:00", 2)
        let answer = try await calendar(clinic)
        #expect(answer.appointments.map(\.state.id) == [early, late])
        #expect(answer.appointments.map(\.patient?.name) == ["Dog 0", "Dog 1"])
        #expect(answer.specialists.map(\.profile.name) == ["Ada", "Ben"])
        #expect(answer.busy.isEmpty)
        #expect(try reads(of: clinic.dogs[0], clinic).map(\.grantedBy) == [.practice(clinic.practice)])
        #expect(try reads(of: clinic.dogs[2], clinic).isEmpty)
        var filter = AppointmentFilter()
        filter.specialist = clinic.ben
        #expect(try await calendar(clinic, .receptionist, filter).appointments.isEmpty)
        (filter.specialist, filter.record) = (clinic.ada, clinic.dogs[1])
        #expect(try await calendar(clinic, .receptionist, filter).appointments.map(\.state.id) == [late])
    }

    @Test("A day with 60 patients is on 60 trails when it is answered, once each, and again for the next reader")
    func crowdedDay() async throws {
        let clinic = try await TestPractice(dogs: 60)
        for dog in 0..<60 {
            let time = try #require(WallTime(minutes: 480 + dog / 2 * 5))
            _ = try await clinic.book("2027-03-02T\(time)", dog) { request in
                request.minutes = 5
                if dog % 2 == 1 { request.specialist = clinic.ben }
            }
        }
        for role in [ClinicRole.receptionist, .veterinarian] {
            let before = try clinic.home.head
            #expect(try await calendar(clinic, role).appointments.count == 60)
            let events = try clinic.home.events(after: before)
            #expect(events.count == 60)
            #expect(Set(events.map(\.subject)) == Set(clinic.dogs))
            let caller = try clinic.caller(role)
            #expect(events.allSatisfy { $0.stamp.actor == caller.account && $0.event.data is RecordRead })
        }
    }

    @Test("Only those who treat read the notes, and only members of the practice read its calendar")
    func roles() async throws {
        let clinic = try await TestPractice()
        let id = try await clinic.book("2027-03-02T09:00", as: .nurse) { $0.notes = "bites" }
        for (role, notes) in [
            (ClinicRole.veterinarian, "bites"), (.nurse, "bites"), (.receptionist, ""), (.manager, ""),
        ] {
            #expect(try await calendar(clinic, role).appointments.first?.state.details.notes == notes, "\(role)")
            let versions = try await clinic.journal.appointments.versions(ofAppointment: id, clinic.caller(role))
            #expect(versions.map(\.state.details.notes) == [notes], "\(role)")
        }
        let own = try await clinic.journal.appointments.list(of: clinic.dogs[0], clinic.client)
        #expect(own.map(\.state.id) == [id])
        #expect(own.first?.state.details.notes == "")
        let stranger = try await clinic.home.account("Stan")
        let days = Self.day...Self.day
        for caller in [clinic.client, stranger] {
            let refused = await refusal {
                _ = try await clinic.journal.appointments.calendar(of: clinic.practice, days: days, caller)
            }
            #expect(refused?.code == .refused)
        }
        #expect(await refusal { _ = try await clinic.journal.appointments.appointment(id, stranger) }?.code == .refused)
        #expect(
            await refusal { _ = try await clinic.journal.appointments.list(of: clinic.dogs[0], stranger) }?.code
                == .refused
        )
    }

    @Test("As of each position of a random history, the calendar shows what was shown then")
    func asOf() async throws {
        var random = SeededGenerator()
        let clinic = try await TestPractice(dogs: 6)
        var booked: [UUID] = []
        let start = try clinic.home.head
        for _ in 0..<40 {
            let hour = ["08", "09", "10", "11", "14", "15"].randomElement(using: &random)!
            let wall = "2027-03-0\(Int.random(in: 2...3, using: &random))T\(hour):00"
            let dog = Int.random(in: 0..<6, using: &random)
            // Times that are taken are refused, which changes nothing.
            if booked.count < 3 || Bool.random(using: &random) {
                if let id = try? await clinic.book(wall, dog) { booked.append(id) }
            } else if let id = booked.randomElement(using: &random) {
                let move = AppointmentChange.move(to: try .init(parsing: wall), minutes: nil)
                _ = try? await clinic.change(id, Bool.random(using: &random) ? move : .cancel(code: "ill"))
            }
        }
        var states: [UUID: AppointmentState] = [:]
        let zurich = try #require(
            TimeSpan(try Instant(parsing: "2027-03-01T23:00:00Z"), try Instant(parsing: "2027-03-02T23:00:00Z"))
        )
        for event in try clinic.home.events(after: 0) {
            if event.event.type.category == .appointment, booked.contains(event.stream) {
                var state = states[event.stream]
                evolve(&state, event)
                states[event.stream] = state
            }
            guard event.stamp.position > start else { continue }
            let expected = states.values.filter { $0.details.span.map { $0.overlaps(zurich) } ?? false }
            let shown = try await calendar(clinic, .nurse, asOf: .position(event.stamp.position)).appointments
                .map(\.state)
            #expect(Set(shown) == Set(expected), "at \(event.stamp.position), \(random)")
        }
    }

    @Test("A holiday cancels nothing: the appointments that it hits are listed, and so are those without an outcome")
    func openQuestions() async throws {
        let clinic = try await TestPractice()
        let id = try await clinic.book("2027-03-02T09:00")
        var filter = AppointmentFilter()
        filter.onlyOpenQuestions = true
        #expect(try await calendar(clinic, .receptionist, filter).appointments.isEmpty)
        var timetable = Timetable(usual: try WeeklyHours(parsing: ["mon-fri 08:00-12:00,13:00-17:00"]))
        timetable.holidays = [try Holiday(parsing: "2027-03-02 closed Works")]
        let (closed, day) = (timetable, try Day(parsing: "2027-01-02"))
        _ = try await clinic.journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .setTimetable(closed, from: day)
        }
        let found = try await calendar(clinic, .receptionist, filter).appointments
        #expect(found.map(\.state.id) == [id])
        #expect(found.first?.state.status == .scheduled)
        #expect(found.first?.problem?.contains("closed") == true)
        try clinic.home.clock.set("2027-03-02T12:00:00Z")
        let later = try await calendar(clinic, .receptionist, filter).appointments
        #expect(later.map(\.isUnresolved) == [true])
        #expect(later.first?.problem == nil)
    }

    @Test("Free times are those that can be booked, and a client sees only those that the practice offers")
    func freeSlots() async throws {
        let clinic = try await TestPractice(dogs: 3)
        _ = try await clinic.book("2027-03-02T09:00")
        var request = FreeSlotRequest(practice: clinic.practice, service: clinic.checkUp, days: Self.day...Self.day)
        request.specialist = clinic.ada
        let answer = try await clinic.journal.appointments.freeSlots(request, clinic.caller(.receptionist))
        #expect(answer.slots.first?.start == (try Instant(parsing: "2027-03-02T07:00:00Z")) && answer.why == nil)
        // From 08:00 to 12:00 and from 13:00 to 17:00 every quarter of an hour, without the half hour that is taken.
        #expect(answer.slots.count == 15 + 15 - 3)
        for slot in answer.slots.prefix(3) {
            let booking = try clinic.request("2027-03-02T08:00", 1) { $0.start = .instant(slot.start) }
            let result = try await clinic.journal.appointments.book(booking, clinic.caller(.receptionist))
            _ = try await clinic.change(#require(result.entry), .cancel(code: "test"))
        }
        request.record = clinic.dogs[2]
        let own = try await clinic.journal.appointments.freeSlots(request, clinic.client)
        // By default, clients book from 24 hours ahead.
        let earliest = clinic.journal.now.adding(minutes: 1_440)
        #expect(own.slots.map(\.start) == answer.slots.map(\.start).filter { $0 > earliest } && own.slots.count == 14)
        request.days = try Day(parsing: "2027-03-06")...Day(parsing: "2027-03-07")
        #expect(try await clinic.journal.appointments.freeSlots(request, clinic.client).why == .closed)
        request.record = nil
        #expect(
            await refusal { _ = try await clinic.journal.appointments.freeSlots(request, clinic.client) }?.code
                == .refused
        )
    }

    @Test("The directory lists practices, specialists and patients; those who are no members see less of them")
    func directory() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        let absence = Absence(span: try #require(TimeSpan(start: journal.now, minutes: 60)), why: .sick)
        _ = try await journal.practices.changeSpecialist(clinic.ada, in: clinic.practice, clinic.home.owner) { _ in
            .addAbsence(UUID(), absence)
        }
        #expect(try await journal.practices.list(clinic.client).map(\.practice.id) == [clinic.practice])
        let staff = try await journal.practices.specialists(of: clinic.practice, clinic.caller(.nurse))
        #expect(staff.map(\.profile.name) == ["Ada", "Ben"])
        #expect(staff.first?.absences.first?.value.why == .sick)
        let client = try await journal.practices.specialists(of: clinic.practice, clinic.client)
        #expect(client.map(\.profile.name) == ["Ada", "Ben"])
        #expect(client.first?.absences.first?.value.why == .other)
        let patients = try await journal.patients.list(of: clinic.practice, clinic.caller(.receptionist))
        #expect(patients.map(\.patient.name) == ["Dog 0", "Dog 1"])
        #expect(try reads(of: clinic.dogs[1], clinic).map(\.action) == [.list])
        #expect(
            await refusal { _ = try await journal.patients.list(of: clinic.practice, clinic.client) }?.code == .refused
        )
        let name = try #require(patients.first?.patient.name)
        for (text, isFound) in [(name.uppercased(), true), (String(name.dropFirst()), true), ("?!", false)] {
            let found = try await journal.patients.list(
                of: clinic.practice,
                matching: .name(text),
                clinic.caller(.receptionist)
            )
            #expect(found.contains { $0.patient.name == name } == isFound, "\(text)")
        }
        #expect(try await journal.practices.practice(clinic.practice, clinic.client).members.isEmpty)
        #expect(try await journal.practices.practice(clinic.practice, clinic.caller(.nurse)).members.count == 5)
    }
}
