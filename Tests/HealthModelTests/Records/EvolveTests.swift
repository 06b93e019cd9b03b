import FoundationEssentials
import TestSupport
import Testing

@testable import HealthModel

@Suite("States from events")
struct EvolveTests {
    private func recorded(_ position: UInt64, _ event: JournalEvent, entry: UUID? = nil) -> RecordedEvent {
        RecordedEvent(
            stamp: Example.stamp(position),
            subject: Example.record,
            stream: entry ?? Example.record,
            entry: entry,
            event: event
        )
    }

    private func fold(_ events: [RecordedEvent]) -> RecordState? {
        var state: RecordState?
        for event in events { evolve(&state, event) }
        return state
    }

    @Test("The events of a record result in its profile, owners and entries")
    func foldsARecordAndItsEntries() throws {
        let first = Example.id(31)
        let second = Example.id(32)
        let profile = try Example.profile(.human, [("givenName", "Ada"), ("familyName", "King")])
        let light = try Example.weight("72.5")
        let heavy = try Example.weight("75.5")
        let state = try #require(
            fold([
                recorded(1, .recordCreated(RecordProfile(subject: .human), owners: [Example.owner])),
                recorded(2, .recordChanged(profile)),
                recorded(3, .entryAdded(light), entry: first),
                recorded(4, .entryAdded(EntryContent(kind: Drug.kind)), entry: second),
                recorded(5, .entryCorrected(heavy), entry: first),
                recorded(6, .entryRetracted, entry: second),
            ])
        )
        #expect(state.displayName == "Ada King")
        #expect(state.createdAt == Example.stamp(1).recordedAt)
        #expect(state.updated == Example.stamp(6))
        #expect(state.owners == [Example.owner])
        #expect(state.entries.map(\.id) == [first, second])
        let entry = try #require(state.entry(first))
        #expect(entry.content == heavy)
        #expect(entry.record == Example.record)
        #expect(entry.added == Example.stamp(3))
        #expect(entry.corrected == Example.stamp(5))
        #expect(entry.latest == Example.stamp(5))
        #expect(state.entry(second)?.retracted == Example.stamp(6))
        #expect(state.activeEntries(of: Weight.kind) == [entry])
        #expect(state.activeEntries(of: Drug.kind).isEmpty)
        #expect(state.activeEntries.map(\.id) == [first])
        #expect(state.entry(Example.id(33)) == nil)
    }

    @Test("A restored entry is no longer retracted, and a closed record has the stamp of its closing")
    func restoresAnEntryAndClosesARecord() throws {
        let entry = Example.id(31)
        let state = try #require(
            fold([
                recorded(1, .recordCreated(RecordProfile(subject: .animal), owners: [])),
                recorded(2, .entryAdded(try Example.weight("4")), entry: entry),
                recorded(3, .entryRetracted, entry: entry),
                recorded(4, .entryRestored, entry: entry),
                recorded(5, .recordClosed),
            ])
        )
        #expect(state.entry(entry)?.retracted == nil)
        #expect(state.entry(entry)?.latest == Example.stamp(4))
        #expect(state.closed == Example.stamp(5))
        #expect(state.updated == Example.stamp(5))
        #expect(state.displayName == "Unnamed Pet")
    }

    @Test("An event that does not belong to the state of a record leaves it unchanged")
    func ignoresOtherEvents() throws {
        let created = recorded(1, .recordCreated(RecordProfile(subject: .human), owners: []))
        let access = Access(action: .read, grantedBy: .owner)
        let unrelated = try GoldenEvent.all().map(\.event).filter { ![.record, .entry].contains($0.type.category) }
        #expect(unrelated.count > 25)
        let others: [JournalEvent] =
            unrelated + [
                .recordRead(access), .entryRetracted,
                .recordCreated(RecordProfile(subject: .animal), owners: [Example.anna]),
            ]
        let before = fold([created])
        for other in others {
            #expect(fold([created, recorded(2, other, entry: Example.id(31))]) == before)
            #expect(
                fold([recorded(2, other)]).map(\.profile.subject) == (other.type == RecordCreated.type ? .animal : nil)
            )
        }
    }

    @Test("A record has its latest hold, which forbids erasure through its last day")
    func keepsLatestHold() throws {
        let (first, second) = (Day(daysSince1970: 20_000), Day(daysSince1970: 20_001))
        let state = try #require(
            fold([
                recorded(1, .recordCreated(RecordProfile(subject: .human), owners: [])),
                recorded(2, .recordHeld(until: first)), recorded(3, .recordHeld(until: second)),
            ])
        )
        #expect(state.hold == Hold(until: second, set: Example.stamp(3)))
        #expect(state.updated == Example.stamp(3))
        #expect(state.hold?.forbidsErasure(on: second) == true)
        #expect(state.hold?.forbidsErasure(on: Day(daysSince1970: 20_002)) == false)
    }

    @Test("An erasure removes the state of the record, of its entries and of its grants")
    func forgetsErased() throws {
        let entry = Example.id(31)
        let created = recorded(1, .recordCreated(RecordProfile(subject: .human), owners: []))
        let added = recorded(2, .entryAdded(try Example.weight("4")), entry: entry)
        #expect(fold([created, added, recorded(3, .recordErased)]) == nil)
        var state: EntryState?
        for event in [added, recorded(3, .recordErased)] { evolve(&state, event) }
        #expect(state == nil)
        var grants = GrantsState()
        evolve(&grants, recorded(2, .caregiverGranted(account: Example.anna, terms: GrantTerms())))
        evolve(&grants, recorded(3, .recordErased))
        #expect(grants == GrantsState())
    }

    @Test("The display name is built from the given names, or is a placeholder without any")
    func displayNames() throws {
        #expect(RecordProfile(subject: .human).displayName == "Unnamed Person")
        #expect(try Example.profile(.human, [("familyName", "King")]).displayName == "King")
        #expect(try Example.profile(.animal, [("name", "Rex")]).displayName == "Rex")
    }

    @Test("The state up to a day contains the entries that happened by that day, and undated ones")
    func keepsEntriesUpToDay() throws {
        var state = try #require(fold([recorded(1, .recordCreated(RecordProfile(subject: .human), owners: []))]))
        for (number, date) in [(UInt8(41), "2024-02-16"), (42, "2024-02-17T00:00:00Z"), (43, nil)] as [(UInt8, String?)]
        {
            let content = try Example.content(Drug.kind, date: date, [("name", "A")])
            state.entries.append(
                EntryState(id: Example.id(number), record: state.id, content: content, added: Example.stamp(2))
            )
        }
        let kept = state.happenedBy(try Day(parsing: "2024-02-16"))
        #expect(kept.entries.map(\.id) == [Example.id(41), Example.id(43)])
        // `entry(_:)` also finds entries that were added or removed directly through `entries`.
        #expect(kept.entry(Example.id(43))?.content.body.text(Drug.name) == "A")
        #expect(kept.entry(Example.id(42)) == nil)
    }

    @Test("An entry folded alone equals the same entry in its record")
    func entriesMatchRecord() throws {
        try checkProperty("evolve consistency", times: 50) { random, comment in
            var record: RecordState?
            var entries: [UUID: EntryState?] = [:]
            var ids: [UUID] = []
            evolve(&record, recorded(1, .recordCreated(RecordProfile(subject: .human), owners: [])))
            for position in UInt64(2)...60 {
                let id = UUID(nameBased: Example.record, "\(random.int(0...9))")
                let content = try Example.weight("\(random.int(1...200))")
                let command = try random.pick([EntryCommand.add(content), .correct(content), .retract, .restore])
                // The record and the single entry must agree on all events that the decider accepts.
                guard let events = try? decide(command, entries[id] ?? nil, now: Example.now) else { continue }
                for event in events {
                    if event.type == EntryAdded.type { ids.append(id) }
                    evolve(&record, recorded(position, event, entry: id))
                    evolve(&entries[id, default: nil], recorded(position, event, entry: id))
                }
            }
            let folded = try #require(record, comment)
            #expect(folded.entries.map(\.id) == ids, comment)
            #expect(!ids.isEmpty, comment)
            for entry in folded.entries { #expect(entries[entry.id] == entry, comment) }
            #expect(folded.updated == folded.entries.map(\.latest).max { $0.position < $1.position }, comment)
        }
    }

    @Test("A record with 50,000 retracted entries is folded within the time limit", .timeLimit(.minutes(10)))
    func foldsManyEntries() throws {
        let content = try Example.weight("72.5")
        let ids = (0..<50_000)
            .map { number in
                let n = (UInt8(number & 0xff), UInt8(number >> 8 & 0xff), UInt8(number >> 16))
                return UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, n.2, n.1, n.0))
            }
        var state: RecordState?
        evolve(&state, recorded(1, .recordCreated(RecordProfile(subject: .human), owners: [])))
        for id in ids { evolve(&state, recorded(2, .entryAdded(content), entry: id)) }
        for id in ids { evolve(&state, recorded(3, .entryRetracted, entry: id)) }
        #expect(state?.entries.count == ids.count)
        #expect(state?.activeEntries.isEmpty == true)
    }

    @Test("A new grant replaces a revoked one, and a revoked token remains in its account")
    func foldsGrantsAndAccounts() throws {
        var grants = GrantsState()
        let terms = GrantTerms(verbs: [.contribute])
        evolve(&grants, recorded(1, .caregiverGranted(account: Example.anna, terms: GrantTerms())))
        evolve(&grants, recorded(2, .caregiverRevoked(account: Example.anna)))
        #expect(grants[Example.anna]?.revoked == Example.stamp(2))
        evolve(&grants, recorded(3, .caregiverGranted(account: Example.anna, terms: terms)))
        #expect(grants[Example.anna] == Grant(account: Example.anna, terms: terms, given: Example.stamp(3)))

        var account: AccountState?
        let token = Token(id: Example.id(20), scope: .read, digest: [1])
        evolve(&account, recorded(1, .accountAdded(AccountProfile(name: "anna"))))
        evolve(&account, recorded(2, .tokenIssued(token)))
        evolve(&account, recorded(3, .tokenRevoked(token.id)))
        #expect(account?.name == "anna")
        #expect(account?.id == Example.record)
        #expect(
            account?.tokens[token.id]
                == TokenState(token: token, issued: Example.stamp(2), revoked: Example.stamp(3))
        )
    }
}
