import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore

@Suite("Events about practices: from other tools, and in the feed")
struct ClinicEventTests {
    private static let vitals = ClinicEvent.vitalsLogged.rawValue
    private static let requested = ClinicEvent.appointmentRequested.rawValue

    private func scoped(_ caller: Caller, _ scope: String) throws -> Caller {
        Caller(
            account: caller.account,
            name: caller.name,
            kind: caller.kind,
            scope: try TokenScope(parsing: scope),
            source: .http
        )
    }

    @Test("Vital signs become one entry each, in one append, and once")
    func vitals() async throws {
        let fixture = try await IngestFixture()
        let data =
            #"{"temperature": "38.6", "heartRate": 96, "bloodPressure": {"systolic": 120, "diastolic": 80}, "weight": 21}"#
        let time = "2026-03-01T10:00:00Z"
        let event = try fixture.event("x", data: data, ["type": Self.vitals, "time": time])
        let head = try fixture.home.head
        let tool = try scoped(fixture.scale, "append:vitals")
        let first = try await fixture.append(event, tool)
        #expect(try fixture.home.head == head + 4)
        let again = try await fixture.append(event, tool)
        #expect(again.isRepeated)
        #expect(again.entry == first.entry)
        #expect(try fixture.home.head == head + 4)
        let entries = try await fixture.home.state(fixture.record).entries
        #expect(entries.map(\.kind) == [MeasuredValue.kind, MeasuredValue.kind, MeasuredValue.kind, Weight.kind])
        let measured = OccurredDate.instant(try Instant(parsing: time))
        #expect(entries.allSatisfy { $0.content.date == measured })
        #expect(
            entries.map { $0.content.body.text(MeasuredValue.name) ?? "" }.prefix(2) == [
                "Body temperature", "Heart rate",
            ]
        )

