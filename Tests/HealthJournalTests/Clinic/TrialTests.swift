import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Asking whether a change of an appointment is possible")
struct TrialTests {
    @Test("A trial gives the same answers as the change, and appends nothing")
    func trials() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let id = try await clinic.book("2027-03-02T09:00")
        _ = try await clinic.book("2027-03-02T11:00", 1)
        let head = try clinic.home.head
        func move(_ wall: String, dryRun: Bool) async -> JournalError? {
            await refusal {
                let start = try AppointmentRequest.Start(parsing: wall)
                let result = try await journal.appointments.changeAppointment(id, dryRun: dryRun, desk) { _ in
                    .move(to: start, minutes: nil)
                }
                #expect(result.isChanged != dryRun)
            }
        }
        #expect(await move("2027-03-02T10:00", dryRun: true) == nil)
        let taken = await move("2027-03-02T11:15", dryRun: true)
        #expect(taken?.code == .slotTaken)
        #expect(taken?.taken?.alternatives.isEmpty == false)
        #expect(await move("2027-03-02T06:00", dryRun: true)?.code == .conflict)
        let booking = try clinic.request("2027-03-02T09:15", 1)
        #expect(
            await refusal { _ = try await journal.appointments.book(booking, dryRun: true, desk) }?.code == .slotTaken
        )
        #expect(
            try await !journal.appointments.book(clinic.request("2027-03-02T14:00", 1), dryRun: true, desk).isChanged
        )
        #expect(try clinic.home.head == head)
        // What was possible is possible.
        #expect(await move("2027-03-02T10:00", dryRun: false) == nil)
        #expect(try clinic.home.head > head)
    }

    @Test("A practice is not closed while appointments are ahead")
    func closing() async throws {
        let clinic = try await TestPractice()
        let owner = clinic.home.owner
        let id = try await clinic.book("2027-03-02T09:00")
        let refused = await refusal {
            _ = try await clinic.journal.practices.changePractice(clinic.practice, owner) { _ in .close }
        }
        #expect(refused?.code == .conflict)
        #expect(refused?.field == "appointments")
        #expect(refused?.message.hasPrefix("1 appointment is ahead, the last one on 2027-03-02") == true)
        _ = try await clinic.change(id, .cancel(code: "closed"))
        #expect(try clinic.state(id).cancelCode == "closed")
        _ = try await clinic.journal.practices.changePractice(clinic.practice, owner) { _ in .close }
    }
}
