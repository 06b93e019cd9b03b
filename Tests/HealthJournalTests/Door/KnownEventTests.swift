import EventLog
import Foundation
import HealthModel
import Interchange
import Testing

@testable import HealthJournal

@Suite("Events that become entries")
struct KnownEventTests {
    @Test("A scale's event becomes a weight, by the scale, through the door")
    func weight() async throws {
        let ground = try await DoorGround()
        let answer = try await ground.append(ground.weight("72.5"))
        let id = try #require(answer.entry)
        let entry = try #require(try await ground.home.state(ground.record).entry(id))
        #expect(
            entry.content
                == (try HealthJournalTests.entry("weight", ["value": "72.5", "unit": "kg", "date": "2026-03-01"]))
        )
        #expect(entry.added.actor == ground.scale.account)
        #expect(answer.record == ground.record)
        let stored = try ground.home.journal.log.event(at: answer.position)
        #expect(stored.header.source == EventSource.door.rawValue)
        #expect(stored.header.entry == answer.entry)
        #expect(stored.header.occurred?.daysSince1970 == (try Day(parsing: "2026-03-01").daysSince1970))
    }

    @Test("Every kind has a type of its own", arguments: Kind.all)
    func everyKind(kind: Kind) async throws {
        let ground = try await DoorGround(sections: Set(Section.allCases))
        let values = try #require(Scene.values[kind.name])
        let content = try HealthJournalTests.entry(kind.name, values)
        let state = EntryState(
            id: UUID(),
            record: ground.record,
            content: content,
            added: Stamp(position: 1, recordedAt: ground.home.journal.now, actor: UUID())
        )
        guard case .object(let members) = NativeDocument.entry(state) else { return }
        let data = JSONValue.object(members.filter { !["id", "addedAt", "addedBy", "position"].contains($0.name) })
        let answer = try await ground.append(ground.event(kind.name, data: JSONWriter.text(data)))
        let entry = try await ground.home.state(ground.record).entry(#require(answer.entry))
        #expect(entry?.content == content)
    }

    @Test("The event's time is when it happened, unless its data has a date")
    func time() async throws {
        let ground = try await DoorGround()
        let time = "2026-02-28T06:30:00+01:00"
        let timed = try await ground.append(ground.event("weight", data: #"{"value": 72.5}"#, ["time": time]))
        let dated = try await ground.append(ground.weight("72.4", id: "2", ["time": time]))
        let bare = try await ground.append(ground.event("weight", id: "3", data: #"{"value": "72"}"#))
        let state = try await ground.home.state(ground.record)
        let date = { (answer: DoorAnswer) in answer.entry.flatMap { state.entry($0)?.content.date?.description } }
        #expect(date(timed) == "2026-02-28T05:30:00Z")
        #expect(date(dated) == "2026-03-01")
        #expect(date(bare) == nil)
    }

    @Test("Sent again it has the first answer again; with other content it is a conflict")
    func repeated() async throws {
        let ground = try await DoorGround()
        let first = try await ground.append(ground.weight("72.5"))
        let head = try ground.home.head
        let again = try await ground.append(ground.weight("72.5"))
        #expect(again.position == first.position && again.entry == first.entry)
        #expect(!first.isRepeated && again.isRepeated)
        let error = try #require(await ground.append([try ground.weight("72.6")]).first?.failure)
        #expect(error.code == .conflict)
        // The same source and id as an event of another type, or about another record, is another event as well.
        let other = try await ground.home.person("Another")
        let terms = GrantTerms(verbs: [.contribute])
        _ = try await ground.home.journal.grant(terms, to: ground.scale.account, on: other, ground.home.owner)
        let before = try ground.home.head
        for changes in [["subject": other.text], ["type": "com.example.measured"]] {
            #expect(await ground.append([try ground.weight("72.5", changes)]).first?.failure?.code == .conflict)
        }
        #expect(try ground.home.head == before)
        #expect(before > head)
        #expect(try await ground.home.state(ground.record).entries.count == 1)
    }

    @Test("What was corrected or retracted since, or whose record was closed, is answered as it was")
    func repeatedLater() async throws {
        let ground = try await DoorGround()
        let (home, journal) = (ground.home, ground.home.journal)
        let first = try await ground.append(ground.weight("72.5"))
        let entry = try #require(first.entry)
        _ = try await journal.correctEntry(entry, home.owner) { content throws(ModelError) in
            try content.set("value", text: "72.9")
        }
        _ = try await journal.retractEntry(entry, home.owner)
        #expect(try await ground.append(ground.weight("72.5")).position == first.position)
        _ = try await journal.closeRecord(ground.record, home.owner)
        #expect(try await ground.append(ground.weight("72.5")).position == first.position)
        #expect(await ground.append([try ground.weight("72.5", id: "2")]).first?.failure?.code == .conflict)
        #expect(await ground.append([try ground.weight("72.6")]).first?.failure?.code == .conflict)
    }

    @Test("A hundred at once with one source and id are one entry")
    func concurrent() async throws {
        let ground = try await DoorGround()
        let (journal, scale, event) = (ground.home.journal, ground.scale, try ground.weight("72.5"))
        let positions = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<100 {
                group.addTask { try await journal.append([event], scale).map { try $0.get().position } }
            }
            return try await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        #expect(positions.count == 1)
        #expect(try await ground.home.state(ground.record).entries.count == 1)
    }

    @Test("Who changes the record at the same moment holds up no event")
    func contended() async throws {
        let ground = try await DoorGround()
        let (journal, scale, owner, record) = (ground.home.journal, ground.scale, ground.home.owner, ground.record)
        let events = try (0..<200).map { try ground.weight("\($0)", id: "\($0)") }
        async let changes: Void = {
            for number in 0..<20 {
                _ = try await journal.changeRecord(record, owner) { profile throws(ModelError) in
                    try profile.set("nickName", text: "name \(number)")
                }
                try await Task.sleep(for: .milliseconds(2))
            }
        }()
        var taken = 0
        for start in stride(from: 0, to: 200, by: 20) {
            taken += await journal.append(Array(events[start..<start + 20]), scale).count { $0.failure == nil }
        }
        try await changes
        #expect(taken == 200)
        #expect(try await ground.home.state(record).entries.count == 200)
    }

    @Test("A batch is answered one by one, in its order, and its entries stand in that order")
    func batch() async throws {
        let ground = try await DoorGround()
        var events = try (1...50).map { try ground.weight("\($0)", id: "\($0)") }
        events.insert(try ground.weight("-1", id: "bad"), at: 25)
        events.insert(try ground.event("doctor", id: "denied", data: #"{"name": "Dr. A"}"#), at: 10)
        events.insert(try ground.event("note", id: "kept", data: "5"), at: 5)
        let before = try ground.home.head
        let answers = await ground.append(events)
        #expect(answers.count == events.count)
        #expect(answers[26].failure == nil)
        #expect(answers[27].failure?.field == "data.value")
        #expect(answers[11].failure?.code == .refused)
        let kept = try answers[5].get()
        #expect(kept.entry == nil)
        let positions = answers.compactMap { try? $0.get().position }
        #expect(positions == positions.sorted() && positions.count == 51)
        let entries = try await ground.home.state(ground.record).entries
        #expect(entries.map { $0.content.body.decimal(Weight.value)?.description } == (1...50).map(String.init))
        let types = try ground.home.events(after: before).map(\.type)
        #expect(types.count { $0 == .accessDenied } == 1)
        #expect(types.count { $0 == .externalReceived } == 1)
    }

    @Test(
        "What cannot become an entry is refused with the field at fault, and changes nothing",
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
        let ground = try await DoorGround()
        let before = try ground.home.head
        let answer = try await #require(ground.append([ground.event("weight", data: data, changes)]).first)
        #expect(answer.failure?.code == .invalid)
        #expect(answer.failure?.field == field)
        #expect(try ground.home.head == before)
    }

    @Test("JSON that came as bytes is read; bytes of another type are refused")
    func bytes() async throws {
        let ground = try await DoorGround()
        let data = Data(#"{"value": "72.5"}"#.utf8).base64EncodedString()
        let head = #"{"specversion": "1.0", "source": "/s", "type": "org.healthjournal.weight.logged", "#
        let line = { (id: String, type: String) in
            head + #""id": "\#(id)", "subject": "\#(ground.record.text)", \#(type)"data_base64": "\#(data)"}"#
        }
        let plain = try CloudEvent.read(Array(line("1", "").utf8))
        #expect(try await ground.append(plain).entry != nil)
        let picture = try CloudEvent.read(Array(line("2", #""datacontenttype": "image/png", "#).utf8))
        #expect(await ground.append([picture]).first?.failure?.field == "datacontenttype")
    }

    @Test(
        "Types that are nearly known are kept as they came",
        arguments: [
            "org.healthjournal.weigth.logged", "org.healthjournal.weight.Logged", "org.healthjournal.weight",
            "org.healthjournal..logged", "org.healthjournal.logged", "weight.logged",
        ]
    )
    func nearly(type: String) async throws {
        let ground = try await DoorGround()
        let answer = try await ground.append(ground.weight("72.5", ["type": type]))
        #expect(answer.entry == nil)
        guard case .externalReceived(let stream, _, _) = try ground.home.events(after: answer.position - 1).first?.event
        else {
            Issue.record("it was not kept")
            return
        }
        #expect(stream == "/scale")
    }
}
