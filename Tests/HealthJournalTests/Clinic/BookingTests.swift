import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import JournalClinic
@testable import JournalCore

@Suite("Appointments of a practice")
struct BookingTests {
    /// Books all requests concurrently, and returns the error of each, or nil for those that succeeded.
    private func atOnce(_ requests: [AppointmentRequest], _ clinic: TestPractice) async throws -> [JournalError?] {
        let (journal, caller) = (clinic.journal, try clinic.caller(.nurse))
        return await withTaskGroup(of: JournalError?.self) { group in
            for request in requests {
                group.addTask { await refusal { _ = try await journal.appointments.book(request, caller) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("Of 100 who want the same time at once, one gets it, and the others learn which time is taken")
    func oneSlot() async throws {
        let clinic = try await TestPractice(dogs: 100)
        let before = try clinic.home.head
        let requests = try (0..<100).map { try clinic.request("2027-03-02T10:00", $0) }
        let results = try await atOnce(requests, clinic)
        #expect(results.count { $0 == nil } == 1)
        let taken = TimeSpan(start: try Instant(parsing: "2027-03-02T09:00:00Z"), minutes: 30)
        for error in results.compactMap(\.self) {
            #expect(error.code == .slotTaken, "\(error)")
            #expect(error.field == "specialist", "\(error)")
            #expect(error.taken?.span == taken, "\(error)")
            let free = error.taken?.alternatives.map { "\($0.wall) \($0.specialistName)" }
            #expect(
                free == [
                    "2027-03-02T10:00 Ben", "2027-03-02T09:45 Ben", "2027-03-02T10:15 Ben", "2027-03-02T09:30 Ada",
                    "2027-03-02T10:30 Ada",
                ]
            )
        }
        let events = try clinic.home.events(after: before)
        #expect(events.map(\.type.name).sorted() == ["appointment.booked", "slot.taken", "slot.taken"])
    }

    @Test("100 who want different times of one specialist's days all get them")
    func differentSlots() async throws {
        let clinic = try await TestPractice(dogs: 100)
        let requests = try (0..<100)
            .map { number in
                // 16 half hours a day.
                let (day, slot) = number.quotientAndRemainder(dividingBy: 16)
                let minutes = slot < 8 ? 480 + slot * 30 : 780 + (slot - 8) * 30
                let wall = WallMoment(
                    day: try Day(parsing: "2027-03-08").adding(days: day < 5 ? day : day + 2),
                    time: WallTime(minutes: minutes)
                )
                return try clinic.request("\(wall)", number)
            }
        let results = try await atOnce(requests, clinic)
        #expect(results.compactMap(\.self).isEmpty, "\(results.compactMap(\.self).first?.description ?? "")")
    }

    @Test("The room, the specialist and the patient are each named if they are not free; buffers count")
    func resources() async throws {
        let clinic = try await TestPractice(dogs: 3)
        let operation = try await clinic.book("2027-03-02T09:00") { $0.service = clinic.surgery }
        #expect(try clinic.state(operation).details.places == [clinic.room])
        func field(_ wall: String, _ dog: Int, _ edit: (inout AppointmentRequest) -> Void) async throws -> String? {
            let request = try clinic.request(wall, dog, edit)
            let caller = try clinic.caller(.receptionist)
            let error = await refusal { _ = try await clinic.journal.appointments.book(request, caller) }
            #expect(error == nil || error?.code == .slotTaken, "\(error?.description ?? "")")
            return error?.field
        }
        #expect(
            try await field("2027-03-02T10:00", 1) { ($0.service, $0.specialist) = (clinic.surgery, clinic.ben) }
                == "room"
        )
        #expect(try await field("2027-03-02T10:00", 1) { _ in } == "specialist")
        #expect(try await field("2027-03-02T09:30", 0) { $0.specialist = clinic.ben } == "record")
        #expect(try await field("2027-03-02T10:15", 1) { _ in } == nil)
        // The patient's own time has no buffer.
        #expect(try await field("2027-03-02T10:00", 0) { $0.specialist = clinic.ben } == nil)
    }

    @Test("A booking that is sent again is the same booking, and its key cannot be used for another one")
    func repeated() async throws {
        let clinic = try await TestPractice()
        var caller = try clinic.caller(.receptionist)
        caller.request = RequestKey("k1", digest: [1])
        let first = try await clinic.journal.appointments.book(clinic.request("2027-03-02T10:00"), caller)
        let head = try clinic.home.head
        let second = try await clinic.journal.appointments.book(clinic.request("2027-03-02T10:00"), caller)
        #expect(second.entry == first.entry)
        #expect(second.position == first.position)
        caller.request = RequestKey("k1", digest: [2])
        let other = await refusal { [caller] in
            _ = try await clinic.journal.appointments.book(clinic.request("2027-03-02T11:00"), caller)
        }
        #expect(other?.code == .conflict)
        #expect(try clinic.home.head == head)
    }

    @Test("A request that is refused because another process has performed it meanwhile gets the result of that")
    func repeatedElsewhere() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        var caller = try clinic.caller(.receptionist)
        caller.request = RequestKey("k1", digest: [1])
        var first: WriteResult?
        // What happens between the search for an earlier result and the decision.
        let second = try await journal.once(caller) { [caller] in
            first = try await journal.appointments.book(clinic.request("2027-03-02T10:00"), caller)
            throw JournalError(.slotTaken, field: "specialist", "is not free at that time")
        }
        #expect(second.entry == first?.entry)
        #expect(second.entry != nil)
        let other = await refusal {
            caller.request = RequestKey("k2", digest: [2])
            _ = try await journal.appointments.book(clinic.request("2027-03-02T10:00"), caller)
        }
        #expect(other?.code == .slotTaken)
    }

    @Test("A move takes the new time and frees the old one in one append; to the same time it changes nothing")
    func moves() async throws {
        let clinic = try await TestPractice()
        let appointment = try await clinic.book("2027-03-02T10:00")
        let there = try AppointmentRequest.Start(parsing: "2027-03-02T10:15")
        let back = try AppointmentRequest.Start(parsing: "2027-03-02T10:00")
        let moved = try await clinic.change(appointment, .move(to: there, minutes: nil), reason: "late train")
        #expect(moved.isChanged)
        #expect(try await !clinic.change(appointment, .move(to: there, minutes: nil)).isChanged)
        _ = try await clinic.change(appointment, .move(to: back, minutes: nil))
        let state = try clinic.state(appointment)
        #expect(state.sequence == 2)
        #expect(state.details.wall.description == "2027-03-02T10:00")
        let events = try clinic.journal.log.recordedEvents(of: appointment)
        #expect(
            events.map(\.type.name) == ["appointment.booked", "appointment.rescheduled", "appointment.rescheduled"]
        )
        #expect(events[1].reason == "late train")
        // As it was known in between.
        #expect(try clinic.state(appointment, asOf: moved.position).details.wall.description == "2027-03-02T10:15")
        let other = try await clinic.book("2027-03-02T10:30", 1)
        let taken = await refusal { _ = try await clinic.change(other, .move(to: there, minutes: nil)) }
        #expect(taken?.code == .slotTaken)
        #expect(try clinic.state(other).sequence == 0)
    }

    @Test("An appointment that is moved after the patient has arrived waits for the patient again")
    func movedAfterArrival() async throws {
        let clinic = try await TestPractice()
        let appointment = try await clinic.book("2027-03-02T10:00")
        try clinic.home.clock.set("2027-03-02T08:55:00Z")
        _ = try await clinic.change(appointment, .arrive)
        #expect(try clinic.state(appointment).arrived != nil)
        _ = try await clinic.change(appointment, .move(to: .init(parsing: "2027-03-03T10:00"), minutes: nil))
        #expect(try clinic.state(appointment).arrived == nil)
    }

    @Test("A cancelled time is free for others, and the first appointment can then not be reinstated")
    func cancelled() async throws {
        let clinic = try await TestPractice()
        let first = try await clinic.book("2027-03-02T10:00")
        _ = try await clinic.change(first, .cancel(code: "ill"))
        let second = try await clinic.book("2027-03-02T10:00", 1)
        let refused = await refusal { _ = try await clinic.change(first, .reinstate) }
        #expect(refused?.code == .slotTaken)
        _ = try await clinic.change(second, .cancel(code: ""))
        _ = try await clinic.change(first, .reinstate)
        #expect(try clinic.state(first).status == .scheduled)
    }

    @Test("A missed appointment frees its time, from 15 minutes after its start on")
    func missed() async throws {
        let clinic = try await TestPractice()
        let appointment = try await clinic.book("2027-03-02T10:00")
        try clinic.home.clock.set("2027-03-02T09:10:00Z")
        #expect(await refusal { _ = try await clinic.change(appointment, .miss) }?.code == .conflict)
        try clinic.home.clock.set("2027-03-02T09:16:00Z")
        _ = try await clinic.change(appointment, .miss)
        #expect(try clinic.state(appointment).status == .noShow)
    }

    @Test("The patient of an appointment on a later day is there only if that is meant")
    func ahead() async throws {
        let clinic = try await TestPractice()
        let appointment = try await clinic.book("2027-03-08T10:00")
        for (step, role) in [
            (AppointmentChange.arrive, ClinicRole.receptionist), (.begin, .nurse), (.complete, .veterinarian),
        ] {
            let before = try clinic.home.head
            let refused = await refusal { _ = try await clinic.change(appointment, step, as: role) }
            #expect(refused?.code == .conflict)
            #expect(refused?.field == "ahead")
            #expect(refused?.message.contains("2027-03-08") == true)
            #expect(try clinic.home.events(after: before).isEmpty)
            _ = try await clinic.change(appointment, .ahead(step), as: role)
        }
        #expect(try clinic.state(appointment).status == .completed)
        // What is not possible at all says so, and does not ask.
        let again = await refusal { _ = try await clinic.change(appointment, .complete, as: .veterinarian) }
        #expect(again?.field == "status")
    }

    @Test("A client who calls off later than the practice asks for is noted as late; a practice never is")
    func late() async throws {
        let clinic = try await TestPractice()
        func cancelled(_ wall: String, by party: AppointmentParty?, at moment: String) async throws -> Bool {
            try clinic.home.clock.set(moment)
            let appointment = try await clinic.book(wall)
            _ = try await clinic.change(appointment, .cancel(code: "prevented", by: party))
            let desk = try clinic.caller(.receptionist)
            return try await clinic.journal.appointments.appointment(appointment, desk).document.isCancelledLate
        }
        // The notice is 24 hours.
        #expect(try await !cancelled("2027-03-09T10:00", by: .client, at: "2027-03-08T08:59:00Z"))
        #expect(try await cancelled("2027-03-09T10:00", by: .client, at: "2027-03-08T09:01:00Z"))
        #expect(try await !cancelled("2027-03-09T10:30", by: .practice, at: "2027-03-08T13:00:00Z"))
        #expect(try await !cancelled("2027-03-09T11:00", by: nil, at: "2027-03-08T13:00:00Z"))
    }

    @Test("A visit from arrival to completion, by those who may do each step")
    func visit() async throws {
        let clinic = try await TestPractice()
        let appointment = try await clinic.book("2027-03-02T10:00")
        _ = try await clinic.change(appointment, .confirm(.phone))
        try clinic.home.clock.set("2027-03-02T08:55:00Z")
        _ = try await clinic.change(appointment, .arrive)
        for role in [ClinicRole.receptionist, .manager] {
            #expect(await refusal { _ = try await clinic.change(appointment, .begin, as: role) }?.code == .refused)
        }
        _ = try await clinic.change(appointment, .begin, as: .nurse)
        for role in [ClinicRole.nurse, .receptionist, .manager] {
            #expect(await refusal { _ = try await clinic.change(appointment, .complete, as: role) }?.code == .refused)
        }
        _ = try await clinic.change(appointment, .complete, as: .veterinarian)
        let state = try clinic.state(appointment)
        #expect(state.status == .completed)
        #expect(state.arrived != nil)
        #expect(state.begun != nil)
        #expect(state.completed != nil)
        let late = await refusal { _ = try await clinic.change(appointment, .cancel(code: ""), as: .veterinarian) }
        #expect(late?.code == .conflict)
        #expect(late?.message.contains("completed") == true)
    }

    @Test("Clients book for their own animals what is offered to them, and change it until 24 hours before")
    func clients() async throws {
        let clinic = try await TestPractice()
        let request = try clinic.request("2027-03-03T10:00")
        let booked = try await clinic.journal.appointments.book(request, clinic.client)
        let stranger = try await clinic.home.account("Stranger")
        #expect(await refusal { _ = try await clinic.journal.appointments.book(request, stranger) }?.code == .refused)
        let operation = try clinic.request("2027-03-04T10:00") { $0.service = clinic.surgery }
        #expect(
            await refusal { _ = try await clinic.journal.appointments.book(operation, clinic.client) }?.field
                == "service"
        )
        let soon = try clinic.request("2027-03-01T16:00")
        #expect(await refusal { _ = try await clinic.journal.appointments.book(soon, clinic.client) }?.field == "start")
        let entry = try #require(booked.entry)
        let cancel: @Sendable (AppointmentState) -> AppointmentChange = { _ in .cancel(code: "") }
        let other = await refusal {
            _ = try await clinic.journal.appointments.changeAppointment(entry, stranger, cancel)
        }
        #expect(other?.code == .refused)
        try clinic.home.clock.set("2027-03-02T10:00:00Z")
        let late = await refusal {
            _ = try await clinic.journal.appointments.changeAppointment(entry, clinic.client, cancel)
        }
        #expect(late?.code == .conflict)
        #expect(late?.field == "start")
        try clinic.home.clock.set("2027-03-02T08:00:00Z")
        _ = try await clinic.change(entry, .cancel(code: ""))
        #expect(try clinic.state(entry).cancelledBy == .practice)
    }

