import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import PracticeDirectory
import TestSupport
import Testing

@testable import JournalCore

@Suite("Clients, waiting lists, recalls and displaced appointments")
struct ReceptionTests {
    private func wish(_ clinic: TestPractice, _ values: [(String, String)] = []) throws -> WaitProfile {
        try TestPractice.profile([("service", clinic.checkUp.text)] + values)
    }

    private func waiting(_ clinic: TestPractice, _ question: WaitQuestion? = nil) async throws -> [WaitAnswer] {
        try await clinic.journal.clients.waitingList(
            of: clinic.practice,
            suiting: question,
            clinic.caller(.receptionist)
        )
    }

    @Test("An e-mail address belongs to one client of a practice, whatever its case; any number have none")
    func clients() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        func add(_ values: [(String, String)], to practice: UUID? = nil, _ caller: Caller? = nil) async throws -> UUID {
            let profile: ClientProfile = try TestPractice.profile(values)
            let result = try await journal.clients.addClient(profile, to: practice ?? clinic.practice, caller ?? desk)
            return try #require(result.id)
        }
        let clara = try await add([("firstName", "Clara"), ("email", "a@X.CH")])
        let taken = await refusal { _ = try await add([("lastName", "Other"), ("email", " A@x.ch")]) }
        #expect(taken?.code == .conflict)
        #expect(taken?.field == "email")
        _ = try await add([("lastName", "Keller")])
        _ = try await add([("lastName", "Huber")])
        #expect(await refusal { _ = try await add([("phone", "1")]) }?.field == "lastName")
        let nurse = try clinic.caller(.nurse)
        #expect(await refusal { _ = try await add([("lastName", "New")], nurse) }?.code == .refused)
        let branch: PracticeProfile = try TestPractice.profile([("name", "Branch"), ("zone", "Europe/Zurich")])
        let other = try #require(try await journal.practices.createPractice(branch, clinic.home.owner).id)
        _ = try await add([("lastName", "Same"), ("email", "a@x.ch")], to: other, clinic.home.owner)
        _ = try await journal.clients.endClient(clara, in: clinic.practice, desk)
        let found = try await journal.clients.list(of: clinic.practice, nurse)
        #expect(found.map(\.profile.fullName) == ["Clara", "Huber", "Keller"])
        #expect(found.map { $0.ended != nil } == [true, false, false])
    }

    @Test("An erased client is unreadable at any position, its e-mail address is free, and its animals stay")
    func erasedClient() async throws {
        let clinic = try await TestPractice()
        let (journal, owner, desk) = (clinic.journal, clinic.home.owner, try clinic.caller(.receptionist))
        let profile: ClientProfile = try TestPractice.profile([("lastName", "Zellweger"), ("email", "z@x.ch")])
        let client = try #require(try await journal.clients.addClient(profile, to: clinic.practice, desk).id)
        let kept: RegistrationProfile = try TestPractice.profile([("clients.0", client.text)])
        _ = try await journal.patients.registerPatient(clinic.dogs[0], at: clinic.practice, keeping: kept, desk)
        let before = try clinic.home.head
        #expect(
            await refusal { _ = try await journal.clients.eraseClient(client, in: clinic.practice, desk) }?.code
                == .refused
        )
        let silent = await refusal { _ = try await journal.clients.eraseClient(client, in: clinic.practice, owner) }
        #expect(silent?.code == .invalid)
        #expect(silent?.field == "reason")
        _ = try await journal.clients.eraseClient(client, in: clinic.practice, owner.giving(reason: "asked for"))
        for moment in [nil, AsOf.position(before)] {
            #expect(try await journal.clients.list(of: clinic.practice, asOf: moment, desk).isEmpty)
        }
        #expect(try await journal.patients.list(of: clinic.practice, desk).count == 2)
        let gone = await refusal {
            _ = try await journal.clients.changeClient(client, in: clinic.practice, profile, desk)
        }
        #expect(gone?.code == .notFound)
        let next = try await journal.clients.addClient(profile, to: clinic.practice, desk)
        #expect(next.id != client)
        // The animal can be registered again with those who were noted before, by the staff and by its owner.
        let numbered: RegistrationProfile = try TestPractice.profile([("clients.0", client.text), ("number", "12")])
        _ = try await journal.patients.registerPatient(clinic.dogs[0], at: clinic.practice, keeping: numbered, desk)
        _ = try await journal.patients.registerPatient(clinic.dogs[0], at: clinic.practice, clinic.client)
        // A client is no record, also when it is erased.
        let read = await refusal { _ = try await journal.records.read(client, ReadOptions(), owner) }
        #expect(read?.code == .notFound)
        #expect(throws: EventLogError.self) { _ = try journal.log.recordedEvents(of: client) }
        #expect(try journal.log.isPermanentlyErased(client))
        let rebuilt = try journal.practiceDirectory.clients(of: clinic.practice, asOf: .max)
        #expect(rebuilt == [next.id])
    }

    @Test("The staff notes the clients and alerts of a patient; an owner registers the animal alone")
    func registrations() async throws {
        let clinic = try await TestPractice()
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let profile: ClientProfile = try TestPractice.profile([("lastName", "Keller")])
        let client = try #require(try await journal.clients.addClient(profile, to: clinic.practice, desk).id)
        let kept: RegistrationProfile = try TestPractice.profile([
            ("number", "7"), ("clients.0", client.text), ("alerts", "bites"),
        ])
        let dog = clinic.dogs[0]
        let refused = await refusal {
            _ = try await journal.patients.registerPatient(dog, at: clinic.practice, keeping: kept, clinic.client)
        }
        #expect(refused?.code == .refused)
        _ = try await journal.patients.registerPatient(dog, at: clinic.practice, keeping: kept, desk)
        let again = try await journal.patients.registerPatient(dog, at: clinic.practice, keeping: kept, desk)
        #expect(!again.isChanged)
        let patients = try await journal.patients.list(of: clinic.practice, desk).map(\.document)
        #expect(patients.first { $0.record == dog }?.alerts == "bites")
        #expect(patients.first { $0.record == dog }?.clients == [client])
        // An owner who registers the animal again takes nothing from what the staff noted.
        _ = try await journal.patients.registerPatient(dog, at: clinic.practice, clinic.client)
        let unchanged = try await journal.patients.list(of: clinic.practice, desk).first { $0.patient.record == dog }
        #expect(unchanged?.registration.profile == kept)
        let unknown: RegistrationProfile = try TestPractice.profile([("clients.0", UUID().text)])
        let missing = await refusal {
            _ = try await journal.patients.registerPatient(dog, at: clinic.practice, keeping: unknown, desk)
        }
        #expect(missing?.field == "client")
        _ = try await journal.patients.endRegistration(of: dog, at: clinic.practice, desk)
        #expect(try await journal.patients.list(of: clinic.practice, desk).map(\.patient.record) == [clinic.dogs[1]])
        let gone = await refusal { _ = try await clinic.book("2027-03-02T10:00") }
        #expect(gone?.field == "record")
        // Nor does the practice that asks again lose it.
        _ = try await journal.patients.registerPatient(dog, at: clinic.practice, desk)
        _ = try await journal.patients.acceptRegistration(of: dog, at: clinic.practice, clinic.client)
        let back = try await journal.patients.list(of: clinic.practice, desk).map(\.document).first { $0.record == dog }
        #expect(back?.alerts == "bites")
        #expect(back?.clients == [client])
    }

    @Test("The waiting list is in the order of urgency and time, and says whom a free time suits")
    func waitingList() async throws {
        let clinic = try await TestPractice(dogs: 3)
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let wishes = [
            try wish(clinic), try wish(clinic, [("urgency", "soon"), ("hours.0", "mon-fri 13:00-17:00")]),
            try wish(clinic, [("urgency", "urgent"), ("specialists.0", clinic.ben.text), ("until", "2027-03-03")]),
        ]
        var ids: [UUID] = []
        for (dog, wish) in zip(clinic.dogs, wishes) {
            ids.append(try #require(try await journal.clients.addWait(wish, of: dog, at: clinic.practice, desk).entry))
        }
        #expect(try await waiting(clinic).map(\.state.id) == [ids[2], ids[1], ids[0]])
        func suits(_ wall: String, _ specialist: UUID) async throws -> [UUID] {
            let question = WaitQuestion(start: try .init(parsing: wall), minutes: 30, specialist: specialist)
            return try await waiting(clinic, question).map(\.state.id)
        }
        #expect(try await suits("2027-03-02T09:00", clinic.ada) == [ids[0]])
        #expect(try await suits("2027-03-02T14:00", clinic.ben) == [ids[2], ids[1], ids[0]])
        #expect(try await suits("2027-03-04T14:00", clinic.ben) == [ids[1], ids[0]])
        _ = try await journal.clients.withdrawWait(ids[0], in: clinic.practice, clinic.client)
        #expect(try await waiting(clinic).map(\.state.id) == [ids[2], ids[1]])
        let stranger = try await clinic.home.account("Stranger")
        let refused = await refusal {
            _ = try await journal.clients.addWait(wishes[0], of: clinic.dogs[0], at: clinic.practice, stranger)
        }
        #expect(refused?.code == .refused)
    }

    @Test("A time is offered as a reservation; booking it ends the waiting, and letting it run out does not")
    func offers() async throws {
        let clinic = try await TestPractice(dogs: 2)
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let id = try #require(
            try await journal.clients.addWait(wish(clinic), of: clinic.dogs[0], at: clinic.practice, desk).entry
        )
        let request = try clinic.request("2027-03-03T10:00")
        let until = journal.now.adding(minutes: 600)
        let before = try clinic.home.head
        let own = await refusal { _ = try await journal.clients.offerWait(id, request, until: until, clinic.client) }
        #expect(own?.code == .refused)
        #expect(try clinic.home.events(after: before).map(\.type.name) == ["access.denied"])
        let offer = try await journal.clients.offerWait(id, request, until: until, desk)
        let appointment = try #require(offer.entry)
        #expect(try clinic.state(appointment).status == .held)
        #expect(try await waiting(clinic).map(\.status) == [.offered])
        let again = await refusal {
            _ = try await journal.clients.offerWait(id, clinic.request("2027-03-03T11:00"), until: until, desk)
        }
        #expect(again?.field == "status")
        try clinic.home.clock.set("2027-03-02T12:00:00Z")
        #expect(try await waiting(clinic).map(\.status) == [.open])
        let next = journal.now.adding(minutes: 60)
        let second = try #require(try await journal.clients.offerWait(id, request, until: next, desk).entry)
        _ = try await journal.appointments.changeAppointment(second, clinic.client) { _ in .book }
        #expect(try await waiting(clinic).isEmpty)
        #expect(try clinic.state(second).status == .scheduled)
    }

    @Test("An emergency takes the time of a check-up in one append; the check-up is moved, or its patient waits")
    func displaced() async throws {
        let clinic = try await TestPractice(dogs: 3)
        let checkUp = try await clinic.book("2027-03-02T10:00")
        var vet = try clinic.caller(.veterinarian)
        vet.reason = "a dog that bleeds"
        func emergency(_ wall: String?, _ dog: Int) throws -> AppointmentRequest {
            try clinic.request("2027-03-02T10:00", dog) { request in
                request.type = .emergency
                request.displacing = .init(checkUp, to: try? wall.map { try .init(parsing: $0) })
            }
        }
        let journal = clinic.journal
        let before = try clinic.home.head
        let desk = try clinic.caller(.receptionist)
        #expect(
            await refusal { _ = try await journal.appointments.book(emergency("2027-03-02T14:00", 1), desk) }?.code
                == .refused
        )
        #expect(try clinic.home.events(after: before).map(\.type.name) == ["access.denied"])
        let taken = await refusal { [vet] in
            _ = try await journal.appointments.book(emergency("2027-03-02T10:15", 1), vet)
        }
        #expect(taken?.code == .slotTaken)
        let start = try clinic.home.head
        vet.request = RequestKey("emergency", digest: [1])
        let booked = try await journal.appointments.book(emergency("2027-03-02T14:00", 1), vet)
        let events = try clinic.home.events(after: start)
        // In this order, the two overlap as of no position.
        #expect(
            events.map(\.type.name).filter { $0.hasPrefix("appointment") }
                == ["appointment.displaced", "appointment.booked"]
        )
        #expect(booked.version == events.first { $0.type == AppointmentBooked.type }?.stamp.position)
        let repeated = try await journal.appointments.book(emergency("2027-03-02T14:00", 1), vet)
        #expect(repeated.entry == booked.entry)
        #expect(repeated.version == booked.version)
        #expect(repeated.position == booked.position)
        #expect(try clinic.home.head == booked.position)
        vet.request = nil
        #expect(try clinic.state(checkUp).details.wall.description == "2027-03-02T14:00")
        // Now the one at 14:00 makes room, and waits.
        let later = try clinic.request("2027-03-02T14:00", 2) { request in
            request.type = .emergency
            request.displacing = .init(checkUp, to: nil)
        }
        _ = try await journal.appointments.book(later, vet)
        #expect(try clinic.state(checkUp).status == .cancelled)
        let list = try await waiting(clinic)
        #expect(list.map(\.state.record) == [clinic.dogs[0]])
        #expect(list.first?.state.profile.urgencyWord == .urgent)
    }

    @Test("A completed visit sets the next recall of its service, which replaces the one before")
    func recalls() async throws {
        let clinic = try await TestPractice(dogs: 1)
        let (journal, desk) = (clinic.journal, try clinic.caller(.receptionist))
        let vaccination = UUID()
        let service: ServiceProfile = try TestPractice.profile([
            ("name", "Vaccination"), ("type", "vaccination"), ("minutes", "15"), ("recall.months", "12"),
            ("recall.group", "rabies"),
        ])
        _ = try await journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .setService(vaccination, service)
        }
        func visit(_ wall: String) async throws {
            let id = try await clinic.book(wall) { $0.service = vaccination }
            for step in [AppointmentChange.ahead(.begin), .ahead(.complete)] {
                _ = try await clinic.change(id, step, as: .veterinarian)
            }
        }
        func due(_ day: String) async throws -> [String] {
            try await journal.patients.recalls(of: clinic.practice, dueBy: Day(parsing: day), desk)
                .map { "\($0.recall.due) \($0.recall.group)" }
        }
        try await visit("2027-03-02T10:00")
        #expect(try await due("2028-03-01") == [])
        #expect(try await due("2028-03-02") == ["2028-03-02 rabies"])
        try await visit("2027-03-31T10:00")
        #expect(try await due("2029-01-01") == ["2028-03-31 rabies"])
        let recall = RegistrationState.Recall(service: vaccination, due: try Day(parsing: "2027-06-01"), group: "check")
        let id = UUID()
        _ = try await journal.patients.setRecall(id, recall, of: clinic.dogs[0], at: clinic.practice, desk)
        #expect(try await due("2029-01-01") == ["2027-06-01 check", "2028-03-31 rabies"])
        _ = try await journal.patients.dropRecall(id, of: clinic.dogs[0], at: clinic.practice, desk)
        #expect(try await due("2029-01-01") == ["2028-03-31 rabies"])
    }

    @Test("Erasing an animal frees its future times in the same append; past ones stay busy")
    func erased() async throws {
        let clinic = try await TestPractice(dogs: 2)
        _ = try await clinic.book("2027-03-02T10:00")
        _ = try await clinic.book("2027-03-04T10:00")
        _ = try await clinic.journal.clients.addWait(
            wish(clinic),
            of: clinic.dogs[0],
            at: clinic.practice,
            clinic.client
        )
        try clinic.home.clock.set("2027-03-03T12:00:00Z")
        var owner = clinic.client
        owner.reason = "moved away"
        let before = try clinic.home.head
        _ = try await clinic.journal.erasure.eraseRecord(clinic.dogs[0], owner)
        let events = try clinic.home.events(after: before).map(\.type.name)
        #expect(events == ["record.erased", "slot.freed", "slot.freed"])
        _ = try await clinic.book("2027-03-04T10:00", 1)
        #expect(try await waiting(clinic).isEmpty)
        let directory = clinic.journal.practiceDirectory
        #expect(try directory.waiting(of: clinic.practice, asOf: .max).isEmpty)
    }

    @Test("A client reserves at most two times for an animal, for at most 15 minutes")
    func holds() async throws {
        let clinic = try await TestPractice(dogs: 1)
        let journal = clinic.journal
        func hold(_ wall: String, _ minutes: Int) async throws {
            let until = journal.now.adding(minutes: minutes)
            _ = try await journal.appointments.book(clinic.request(wall), heldUntil: until, clinic.client)
        }
        #expect(await refusal { try await hold("2027-03-03T10:00", 17) }?.field == "holdUntil")
        try await hold("2027-03-03T10:00", 10)
        try await hold("2027-03-03T11:00", 10)
        #expect(await refusal { try await hold("2027-03-03T14:00", 10) }?.code == .conflict)
        // A reservation that has run out is not shown as one.
        func problems() async throws -> [String?] {
            let day = try Day(parsing: "2027-03-03")
            let calendar = try await journal.appointments.calendar(
                of: clinic.practice,
                days: day...day,
                clinic.caller(.receptionist)
            )
            return calendar.appointments.map(\.problem)
        }
        #expect(try await problems() == [nil, nil])
        try clinic.home.clock.set(journal.now.adding(minutes: 11).description)
        #expect(
            try await problems() == Array(repeating: "the reservation has ended, and the time is free again", count: 2)
        )
    }
}
