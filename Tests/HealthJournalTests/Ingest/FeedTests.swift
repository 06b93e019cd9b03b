import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

/// Returns all events that a caller may see, read page by page.
private func all(
    _ journal: Journal,
    _ caller: Caller,
    after start: UInt64 = 0,
    _ query: FeedQuery = FeedQuery()
) async throws -> [FeedEvent] {
    var (events, position): ([FeedEvent], UInt64) = ([], start)
    while true {
        let page = try await journal.feeds.feed(after: position, query, caller)
        events += page.events
        position = page.through
        if !page.hasMore { return events }
    }
}

@Suite("Event feed")
struct FeedTests {
    /// Returns the types of the events in the feed, and the text of all of them.
    private func seen(_ scene: Scene, _ query: FeedQuery = FeedQuery()) async throws -> (
        types: Set<String>, text: String
    ) {
        let events = try await all(scene.home.journal, scene.caller, query)
        let types = Set(events.map { $0.kind.map { "\($0.name)" } ?? $0.type.name })
        return (types, events.map { JSONWriter.text($0.json) }.joined(separator: "\n"))
    }

    private static let everything = Set(Kind.all.map(\.name))
    private static let health = Set(Kind.all.filter { $0.section == .myhealth }.map(\.name))
    private static let record: Set<String> = ["record.created", "caregiver.granted"]
    private static let journal: Set<String> = ["journal.created", "account.added"]

