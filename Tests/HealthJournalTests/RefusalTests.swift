import EventLog
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

@Suite("Refusals in the log")
struct RefusalTests {
    private let home: TestHousehold
    private let stranger: Caller
    private let record: UUID

    init() async throws {
        home = try await TestHousehold()
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida")
        try profile.set("familyName", text: "Winterthaler")
        record = try #require(try await home.journal.records.createRecord(profile, home.owner).record)
        stranger = try await home.account("stranger")
    }

    private func read(_ caller: Caller) async -> JournalError? {
        await refusal { _ = try await home.journal.records.read(record, ReadOptions(), caller) }
    }

    @Test("Equal refusals within the window are recorded as one event, and as a summary after the window")
    func window() async throws {
        home.journal.refusals.configure(window: .seconds(60), perMinute: nil)
        let before = try home.head
        for _ in 0..<50 { #expect(await read(stranger)?.code == .refused) }
        #expect(try home.events(after: before).map(\.type) == [AccessDenied.type])
        try await home.journal.access.summariseRefusals()
        #expect(try home.events(after: before).count == 1)
        try home.clock.set("2026-03-02T12:05:00Z")
        try await home.journal.access.summariseRefusals()
        let events = try home.events(after: before)
        #expect(events.map(\.type) == [AccessDenied.type, AccessSummarised.type])
        guard let summary = (events.last?.event.data as? AccessSummarised)?.refusals else {
            Issue.record("no summary")
            return
        }
        #expect(summary.count == 49)
        #expect(summary.first < summary.last)
        #expect(summary.action == .read)
        #expect(events.last?.subject == record)
        #expect(events.last?.stamp.actor == stranger.account)
        // No counts are left to summarise.
        try await home.journal.access.summariseRefusals(all: true)
        #expect(try home.events(after: before).count == 2)
        #expect(await read(stranger)?.code == .refused)
        #expect(try home.events(after: before).map(\.type).last == AccessDenied.type)
    }

    @Test("The next equal refusal after the window records what was counted before")
    func next() async throws {
        home.journal.refusals.configure(window: .seconds(60), perMinute: nil)
        let before = try home.head
        for _ in 0..<3 { _ = await read(stranger) }
        try home.clock.set("2026-03-02T12:05:00Z")
        _ = await read(stranger)
        #expect(
            try home.events(after: before).map(\.type) == [AccessDenied.type, AccessDenied.type, AccessSummarised.type]
        )
    }

    @Test("Refusals that differ in the account, the action or the record are recorded separately")
    func different() async throws {
        home.journal.refusals.configure(window: .seconds(60), perMinute: nil)
        let other = try await home.account("other")
        let before = try home.head
        for caller in [stranger, other] {
            for _ in 0..<2 {
                _ = await read(caller)
                _ = await refusal { _ = try await home.journal.erasure.eraseRecord(record, caller) }
            }
        }
        #expect(try home.events(after: before).map(\.type) == Array(repeating: AccessDenied.type, count: 4))
    }

    @Test("An account with too many recorded refusals must wait, which is recorded once")
    func budget() async throws {
        home.journal.refusals.configure(window: .seconds(3_600), perMinute: 2)
        let caller = stranger
        let before = try home.head
        let journal = home.journal
        var codes: [JournalError.Code?] = []
        codes.append(await read(caller)?.code)
        codes.append(await refusal { _ = try await journal.erasure.eraseRecord(record, caller) }?.code)
        for _ in 0..<20 {
            let error = await refusal { _ = try await journal.sharing.openEmergency(record, caller) }
            codes.append(error?.code)
            #expect(error?.retryAfter ?? 0 > 0)
        }
        #expect(codes == [.refused, .refused] + Array(repeating: .busy, count: 20))
        let events = try home.events(after: before)
        #expect(events.map(\.type) == [AccessDenied.type, AccessDenied.type, AccessDenied.type])
        #expect(events.last?.subject == journal.log.description.id)
    }

    @Test("A batch of refused events is recorded as one event and a count")
    func batch() async throws {
        var caller = home.owner
        caller.scope = try TokenScope(parsing: "append:lab")
        let events = try (0..<100)
            .map { try CloudEvent.read(Array(#"{"specversion":"1.0","id":"\#($0)","source":"x","type":"note"}"#.utf8)) }
        let before = try home.head
        let answers = await home.journal.ingest.append(events, caller)
        #expect(answers.allSatisfy { if case .failure(let error) = $0 { error.code == .refused } else { false } })
        let kept = try home.events(after: before)
        #expect(kept.map(\.type) == [AccessDenied.type, AccessSummarised.type])
        guard let summary = (kept.last?.event.data as? AccessSummarised)?.refusals else { return }
        #expect(summary.count == 99)
    }

    @Test("The length of a purpose is limited")
    func purpose() async throws {
        var caller = home.owner
        caller.purpose = String(repeating: "x", count: 201)
        #expect(await read(caller)?.code == .invalid)
        caller.purpose = String(repeating: "x", count: 200)
        #expect(await read(caller) == nil)
    }
}
