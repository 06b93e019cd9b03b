import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

@Suite("Journal")
struct JournalTests {
    @Test("A document's file is returned unchanged, and only with its entry")
    func documents() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Vi")
        for bytes in [[], [0], Array("Überweisung".utf8), (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }] {
            let content = try entry("document", ["name": "paper \(bytes.count)", "mediaType": "application/pdf"])
            let id = try #require(
                try await home.journal.entries.attachDocument(bytes, content, to: record, home.owner).entry
            )
            let found = try await home.journal.entries.document(id, home.owner)
            #expect(found.bytes == bytes)
            #expect(found.name == "paper \(bytes.count)")
            let reference = try await home.state(record).entry(id)?.content.body.group(Document.content)
            #expect(reference?.integer(Document.size) == Int64(bytes.count))
        }
        let missing = try await home.add("document", ["name": "lost", "missing": "true"], to: record)
        #expect(await refusal { _ = try await home.journal.entries.document(missing, home.owner) }?.code == .notFound)
        let weight = try await home.add("weight", ["value": "1"], to: record)
        #expect(await refusal { _ = try await home.journal.entries.document(weight, home.owner) }?.code == .notFound)
        let content = try entry("weight", ["value": "1"])
        let error = await refusal {
            _ = try await home.journal.entries.attachDocument([1], content, to: record, home.owner)
        }
        #expect(error?.field == "kind")
    }

    @Test("No file of the journal contains a name, comment or number of the input in plaintext")
    func plaintext() async throws {
        let words = [
            "Quenelle", "Zwiebelfisch", "Rue de Lausanne 77", "quenelle@example.org", "Xylometazolin", "4711.25",
            "837261", "careful with the left knee", "a reason of mine", "a purpose of mine", "756098100934423",
            "the bytes of a letter", "scale in the bathroom", "carer-name", "91827.36", "Hippocrates of Kos",
        ]
        let home = try await TestHousehold()
        var owner = home.owner
        (owner.reason, owner.purpose) = ("a reason of mine", "a purpose of mine")
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Quenelle")
        try profile.set("familyName", text: "Zwiebelfisch")
        try profile.set("address", text: "Rue de Lausanne 77")
        let record = try #require(try await home.journal.records.createRecord(profile, owner).record)
        var animal = RecordProfile(subject: .animal)
        try animal.set("animalID", text: "756098100934423")
        _ = try await home.journal.records.createRecord(animal, owner)
        _ = try await home.add("drug", ["name": "Xylometazolin", "comment": "careful with the left knee"], to: record)
        _ = try await home.add("weight", ["value": "4711.25", "unit": "g"], to: record)
        _ = try await home.add("blood", ["value": "837261"], to: record)
        _ = try await home.add("doctor", ["name": "Hippocrates of Kos", "email": "quenelle@example.org"], to: record)
        let cost = ["year": "2024", "amount": "91827.36", "basis": "item"]
        _ = try await home.add("cost", cost, to: record)
        let paper = try entry("document", ["name": "letter"])
        let bytes = Array("the bytes of a letter".utf8)
        _ = try await home.journal.entries.attachDocument(bytes, paper, to: record, owner)
        let carer = try await home.account("carer-name")
        _ = try await home.journal.sharing.grant(GrantTerms(), to: carer.account, on: record, owner)
        _ = try await home.journal.records.read(record, ReadOptions(asOf: .day(home.journal.today)), owner)
        _ = try await home.journal.records.costs(of: record, owner)
        let line = #"{"specversion": "1.0", "id": "1", "source": "s", "type": "t", "data": "scale in the bathroom"}"#
        _ = await home.journal.ingest.append(
            [try CloudEvent.read(Array(line.utf8))],
            stream: "scale in the bathroom",
            owner
        )
        try home.reopen()

        var files = 0
        let paths = try #require(FileManager.default.enumerator(atPath: home.folder.path)).compactMap { $0 as? String }
        for path in paths {
            guard let data = FileManager.default.contents(atPath: home.folder.path + "/" + path) else { continue }
            files += 1
            for word in words where data.range(of: Data(word.utf8)) != nil { Issue.record("\(path) holds \(word)") }
        }
        #expect(files > 6)
        // The words are in the decrypted record.
        let shown = JSONWriter.text(NativeDocument.write(try await home.state(record)))
        for word in words[0...7] { #expect(shown.contains(word), "\(word)") }
    }

    @Test("A read is recorded before it is answered, with what was shown and the purpose")
    func traces() async throws {
        let home = try await TestHousehold()
        let anna = try await home.account("anna")
        let record = try await home.person("Vi")
        _ = try await home.add("doctor", ["name": "Dr. No"], to: record)
        let granted = try await home.journal.sharing.grant(
            GrantTerms(sections: [.doctorlist]),
            to: anna.account,
            on: record,
            home.owner
        )
        let day = try Day(parsing: "2026-01-01")
        let before = try home.head
        _ = try await home.journal.records.read(record, ReadOptions(asOf: .position(before), happenedBy: day), anna)
        let event = try #require(try home.events(after: before).first)
        #expect(try home.head == before + 1)
        #expect(event.subject == record)
        #expect(event.stamp.actor == anna.account)
        let access = Access(
            action: .read,
            sections: [.doctorlist],
            entryCount: 1,
            asOf: before,
            happenedBy: day,
            grantedBy: .grant(position: granted.position),
            purpose: "to test",
            version: before,
            shown: [ShownEntries(kind: Doctor.kind.code, added: nil)]
        )
        #expect(event.event == .recordRead(access))
    }

    @Test(
        "A date as of which is asked ends with the day in the journal's time zone",
        arguments: [
            ("UTC", "2026-03-28T23:59:59.999999Z"), ("Europe/Zurich", "2026-03-28T22:59:59.999999Z"),
            ("Pacific/Auckland", "2026-03-28T10:59:59.999999Z"), ("America/St_Johns", "2026-03-29T02:29:59.999999Z"),
        ]
    )
    func zones(zone: String, end: String) async throws {
        let clock = try TestClock("2026-03-27")
        let home = try await TestHousehold(zone: zone, clock: clock)
        let record = try await home.person("Vi")
        let last = try Instant(parsing: end)
        func add(_ value: String, at instant: Instant) async throws -> UInt64 {
            // The test clock advances by a millisecond with each read.
            try clock.set(Instant(microseconds: instant.microseconds).description)
            let content = try entry("weight", ["value": value])
            return try await home.journal.entries.addEntry(content, to: record, home.owner).position
        }
        let before = try await add("1", at: Instant(microseconds: last.microseconds - 900_000))
        let after = try await add("2", at: Instant(microseconds: last.microseconds))
        let tomorrow = try Day(parsing: "2026-03-29")
        #expect(home.journal.today == tomorrow)
        let day = try Day(parsing: "2026-03-28")
        let answer = try await home.journal.records.read(record, ReadOptions(asOf: .day(day)), home.owner)
        #expect(answer.asOf.position == before)
        #expect(answer.state.entries.count == 1)
        let next = try await home.journal.records.read(record, ReadOptions(asOf: .day(tomorrow)), home.owner)
        #expect(next.asOf.position >= after)
        #expect(next.state.entries.count == 2)
        let exact = try await home.journal.records.read(record, ReadOptions(asOf: .instant(last)), home.owner)
        #expect(exact.asOf.position == before)
    }

    @Test("Reads as of before the record was created, or after the head, are not found")
    func outside() async throws {
        let home = try await TestHousehold()
        let first = try home.head
        let record = try await home.person("Vi")
        for asOf in [
            AsOf.position(0), .position(first), .position(try home.head + 1), .day(try Day(parsing: "2020-01-01")),
        ] {
            let options = ReadOptions(asOf: asOf)
            #expect(
                await refusal { _ = try await home.journal.records.read(record, options, home.owner) }?.code
                    == .notFound
            )
        }
    }

    @Test("Kinds that are requested twice are shown once, and happenedBy keeps entries without a date")
    func selection() async throws {
        let home = try await TestHousehold()
        let record = try await home.person("Vi")
        for date in ["2024-01-01", "2024-02-01", ""] {
            _ = try await home.add("weight", ["value": "1", "date": date], to: record)
        }
        let options = ReadOptions(happenedBy: try Day(parsing: "2024-01-31"), kinds: [Weight.kind, Weight.kind])
        #expect(try await home.journal.records.read(record, options, home.owner).state.entries.count == 2)
    }

    @Test("Repeated external events get the first answer, other content is refused, and the order is kept")
    func external() async throws {
        let home = try await TestHousehold()
        let scale = try await home.account("scale", .tool)
        func event(_ id: Int, _ data: String) throws -> CloudEvent {
            let line = #"{"specversion": "1.0", "id": "\#(id)", "source": "/scale", "type": "t", "data": "\#(data)"}"#
            return try CloudEvent.read(Array(line.utf8))
        }
        let events = try (0..<600).map { try event($0, "value \($0)") }
        let first = try await home.journal.ingest.append(events, scale).map { try $0.get() }
        #expect(first.map(\.position) == Array(first[0].position..<(first[0].position + 600)))
        #expect(first.allSatisfy { !$0.isRepeated })
        let head = try home.head
        let again = try await home.journal.ingest.append(events.reversed(), scale).map { try $0.get() }
        #expect(again.map(\.position) == first.map(\.position).reversed())
        #expect(again.allSatisfy { $0.isRepeated })
        let mixed = try await home.journal.ingest.append(
            [event(1, "other"), event(600, "new"), event(600, "new")],
            scale
        )
        #expect(throws: JournalError.self) { try mixed[0].get() }
        if case .failure(let error) = mixed[0] { #expect(error.code == .conflict) }
        #expect(try mixed[1].get().position == head + 1)
        #expect(try mixed[2].get() == IngestResult(position: head + 1, isRepeated: true))
        #expect(try home.head == head + 1)
        let refused = await home.journal.ingest.append(
            try [event(7_000, "a"), event(7_001, "b")],
            try await home.account("ann")
        )
        #expect(refused.allSatisfy { (try? $0.get()) == nil })
        // Of two equal refusals, the first is recorded as an event and the second is counted.
        #expect(try home.events(after: head + 1).map(\.type).suffix(2) == [AccessDenied.type, AccessSummarised.type])
    }

    @Test("An event that finds the queue full is refused with all after it, so that the order is kept")
    func fullQueue() async throws {
        let home = try await TestHousehold()
        let scale = try await home.account("scale", .tool)
        let before = try home.head
        let events = try (0..<9_000)
            .map { number in
                let line = #"{"specversion": "1.0", "id": "\#(number)", "source": "/scale", "type": "t"}"#
                return try CloudEvent.read(Array(line.utf8))
            }
        var rest = events[...]
        var positions: [UInt64] = []
        while !rest.isEmpty {
            let answers = await home.journal.ingest.append(Array(rest), scale)
            let taken = answers.prefix { (try? $0.get()) != nil }
            #expect(answers.dropFirst(taken.count).allSatisfy { (try? $0.get()) == nil })
            positions += try taken.map { try $0.get().position }
            rest = rest.dropFirst(taken.count)
        }
        #expect(positions == Array((before + 1)..<(before + 9_001)))
    }

    @Test("The sample household is added once, and its history is in the audit trail")
    func sample() async throws {
        let home = try await TestHousehold()
        let added = try await home.journal.samples.addHousehold(home.owner)
        #expect(added.isChanged)
        #expect(added.records.count == 3)
        let types = try home.events(after: 0).map(\.type)
        for type in [
            EntryCorrected.type, CaregiverGranted.type, RecordRead.type, AccessDenied.type, CaregiverRevoked.type,
        ] {
            #expect(types.contains(type))
        }
        let head = try home.head
        #expect(try await home.journal.samples.addHousehold(home.owner).isChanged == false)
        #expect(try home.head == head)
        let unwell = try await home.journal.maintenance.examine(home.owner).filter { !$0.isOK }.map(\.what)
        #expect(unwell.allSatisfy { $0 == "clock" || $0 == "disk" })
    }
}
