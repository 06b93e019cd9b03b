import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

@Suite("Events that become entries")
struct KnownEventTests {
    @Test("An event of a scale becomes a weight whose actor is the scale and whose source is the ingest interface")
    func weight() async throws {
        let fixture = try await IngestFixture()
        let answer = try await fixture.append(fixture.weight("72.5"))
        let id = try #require(answer.entry)
        let entry = try #require(try await fixture.home.state(fixture.record).entry(id))
        #expect(
            entry.content
                == (try HealthJournalTests.entry("weight", ["value": "72.5", "unit": "kg", "date": "2026-03-01"]))
        )
        #expect(entry.added.actor == fixture.scale.account)
        #expect(answer.record == fixture.record)
        let stored = try fixture.home.journal.log.event(at: answer.position)
        #expect(stored.header.source == EventSource.ingest.rawValue)
        #expect(stored.header.entry == answer.entry)
        #expect(stored.header.occurred?.daysSince1970 == (try Day(parsing: "2026-03-01").daysSince1970))
    }

    @Test("Every kind has an event type", arguments: Kind.all)
    func everyKind(kind: Kind) async throws {
        let fixture = try await IngestFixture(sections: Set(Section.allCases))
        var content = EntryContent(kind: kind)
        for (path, text) in kind.example { try content.set(path, text: text) }
        if content.body[Dose.of] != nil, !content.references.isEmpty {
            let plan = try await fixture.home.add("drug", ["name": "Lisinopril"], to: fixture.record)
            content.body[Dose.of] = .id(plan)
        }
        let state = EntryState(
            id: UUID(),
            record: fixture.record,
            content: content,
            added: Stamp(position: 1, recordedAt: fixture.home.journal.now, actor: UUID())
        )
        guard case .object(let members) = NativeDocument.entry(state) else {
            Issue.record("the entry is no object")
            return
        }
        let data = JSONValue.object(members.filter { !["id", "addedAt", "addedBy", "position"].contains($0.name) })
        let answer = try await fixture.append(fixture.event(kind.name, data: JSONWriter.text(data)))
        let entry = try await fixture.home.state(fixture.record).entry(#require(answer.entry))
        #expect(entry?.content == content)
    }

    @Test("An entry has the date of the event's data, or else the event's time")
    func time() async throws {
        let fixture = try await IngestFixture()
        let time = "2026-02-28T06:30:00+01:00"
        let timed = try await fixture.append(fixture.event("weight", data: #"{"value": 72.5}"#, ["time": time]))
        let dated = try await fixture.append(fixture.weight("72.4", id: "2", ["time": time]))
        let bare = try await fixture.append(fixture.event("weight", id: "3", data: #"{"value": "72"}"#))
        let state = try await fixture.home.state(fixture.record)
        let date = { (answer: IngestResult) in answer.entry.flatMap { state.entry($0)?.content.date?.description } }
        #expect(date(timed) == "2026-02-28T05:30:00Z")
        #expect(date(dated) == "2026-03-01")
        #expect(date(bare) == nil)
    }

    @Test("A repeated event gets the first answer again; a repetition with other content is a conflict")
    func repeated() async throws {
        let fixture = try await IngestFixture()
        let first = try await fixture.append(fixture.weight("72.5"))
        let head = try fixture.home.head
        let again = try await fixture.append(fixture.weight("72.5"))
        #expect(again.position == first.position)
        #expect(again.entry == first.entry)
        #expect(!first.isRepeated)
        #expect(again.isRepeated)
        let error = try #require(await fixture.append([try fixture.weight("72.6")]).first?.failure)
        #expect(error.code == .conflict)
        // The same source and id with another type or another record is other content as well.
        let other = try await fixture.home.person("Another")
        let terms = GrantTerms(verbs: [.contribute])
        _ = try await fixture.home.journal.sharing.grant(
            terms,
            to: fixture.scale.account,
            on: other,
            fixture.home.owner
        )
        let before = try fixture.home.head
        for changes in [["subject": other.text], ["type": "com.example.measured"]] {
            #expect(await fixture.append([try fixture.weight("72.5", changes)]).first?.failure?.code == .conflict)
        }
        #expect(try fixture.home.head == before)
        #expect(before > head)
        #expect(try await fixture.home.state(fixture.record).entries.count == 1)
    }

    @Test("A repeated event gets its first answer even after a correction, a retraction or the record's closing")
    func repeatedLater() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        let first = try await fixture.append(fixture.weight("72.5"))
        let entry = try #require(first.entry)
        _ = try await journal.entries.correctEntry(entry, home.owner) { content throws(ModelError) in
            try content.set("value", text: "72.9")
        }
        _ = try await journal.entries.retractEntry(entry, home.owner)
        #expect(try await fixture.append(fixture.weight("72.5")).position == first.position)
        _ = try await journal.records.closeRecord(fixture.record, home.owner)
        #expect(try await fixture.append(fixture.weight("72.5")).position == first.position)
        #expect(await fixture.append([try fixture.weight("72.5", id: "2")]).first?.failure?.code == .conflict)
        #expect(await fixture.append([try fixture.weight("72.6")]).first?.failure?.code == .conflict)
    }

    @Test("A hundred concurrent events with the same source and id become one entry")
    func concurrent() async throws {
        let fixture = try await IngestFixture()
        let (journal, scale, event) = (fixture.home.journal, fixture.scale, try fixture.weight("72.5"))
        let positions = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<100 {
                group.addTask { try await journal.ingest.append([event], scale).map { try $0.get().position } }
            }
            return try await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        #expect(positions.count == 1)
        #expect(try await fixture.home.state(fixture.record).entries.count == 1)
    }

    @Test("Concurrent changes of the record do not delay or refuse events")
    func contended() async throws {
        let fixture = try await IngestFixture()
        let (journal, scale, owner, record) = (fixture.home.journal, fixture.scale, fixture.home.owner, fixture.record)
        let events = try (0..<200).map { try fixture.weight("\($0)", id: "\($0)") }
        async let changes: Void = {
            for number in 0..<20 {
                _ = try await journal.records.changeRecord(record, owner) { profile throws(ModelError) in
                    try profile.set("nickName", text: "name \(number)")
                }
                try await Task.sleep(for: .milliseconds(2))
            }
        }()
        var taken = 0
        for start in stride(from: 0, to: 200, by: 20) {
            taken += await journal.ingest.append(Array(events[start..<start + 20]), scale).count { $0.failure == nil }
        }
        try await changes
        #expect(taken == 200)
        #expect(try await fixture.home.state(record).entries.count == 200)
    }

    @Test("Each event of a batch is answered in order, and the entries are stored in that order")
    func batch() async throws {
        let fixture = try await IngestFixture()
        var events = try (1...50).map { try fixture.weight("\($0)", id: "\($0)") }
        events.insert(try fixture.weight("-1", id: "bad"), at: 25)
        events.insert(try fixture.event("doctor", id: "denied", data: #"{"name": "Dr. A"}"#), at: 10)
        events.insert(try fixture.event("note", id: "kept", data: "5"), at: 5)
        let before = try fixture.home.head
        let answers = await fixture.append(events)
        #expect(answers.count == events.count)
        #expect(answers[26].failure == nil)
        #expect(answers[27].failure?.field == "data.value")
        #expect(answers[11].failure?.code == .refused)
        let kept = try answers[5].get()
        #expect(kept.entry == nil)
        let positions = answers.compactMap { try? $0.get().position }
        #expect(positions == positions.sorted())
        #expect(positions.count == 51)
        let entries = try await fixture.home.state(fixture.record).entries
        #expect(entries.map { $0.content.body.decimal(Weight.value)?.description } == (1...50).map(String.init))
        let types = try fixture.home.events(after: before).map(\.type)
        #expect(types.count { $0 == AccessDenied.type } == 1)
        #expect(types.count { $0 == ExternalReceived.type } == 1)
    }

    @Test(
        "An event that cannot become an entry is refused with the invalid field, and changes nothing",
        arguments: [
            ([:], #"{"unit": "kg"}"#, "data.value"), ([:], #"{"value": "much"}"#, "data.value"),
            ([:], #"{"value": "1", "unit": "stone"}"#, "data.unit"),
            ([:], #"{"value": "1", "wieght": 2}"#, "data.wieght"),
            ([:], #"{"value": "1", "id": "00000000-0000-4000-8000-000000000001"}"#, "data.id"),
            ([:], #"{"value": "1", "retractedAt": "2026-01-01T00:00:00Z"}"#, "data.retractedAt"),
            ([:], #"{"value": "1", "date": "1066-10-14"}"#, "data.date"), ([:], "[]", "data"), ([:], "null", "data"),
            (["time": "1066-10-14T00:00:00Z"], #"{"value": "1"}"#, "time"),
            (["subject": "Ida"], #"{"value": "1"}"#, "subject"), (["subject": nil], #"{"value": "1"}"#, "subject"),
        ] as [([String: String?], String, String)]
    )
    func invalid(changes: [String: String?], data: String, field: String) async throws {
        let fixture = try await IngestFixture()
        let before = try fixture.home.head
        let answer = try await #require(fixture.append([fixture.event("weight", data: data, changes)]).first)
        #expect(answer.failure?.code == .invalid)
        #expect(answer.failure?.field == field)
        #expect(try fixture.home.head == before)
    }

    @Test("JSON data that is sent as bytes is decoded; bytes of another type are refused")
    func bytes() async throws {
        let fixture = try await IngestFixture()
        let data = Data(#"{"value": "72.5"}"#.utf8).base64EncodedString()
        let head = #"{"specversion": "1.0", "source": "/s", "type": "org.healthjournal.weight.logged", "#
        let line = { (id: String, type: String) in
            head + #""id": "\#(id)", "subject": "\#(fixture.record.text)", \#(type)"data_base64": "\#(data)"}"#
        }
        let plain = try CloudEvent.read(Array(line("1", "").utf8))
        #expect(try await fixture.append(plain).entry != nil)
        let picture = try CloudEvent.read(Array(line("2", #""datacontenttype": "image/png", "#).utf8))
        #expect(await fixture.append([picture]).first?.failure?.field == "datacontenttype")
    }

    @Test(
        "A mistyped type of this project is refused with a suggestion, and nothing is stored",
        arguments: [
            ("org.healthjournal.weigth.logged", "org.healthjournal.weight.logged"),
            ("org.healthjournal.wieght.logged", "org.healthjournal.weight.logged"),
            ("org.healthjournal.weight.Logged", "org.healthjournal.weight.logged"),
            ("Org.HealthJournal.Weight.logged", "org.healthjournal.weight.logged"),
            ("org.healthjornal.weight.logged", "org.healthjournal.weight.logged"),
            (" org.healthjournal.weight.logged ", "org.healthjournal.weight.logged"),
            ("org.healthjournal.weight", "org.healthjournal.weight.logged"),
            ("org.healthjournal.weight.added", "org.healthjournal.weight.logged"),
            ("org.healthjournal.vital.logged", "org.healthjournal.vitals.logged"),
            ("org.healthjournal.apointment.request", "org.healthjournal.appointment.requested"),
            ("org.healthjournal..logged", nil), ("org.healthjournal.logged", nil), ("org.healthjournal", nil),
            ("org.healthjournal.kitchen.cleaned", nil),
        ] as [(String, String?)]
    )
    func mistyped(type: String, meant: String?) async throws {
        let fixture = try await IngestFixture()
        let before = try fixture.home.journal.head()
        let error = try #require(await fixture.append([fixture.weight("72.5", ["type": type])]).first?.failure)
        #expect(error.code == .invalid)
        #expect(error.field == "type")
        #expect(error.message.contains(meant.map { "did you mean \($0)?" } ?? "use one such as"), "\(error.message)")
        #expect(try fixture.home.journal.head() == before)
    }

    @Test(
        "Events of other types, and messages that the journal itself sends, are stored as received",
        arguments: [
            "weight.logged", "com.example.weight.logged", "org.healthjournalism.article.published",
            "org.healthjournal.dose.due", "org.healthjournal.stock.low", "org.healthjournal.reminder.test",
        ]
    )
    func others(type: String) async throws {
        let fixture = try await IngestFixture()
        let answer = try await fixture.append(fixture.weight("72.5", ["type": type]))
        #expect(answer.entry == nil)
        let kept = try fixture.home.events(after: answer.position - 1).first?.event.data
        #expect((kept as? ExternalReceived)?.streamName == "/scale")
    }
}