    @Test(
        "The feed shows each account exactly what the authorization gate allows",
        arguments: Relation.allCases.filter { $0.kind != .tool }
    )
    func relations(relation: Relation) async throws {
        let scene = try await Scene(relation)
        let lab = try await scene.home.account("lab", .tool)
        let note = #"{"specversion": "1.0", "id": "1", "source": "/lab", "type": "t", "data": "HiddenNote"}"#
        _ = await scene.home.journal.ingest.append([try CloudEvent.read(Array(note.utf8))], lab)
        let before = try scene.home.head
        let (types, text) = try await seen(scene)
        let expected: Set<String> =
            switch relation {
            case .owner: Self.everything.union(["external.received"]).union(Self.record).union(Self.journal)
            case .readsDoctors: ["doctor"]
            case .readsHealth, .readsAndContributesHealth: Self.health
            case .readsAll: Self.everything
            case .contributesDoctors, .notYet, .ended, .revoked, .stranger, .tool, .toolForHealth: []
            case .ownerOfAnother: ["record.created"]
            case .administrator: Self.journal
            case .auditor: Self.everything.union(Self.record).union(Self.journal)
            }
        #expect(types == expected)
        if !types.contains("weight"), relation != .ownerOfAnother {
            for word in ["Hidden", "hidden", "8888.25"] { #expect(!text.contains(word), "\(word)") }
        }
        if relation == .ownerOfAnother { #expect(!text.contains(scene.record.text)) }
        let traces = try scene.home.events(after: before)
        #expect(traces.allSatisfy { $0.type == RecordRead.type && $0.stamp.actor == scene.caller.account })
        #expect(traces.isEmpty == types.isDisjoint(with: Self.health.union(["doctor", "record.created"])))
    }

    @Test("A document contains what happened, when, to what entry, and who did it")
    func document() async throws {
        let fixture = try await IngestFixture()
        let answer = try await fixture.append(fixture.weight("72.5"))
        let query = FeedQuery(types: [EntryAdded.type])
        let event = try #require(try await all(fixture.home.journal, fixture.home.owner, query).first)
        let entry = try #require(answer.entry)
        let stored = try fixture.home.journal.log.event(at: answer.position)
        let time = Instant(microseconds: stored.recordedAt).description
        let expected =
            #"{"specversion":"1.0","id":"\#(stored.header.id.text)","source":"door","type":"entry.added","time":"\#(time)","#
            + #""subject":"\#(fixture.record.text)","position":\#(answer.position),"stream":"\#(entry.text)","#
            + #""actor":"\#(fixture.scale.account.text)","entry":"\#(entry.text)","kind":"weight","#
            + #""datacontenttype":"application/json","data":{"date":"2026-03-01","value":"72.5","unit":"kg"}}"#
        #expect(JSONWriter.text(event.json) == expected)
        // A line of the feed is a valid CloudEvent.
        #expect(try CloudEvent.read(JSONWriter.bytes(event.json)).id == stored.header.id.text)
    }

    @Test("Pages of any length add up to the whole feed, and each is recorded before it is returned")
    func pages() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        let other = try await home.person("Another")
        for number in 1...20 {
            _ = try await home.add("weight", ["value": "\(number)"], to: number % 2 == 0 ? other : fixture.record)
        }
        let head = try home.head
        let whole = try await journal.feeds.feed(after: 0, FeedQuery(limit: 1_000), home.owner).events
        #expect(whole.map(\.position) == whole.map(\.position).sorted())
        for limit in [1, 3, 7, 100] {
            var (events, position): ([FeedEvent], UInt64) = ([], 0)
            repeat {
                let before = try home.head
                let page = try await journal.feeds.feed(after: position, FeedQuery(limit: limit), home.owner)
                #expect(page.events.count <= limit)
                #expect(page.through >= page.events.last?.position ?? 0)
                events += page.events
                position = page.through
                let records = Set(page.events.filter { [fixture.record, other].contains($0.subject) }.map(\.subject))
                let traces = try home.events(after: before)
                #expect(Set(traces.map { Optional($0.subject) }) == records && traces.count == records.count)
                for trace in traces {
                    guard let access = (trace.event.data as? RecordRead)?.access else { continue }
                    let shown = page.events.count { $0.subject == trace.subject && $0.entry != nil }
                    #expect(access.action == .events)
                    #expect(access.entryCount == shown)
                    #expect(access.grantedBy == .owner)
                }
            } while position < head
            #expect(events == whole)
        }
        let beyond = await refusal { _ = try await journal.feeds.feed(after: home.head + 1, FeedQuery(), home.owner) }
        #expect(beyond?.field == "after")
        for limit in [0, -1, 1_001] {
            let error = await refusal {
                _ = try await journal.feeds.feed(after: 0, FeedQuery(limit: limit), home.owner)
            }
            #expect(error?.field == "limit")
        }
    }

    @Test("Accesses are in the feed only on request, and accesses by feeds never, so that two feeds come to an end")
    func looks() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        let auditor = try await home.account("auditor", .auditor)
        _ = try await journal.records.read(fixture.record, ReadOptions(), home.owner)
        _ = await refusal { _ = try await journal.records.read(fixture.record, ReadOptions(), fixture.scale) }
        let plain = try await all(journal, home.owner)
        #expect(!plain.contains { $0.type.category == .access })
        let query = FeedQuery(types: [RecordRead.type, AccessDenied.type])
        var positions: [String: UInt64] = [:]
        for round in 0..<4 {
            for reader in [home.owner, auditor] {
                let page = try await journal.feeds.feed(after: positions[reader.name] ?? 0, query, reader)
                positions[reader.name] = page.through
                #expect(
                    page.events.map(\.type) == (round == 0 ? [RecordRead.type, AccessDenied.type] : []),
                    "\(round)"
                )
            }
        }
        #expect(try FeedQuery.types(named: "access.read,access.denied") == query.types)
        #expect(throws: ModelError.self) { try FeedQuery.types(named: "access.read,") }
    }

    @Test("The feed can be filtered by streams, named or by id, and by types")
    func picking() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        let entry = try #require(try await fixture.append(fixture.weight("72.5")).entry)
        _ = try await journal.entries.retractEntry(entry, home.owner)
        let note = try fixture.event("note", id: "n", data: #"{"a": [1.50]}"#)
        _ = await journal.ingest.append([note], stream: "lab-1", fixture.scale)
        let ofEntry = try await all(journal, home.owner, FeedQuery(stream: entry.text))
        #expect(ofEntry.map(\.type) == [EntryAdded.type, EntryRetracted.type])
        let ofLab = try await all(journal, home.owner, FeedQuery(stream: "lab-1"))
        #expect(ofLab.map(\.type) == [ExternalReceived.type])
        #expect(ofLab.first?.data?["event"]?["data"] == (try JSONReader.read(Array(#"{"a": [1.50]}"#.utf8))))
        #expect(ofLab.first?.subject == nil)
        #expect(ofLab.first?.data?["stream"] == .string("lab-1"))
        #expect(try await all(journal, home.owner, FeedQuery(types: [EntryRetracted.type])).map(\.entry) == [entry])
        #expect(try await all(journal, home.owner, FeedQuery(stream: "nothing")).isEmpty)
    }

    @Test("A tool cannot read even its own events, whatever its token's scope, and its attempts are recorded")
    func tools() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        _ = try await fixture.append(fixture.weight("72.5"))
        _ = try await fixture.append(fixture.event("note", id: "mine", data: "1"))
        let before = try home.head
        var tool = fixture.scale
        for scope in [TokenScope.full, .read, .append, try TokenScope(parsing: "append:weight")] {
            tool.scope = scope
            let caller = tool
            #expect(await refusal { _ = try await all(journal, caller) }?.code == .refused)
        }
        let events = try home.events(after: before)
        #expect(events.map(\.type) == Array(repeating: AccessDenied.type, count: 4))
        // A person's token that may only append shows nothing either.
        var owner = home.owner
        owner.scope = .append
        let bound = owner
        #expect(await refusal { _ = try await all(journal, bound) }?.code == .refused)
    }

    @Test("After an erasure, accounts that may know of it see a tombstone, and others see nothing")
    func erased() async throws {
        let scene = try await Scene(.readsAll)
        let (home, journal) = (scene.home, scene.home.journal)
        let auditor = try await home.account("auditor", .auditor)
        #expect(try await all(journal, scene.caller).count > 10)
        _ = try await journal.erasure.eraseRecord(scene.record, home.owner.giving(reason: "asked for it"))
        #expect(try await all(journal, scene.caller).isEmpty)
        for caller in [home.owner, auditor] {
            let events = try await all(journal, caller).filter { $0.subject == scene.record }
            #expect(events.map(\.type) == [RecordErased.type])
            #expect(events.last?.reason == "asked for it")
            let text = events.map { JSONWriter.text($0.json) }.joined()
            for word in ["Hidden", "hidden", "8888.25"] { #expect(!text.contains(word)) }
        }
    }

    @Test("The feed never contains the digest of a secret")
    func secrets() async throws {
        let home = try await TestHousehold()
        let issued = try await home.journal.accounts.issueToken(
            to: home.owner.account,
            scope: .read,
            expires: nil,
            home.owner
        )
        let event = try #require(try await all(home.journal, home.owner, FeedQuery(types: [TokenIssued.type])).first)
        #expect(event.data == .object([.init("token", .string(issued.id.text)), .init("scope", .string("read"))]))
    }
}
