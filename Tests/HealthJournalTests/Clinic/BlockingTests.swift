import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("Blocked times of rooms")
struct BlockingTests {
    private func block(_ from: String, _ until: String) throws -> BlockedTime {
        let span = TimeSpan(try Instant(parsing: from), try Instant(parsing: until))
        return BlockedTime(id: UUID(), span: try #require(span))
    }

    @Test("Nothing is booked in a blocked room, over midnight too, until it is free again")
    func blocks() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let repair = try block("2027-03-01T22:00:00Z", "2027-03-03T10:00:00Z")
        _ = try await journal.appointments.blockRoom(repair, clinic.room, in: clinic.practice, desk)
        #expect(try await !journal.appointments.blockRoom(repair, clinic.room, in: clinic.practice, desk).isChanged)
        func surgery(_ wall: String) async -> JournalError? {
            await refusal {
                _ = try await clinic.book(wall) { request in
                    request.service = clinic.surgery
                    request.places = [clinic.room]
                }
            }
        }
        for wall in ["2027-03-02T09:00", "2027-03-03T09:00"] {
            let refused = await surgery(wall)
            #expect(refused?.code == .slotTaken, "\(wall)")
            #expect(refused?.field == "room", "\(wall)")
        }
        #expect(try await journal.appointments.blockedTimes(of: clinic.room, in: clinic.practice, desk) == [repair])
        let client = await refusal {
            _ = try await journal.appointments.blockedTimes(of: clinic.room, in: clinic.practice, clinic.client)
        }
        #expect(client?.code == .refused)
        let day = try Day(parsing: "2027-03-02")
        var asked = FreeSlotRequest(practice: clinic.practice, service: clinic.surgery, days: day...day)
        asked.record = clinic.dogs[0]
        #expect(try await journal.appointments.freeSlots(asked, desk).slots.isEmpty)
        _ = try await journal.appointments.unblockRoom(repair.id, clinic.room, in: clinic.practice, desk)
        #expect(try await journal.appointments.blockedTimes(of: clinic.room, in: clinic.practice, desk).isEmpty)
        #expect(await surgery("2027-03-02T09:00") == nil)
        // What is agreed is moved first.
        let head = try clinic.home.head
        let taken = await refusal {
            _ = try await journal.appointments.blockRoom(repair, clinic.room, in: clinic.practice, desk)
        }
        #expect(taken?.code == .conflict)
        #expect(taken?.field == "room")
        let gone = await refusal {
            _ = try await journal.appointments.unblockRoom(repair.id, clinic.room, in: clinic.practice, desk)
        }
        #expect(gone?.code == .notFound)
        let long = try block("2027-03-10T00:00:00Z", "2027-06-10T00:00:00Z")
        let refused = await refusal {
            _ = try await journal.appointments.blockRoom(long, clinic.room, in: clinic.practice, desk)
        }
        #expect(refused?.code == .invalid)
        #expect(refused?.field == "until")
        #expect(try clinic.home.head == head)
    }

    @Test("A blocked room has no place left, however many it has; its id stands for one time")
    func wards() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let ward: PlaceProfile = try TestPractice.profile([("name", "Surgery"), ("capacity", "4")])
        _ = try await journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .setPlace(clinic.room, ward)
        }
        let repair = try block("2027-03-02T07:00:00Z", "2027-03-02T16:00:00Z")
        _ = try await journal.appointments.blockRoom(repair, clinic.room, in: clinic.practice, desk)
        let taken = await refusal { _ = try await clinic.book("2027-03-02T09:00") { $0.places = [clinic.room] } }
        #expect(taken?.code == .slotTaken)
        #expect(taken?.field == "room")
        let day = try Day(parsing: "2027-03-02")
        var asked = FreeSlotRequest(practice: clinic.practice, service: clinic.surgery, days: day...day)
        asked.record = clinic.dogs[0]
        #expect(try await journal.appointments.freeSlots(asked, desk).slots.isEmpty)
        let elsewhere = try await clinic.book("2027-03-04T09:00") { $0.places = [clinic.room] }
        let span = try block("2027-03-04T08:00:00Z", "2027-03-04T08:30:00Z").span
        for (id, time) in [(repair.id, span), (elsewhere, span)] {
            let wrong = BlockedTime(id: id, span: time)
            let refused = await refusal {
                _ = try await journal.appointments.blockRoom(wrong, clinic.room, in: clinic.practice, desk)
            }
            #expect(refused?.code == .conflict)
            #expect(refused?.field == "block")
        }
        let far = try block("2029-03-02T07:00:00Z", "2029-03-02T16:00:00Z")
        let refused = await refusal {
            _ = try await journal.appointments.blockRoom(far, clinic.room, in: clinic.practice, desk)
        }
        #expect(refused?.code == .invalid)
    }
}
