import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

/// Doses that a tool sends without saying which planned dose they are.
@Suite("Doses of a dispenser")
struct DispenserTests {
    private struct Scene {
        let fixture: IngestFixture
        let plan: UUID

        init(times: String = "12:03=1") async throws {
            fixture = try await IngestFixture()
            plan = try await Scene.plan("Lisinopril", times, in: fixture)
        }

        static func plan(_ name: String, _ times: String, in fixture: IngestFixture) async throws -> UUID {
            var content = try entry("drug", ["name": name, "unit": "tablet"])
            let first = try WallMoment(parsing: "2026-03-01")
            let pattern = try PlanRule.Pattern(.daily, parsing: times, anchor: first.day) { UUID() }
            content.addRule(PlanRule(id: UUID(), from: first, pattern: pattern, recordedAt: Instant(microseconds: 0)))
            let home = fixture.home
            return try #require(try await home.journal.entries.addEntry(content, to: fixture.record, home.owner).entry)
        }

        func send(_ of: String, at time: String = "2026-03-02T12:05:00Z", id: String = "1") async throws -> IngestResult
        {
            let data = #"{"of": "\#(of)", "status": "taken"}"#
            return try await fixture.append(fixture.event("dose", id: id, data: data, ["time": time]))
        }

        func dose(_ id: UUID?) async throws -> EntryContent {
            let entry = try #require(id)
            return try #require(try await fixture.home.state(fixture.record).entry(entry)).content
        }

        /// The states of the doses planned for the day.
        func states() async throws -> [String] {
            let (from, to) = (try Day(parsing: "2026-03-02"), try Day(parsing: "2026-03-03"))
            let question = CareQuestion(from: from, to: to)
            let due = try await fixture.home.journal.care.due(of: fixture.record, question, fixture.home.owner)
            return due.document.doses.map(\.state.rawValue)
        }
    }

    @Test("A dose is the one that is open, with its amount, and a repetition is the same dose")
    func open() async throws {
        let scene = try await Scene()
        try scene.fixture.home.clock.set("2026-03-02T12:06:00Z")
        #expect(try await scene.states() == ["open"])
        let first = try await scene.send(scene.plan.text)
        let dose = try await scene.dose(first.entry)
        #expect(dose.body.text(Dose.slot)?.isEmpty == false)
        #expect(dose.body.decimal(Dose.amount)?.description == "1")
        #expect(dose.date == .instant(try Instant(parsing: "2026-03-02T12:05:00Z")))
        #expect(try await scene.states() == ["taken"])
        let head = try scene.fixture.home.head
        let again = try await scene.send(scene.plan.text)
        #expect(again.isRepeated)
        #expect(again.position == first.position)
        #expect(try scene.fixture.home.head == head)
        // Another one is not planned, and is recorded too.
        let second = try await scene.send(scene.plan.text, id: "2")
        #expect(try await scene.dose(second.entry).body.text(Dose.slot) == nil)
        #expect(try await scene.states() == ["taken"])
    }

    @Test("A dose that was skipped is the one that is open, without an amount")
    func skipped() async throws {
        let scene = try await Scene()
        try scene.fixture.home.clock.set("2026-03-02T12:06:00Z")
        let data = #"{"of": "\#(scene.plan.text)", "status": "skipped", "reason": "forgot"}"#
        let event = try scene.fixture.event("dose", data: data, ["time": "2026-03-02T12:05:00Z"])
        let dose = try await scene.dose(scene.fixture.append(event).entry)
        #expect(dose.body[Dose.amount] == nil)
        #expect(dose.body.text(Dose.slot)?.isEmpty == false)
        #expect(try await scene.states() == ["skipped"])
    }

    @Test("Of two that are open none is chosen, and what happened long ago is stored as it was sent")
    func ambiguous() async throws {
        let scene = try await Scene(times: "11:00=1,12:00=1")
        try scene.fixture.home.clock.set("2026-03-02T12:06:00Z")
        let dose = try await scene.send(scene.plan.text)
        #expect(try await scene.dose(dose.entry).body.text(Dose.slot) == nil)
        try scene.fixture.home.clock.set("2026-03-20T12:06:00Z")
        let old = try await scene.send(scene.plan.text, at: "2026-03-05T11:01:00Z", id: "2")
        #expect(try await scene.dose(old.entry).body.text(Dose.slot) == nil)
    }

    @Test("A plan is named by its id, or by a name that only it has")
    func names() async throws {
        let scene = try await Scene()
        try scene.fixture.home.clock.set("2026-03-02T12:06:00Z")
        let dose = try await scene.send("LISINOPRIL")
        #expect(try await scene.dose(dose.entry).body.id(Dose.of) == scene.plan)
        #expect(try await scene.states() == ["taken"])
        let unknown = await refusal { _ = try await scene.send("Nothing", id: "2") }
        #expect(unknown?.field == "data.of")
        #expect(unknown?.message.contains("Nothing") == false)
        _ = try await Scene.plan("lisinopril", "20:00=1", in: scene.fixture)
        let several = await refusal { _ = try await scene.send("Lisinopril", id: "3") }
        #expect(several?.field == "data.of")
        #expect(several?.message.contains("several") == true)
    }
}