    @Test("A clock time that is skipped is refused with the next one, and one that comes twice needs an offset")
    func clocks() async throws {
        let clinic = try await TestPractice()
        for (wall, word) in [("2027-03-28T02:30", "03:30"), ("2027-10-31T02:30", "twice")] {
            let error = await refusal { _ = try await clinic.book(wall) }
            #expect(error?.code == .invalid)
            #expect(error?.field == "start")
            #expect(error?.message.contains(word) == true)
        }
    }

    @Test("The diaries never overlap, whatever is booked, moved, cancelled and reinstated at once")
    func property() async throws {
        let clinic = try await TestPractice(dogs: 6)
        var random = SeededGenerator("diaries never overlap")
        var requests: [AppointmentRequest] = []
        for _ in 0..<120 {
            let minutes = 480 + Int.random(in: 0..<20, using: &random) * 15
            let wall = WallMoment(
                day: try Day(parsing: "2027-03-02").adding(days: Int.random(in: 0...2, using: &random)),
                time: WallTime(minutes: minutes)
            )
            let isSurgery = Int.random(in: 0..<3, using: &random) == 0
            requests.append(
                try clinic.request("\(wall)", Int.random(in: 0..<6, using: &random)) {
                    $0.specialist = Bool.random(using: &random) ? clinic.ada : clinic.ben
                    $0.service = isSurgery ? clinic.surgery : clinic.checkUp
                }
            )
        }
        let (journal, caller) = (clinic.journal, try clinic.caller(.veterinarian))
        let all = requests
        let appointments = await withTaskGroup(of: UUID?.self) { group in
            for (number, request) in all.enumerated() {
                group.addTask {
                    guard let id = try? await journal.appointments.book(request, caller).entry else { return nil }
                    let next = all[(number + 7) % all.count].start
                    switch number % 4 {
                    case 0:
                        _ = try? await journal.appointments.changeAppointment(id, caller) { _ in
                            .move(to: next, minutes: 45)
                        }
                    case 1:
                        _ = try? await journal.appointments.changeAppointment(id, caller) { _ in .cancel(code: "") }
                        _ = try? await journal.appointments.changeAppointment(id, caller) { _ in .reinstate }
                    default: break
                    }
                    return id
                }
            }
            return await group.reduce(into: [UUID]()) { if let id = $1 { $0.append(id) } }
        }
        #expect(appointments.count > 10, "HEALTHJOURNAL_SEED=\(random.seed)")
        let states = try appointments.map { try clinic.state($0) }.filter(\.takesTime)
        for (index, first) in states.enumerated() {
            for second in states[(index + 1)...] {
                let shared = Set(first.details.resources).intersection(second.details.resources)
                if !shared.isEmpty, let left = first.details.wideSpan, let right = second.details.wideSpan {
                    #expect(
                        !left.overlaps(right),
                        "\(first.details) \(second.details) HEALTHJOURNAL_SEED=\(random.seed)"
                    )
                }
                if first.record == second.record, let left = first.details.span, let right = second.details.span {
                    #expect(!left.overlaps(right), "HEALTHJOURNAL_SEED=\(random.seed)")
                }
            }
        }
        // The diaries hold exactly what the appointments take.
        for resource in [ClinicResource.specialist(clinic.ada), .specialist(clinic.ben), .place(clinic.room)] {
            for day in try (Day(parsing: "2027-03-02")...Day(parsing: "2027-03-06")).all {
                let diary = try clinic.journal.appointments.diary(of: resource, on: day).state
                let expected = states.filter { state in
                    state.details.resources.contains(resource)
                        && state.details.wideSpan?.days.contains(day) == true
                }
                #expect(Set(diary.taken.keys) == Set(expected.map(\.id)), "HEALTHJOURNAL_SEED=\(random.seed)")
            }
        }
    }
}