        // The same id with another value is no repetition, whichever sign it is.
        let faster = data.replacing("96", with: "140")
        let changed = try fixture.event("x", data: faster, ["type": Self.vitals, "time": time])
        let conflict = await fixture.append([changed], tool).first?.failure
        #expect(conflict?.code == .conflict)
        #expect(conflict?.field == "id")
        // Without a time, it is of the time when it came first.
        let timeless = try fixture.event("x", id: "9", data: #"{"pain": 2}"#, ["type": Self.vitals])
        let arrived = try await fixture.append(timeless, tool)
        try fixture.home.clock.set("2026-03-03T12:00:00Z")
        #expect(try await fixture.append(timeless, tool).position == arrived.position)

        // The scope is limited to what vital signs become.
        let drug = try fixture.event("drug", id: "2", data: #"{"name": "Aspirin"}"#)
        #expect(await fixture.append([drug], tool).first?.failure?.code == .refused)
        let narrow = try scoped(fixture.scale, "append:drug")
        let other = try fixture.event("x", id: "3", data: data, ["type": Self.vitals])
        #expect(await fixture.append([other], narrow).first?.failure?.code == .refused)
    }

    @Test(
        "Vital signs that cannot be are refused with the field that is wrong, and nothing is added",
        arguments: [
            (#"{}"#, "data"), (#"{"heartRate": 0}"#, "data.heartRate"),
            (#"{"temperature": 38, "fahrenheit": 100}"#, "data.fahrenheit"),
            (#"{"signs": ["arrest"]}"#, "data.signs"), (#"{"heartRate": "fast"}"#, "data.heartRate"), (#"[1]"#, "data"),
        ]
    )
    func wrongVitals(data: String, field: String) async throws {
        let fixture = try await IngestFixture()
        let head = try fixture.home.head
        let event = try fixture.event("x", data: data, ["type": Self.vitals])
        let error = await fixture.append([event]).first?.failure
        #expect(error?.code == .invalid, "\(String(describing: error))")
        #expect(error?.field == field, "\(String(describing: error))")
        #expect(try fixture.home.head == head)
    }

    @Test("A tool of the owner asks for an appointment, which puts the patient on the waiting list, once")
    func request() async throws {
        let clinic = try await TestPractice()
        let (journal, dog) = (clinic.journal, clinic.dogs[0])
        let site = try await clinic.home.account("website", .tool)
        func event(_ id: String, _ wish: String, of record: UUID? = nil) throws -> CloudEvent {
            let text = #"""
                {"specversion": "1.0", "source": "/site", "id": "\#(id)", "type": "\#(Self.requested)", "subject": "\#((record ?? dog).text)",
                "data": {"practice": "\#(clinic.practice.text)", "wish": \#(wish)}}
                """#
            return try CloudEvent.read(Array(text.utf8))
        }
        let wish = #"{"service": "\#(clinic.checkUp.text)", "note": "limps", "urgency": "soon"}"#
        func send(_ event: CloudEvent, _ caller: Caller) async -> Result<IngestResult, JournalError>? {
            await journal.ingest.append([event], caller).first
        }
        #expect(await send(try event("1", wish), site)?.failure?.code == .refused)
        let terms = GrantTerms(sections: [.myhealth], verbs: [.contribute])
        _ = try await journal.sharing.grant(terms, to: site.account, on: dog, clinic.client)
        let tool = try scoped(site, "append:appointment")
        let head = try clinic.home.head
        let first = try #require(try await send(try event("1", wish), tool)?.get())
        let again = try #require(try await send(try event("1", wish), tool)?.get())
        #expect(again.isRepeated)
        #expect(again.entry == first.entry)
        #expect(try clinic.home.head == head + 1)
        let waiting = try await journal.clients.waitingList(of: clinic.practice, clinic.caller(.receptionist))
        #expect(waiting.map(\.state.id) == [first.entry])
        #expect(waiting.first?.state.profile.urgencyWord == .soon)
        // A token for vital signs asks for nothing, and an animal that is no patient gets no place.
        let scale = try scoped(site, "append:vitals")
        #expect(await send(try event("2", wish), scale)?.failure?.code == .refused)
        let wrong = await send(try event("3", #"{"service": "\#(UUID().text)"}"#), tool)?.failure
        #expect(wrong?.code == .notFound)
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: "Cat")
        let cat = try #require(try await journal.records.createRecord(profile, clinic.client).record)
        _ = try await journal.sharing.grant(terms, to: site.account, on: cat, clinic.client)
        let stranger = await send(try event("4", wish, of: cat), tool)?.failure
        #expect(stranger?.code == .conflict)
        // A request that was possible once is repeated with the same result, and another one with its id is refused.
        let another = try event("1", #"{"service": "\#(clinic.surgery.text)"}"#)
        #expect(await send(another, tool)?.failure?.code == .conflict)
        _ = try await journal.practices.changePractice(clinic.practice, clinic.home.owner) { _ in
            .endService(clinic.surgery)
        }
        // The owner's own program may ask too, and another person's may not.
        #expect(try await send(try event("5", wish), clinic.client)?.get().isRepeated == false)
        let nobody = try await clinic.home.account("Nobody")
        #expect(await send(try event("6", wish), nobody)?.failure?.code == .refused)
        _ = try await journal.patients.endRegistration(of: dog, at: clinic.practice, clinic.caller(.receptionist))
        #expect(try await send(try event("1", wish), tool)?.get().isRepeated == true)
        #expect(await send(try event("7", wish), tool)?.failure?.code == .conflict)
    }

    @Test("The feed shows appointments to the staff and to the owner, notes to those who treat, and nothing to others")
    func feed() async throws {
        let clinic = try await TestPractice()
        let journal = clinic.journal
        let start = try clinic.home.head
        let id = try await clinic.book("2027-03-02T09:00", as: .nurse) { $0.notes = "bites" }
        _ = try await clinic.change(id, .confirm(.phone))
        _ = try await clinic.change(id, .addNote("muzzle"), as: .veterinarian)
        let query = FeedQuery(types: try FeedQuery.types(named: "appointment.*"))
        func seen(_ caller: Caller) async throws -> [FeedEvent] {
            try await journal.feeds.feed(after: start, query, caller).events
        }
        let types = ["appointment.booked", "appointment.confirmed", "appointment.noteAdded"]
        let vet = try await seen(try clinic.caller(.veterinarian))
        #expect(vet.map(\.type.name) == types)
        #expect(vet[0].data.map { JSONWriter.text($0) }?.contains("bites") == true && vet[2].data != nil)
        for caller in [try clinic.caller(.receptionist), clinic.client] {
            let found = try await seen(caller)
            #expect(found.map(\.type.name) == types)
            #expect(found[0].data?["details"]?["start"] != nil)
            #expect(!found.contains { $0.data.map { JSONWriter.text($0) }?.contains("bites") == true })
            #expect(found[2].data == nil)
        }
        // Each page is a read of the patient's record.
        let head = try clinic.home.head
        _ = try await seen(try clinic.caller(.manager))
        let reads = try clinic.home.events(after: head).compactMap { ($0.event.data as? RecordRead)?.access }
        #expect(reads.map(\.action) == [.events])
        #expect(reads.map(\.grantedBy) == [.practice(clinic.practice)])
        let stranger = try await clinic.home.account("Stranger")
        #expect(try await seen(stranger).isEmpty)
        let branch: PracticeProfile = try TestPractice.profile([("name", "Branch"), ("zone", "Europe/Zurich")])
        let other = try await clinic.home.account("Other")
        _ = try await journal.practices.createPractice(branch, other)
        #expect(try await seen(other).isEmpty)
        // Without a practice, the types of triage, waiting lists, diaries and claims are in no feed.
        let all = try await journal.feeds.feed(after: start, FeedQuery(), try clinic.caller(.veterinarian)).events
        #expect(Set(all.map(\.type.category)) == [.appointment])
        _ = try await journal.erasure.eraseRecord(clinic.dogs[0], clinic.client.giving(reason: "asked"))
        #expect(try await seen(try clinic.caller(.veterinarian)).isEmpty)
        #expect(throws: ModelError.self) { _ = try FeedQuery.types(named: "appointments.*") }
    }
}
