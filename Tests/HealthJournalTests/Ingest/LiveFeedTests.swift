import EventLog
import Foundation
import HealthJournal
import HealthModel
import Platform
import Testing

@testable import JournalCore
@testable import JournalIngest

/// Reads a live feed and collects what it returns.
private final class Reading: Sendable {
    private struct State {
        var events: [FeedEvent] = []
        var pages = 0
        var end: (error: JournalError, at: ContinuousClock.Instant)?
    }

    private let state = Guarded(State())

    /// Starts a task that reads until the feed ends.
    init(_ feed: EventFeed) {
        Task {
            do {
                for try await page in feed {
                    state.withLock {
                        $0.events += page.events
                        $0.pages += 1
                    }
                }
            } catch {
                let error = JournalError(error)
                state.withLock { $0.end = (error, .now) }
            }
        }
    }

    var events: [FeedEvent] { state.withLock(\.events) }
    var pages: Int { state.withLock(\.pages) }
    var end: (error: JournalError, at: ContinuousClock.Instant)? { state.withLock(\.end) }

    /// Waits until a condition holds, and returns false if it does not within 30 seconds.
    func comes(_ isSo: (Reading) -> Bool) async throws -> Bool {
        let limit = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < limit {
            if isSo(self) { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return isSo(self)
    }
}

@Suite("Live feed", .serialized)
struct LiveFeedTests {
    private static let weights = FeedQuery(types: [EntryAdded.type])

    @Test("Each event is delivered once as it is added; without new events, an empty page is delivered each second")
    func live() async throws {
        let fixture = try await IngestFixture()
        let (home, journal) = (fixture.home, fixture.home.journal)
        let owner = home.owner
        _ = try await fixture.append(fixture.weight("1", id: "1"))
        let reading = Reading(journal.feeds.follow(after: 0, Self.weights) { () throws(JournalError) in owner })
        #expect(try await reading.comes { $0.events.count == 1 })
        for number in 2...30 { _ = try await fixture.append(fixture.weight("\(number)", id: "\(number)")) }
        #expect(try await reading.comes { $0.events.count == 30 })
        #expect(reading.events.map(\.position) == reading.events.map(\.position).sorted())
        let (pages, head) = (reading.pages, try home.head)
        #expect(try await reading.comes { $0.pages >= pages + 2 })
        // Empty pages are not recorded, so the feed does not cause its own events.
        #expect(try home.head == head)
        #expect(reading.events.count == 30)
        #expect(reading.end == nil)
    }

    @Test("A revoke ends a caregiver's feed, and later events are not delivered")
    func revoked() async throws {
        let scene = try await Scene(.readsAll)
        let (home, journal, caller) = (scene.home, scene.home.journal, scene.caller)
        let reading = Reading(journal.feeds.follow(after: 0, Self.weights) { () throws(JournalError) in caller })
        #expect(try await reading.comes { $0.events.count > 10 })
        _ = try await journal.sharing.revoke(caller.account, on: scene.record, home.owner)
        let revoked = ContinuousClock.now
        let secret = try await home.add("weight", ["value": "99"], to: scene.record)
        #expect(try await reading.comes { $0.end != nil })
        let end = try #require(reading.end)
        #expect(end.error.code == .refused)
        print("a caregiver's feed ended \(end.at - revoked) after the revoke")
        #expect(!reading.events.contains { $0.entry == secret })
        let denied = try home.events(after: 0).last { $0.type == AccessDenied.type }
        #expect(denied?.subject == scene.record)
        #expect(denied?.stamp.actor == caller.account)
        #expect(
            await refusal { try await journal.feeds.endFeed(of: caller, [Weight.kind], scene.record) }?.code == .refused
        )
    }

    @Test("A grant with fewer sections ends the feed; one with more sections does not")
    func narrowed() async throws {
        let scene = try await Scene(.readsHealth)
        let (home, journal, caller) = (scene.home, scene.home.journal, scene.caller)
        let reading = Reading(journal.feeds.follow(after: 0, Self.weights) { () throws(JournalError) in caller })
        #expect(try await reading.comes { $0.events.count > 5 })
        _ = try await journal.sharing.grant(GrantTerms(), to: caller.account, on: scene.record, home.owner)
        let doctor = try await home.add("doctor", ["name": "Dr. New"], to: scene.record)
        #expect(try await reading.comes { $0.events.contains { $0.entry == doctor } })
        #expect(reading.end == nil)
        let fewer = GrantTerms(sections: [.doctorlist])
        _ = try await journal.sharing.grant(fewer, to: caller.account, on: scene.record, home.owner)
        #expect(try await reading.comes { $0.end != nil })
    }

    @Test("A token that is revoked or expires ends the feed", arguments: [true, false])
    func token(isRevoked: Bool) async throws {
        let home = try await TestHousehold()
        let journal = home.journal
        _ = try await home.person("Ida")
        let issued = try await journal.accounts.issueToken(
            to: home.owner.account,
            scope: .read,
            expires: isRevoked ? nil : Instant(parsing: "2026-03-03T00:00:00Z"),
            home.owner
        )
        let reading = Reading(
            journal.feeds.follow(after: 0) { () throws(JournalError) in
                try await journal.accounts.authenticate(issued.secret, source: .http)
            }
        )
        #expect(try await reading.comes { !$0.events.isEmpty })
        if isRevoked {
            _ = try await journal.accounts.revokeToken(issued.id, of: home.owner.account, home.owner)
        } else {
            try home.clock.set("2026-03-03T00:00:00Z")
        }
        #expect(try await reading.comes { $0.end != nil })
        #expect(try #require(reading.end).error.code == .unauthenticated)
    }

    @Test("The end of a grant's last day or an erasure ends the feed", arguments: [true, false])
    func ended(byErasure: Bool) async throws {
        let scene = try await Scene(.readsAll)
        let (home, journal, caller) = (scene.home, scene.home.journal, scene.caller)
        let until = try Day(parsing: "2026-03-10")
        _ = try await journal.sharing.grant(GrantTerms(until: until), to: caller.account, on: scene.record, home.owner)
        let reading = Reading(journal.feeds.follow(after: 0, Self.weights) { () throws(JournalError) in caller })
        #expect(try await reading.comes { $0.events.count > 10 })
        if byErasure {
            _ = try await journal.erasure.eraseRecord(scene.record, home.owner.giving(reason: "asked for"))
        } else {
            try home.clock.set("2026-03-11T00:00:01Z")
        }
        #expect(try await reading.comes { $0.end != nil })
        #expect(try #require(reading.end).error.code == .refused)
    }

    @Test("A caller that may only append cannot follow the feed")
    func refused() async throws {
        let fixture = try await IngestFixture()
        var scale = fixture.scale
        scale.scope = .append
        let caller = scale
        let reading = Reading(fixture.home.journal.feeds.follow(after: 0) { () throws(JournalError) in caller })
        #expect(try await reading.comes { $0.end != nil })
        #expect(reading.end?.error.code == .refused)
        #expect(reading.pages == 0)
    }
}
