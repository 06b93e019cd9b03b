import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore

/// A journal with a record that has a plan of two doses a day; the clock starts at noon of 2026-03-02.
struct CareScene {
    let household: TestHousehold
    let record: UUID
    let plan: UUID

    var journal: Journal { household.journal }
    var owner: Caller { household.owner }

    init(_ times: String = "08:00=1,20:00=1", zone: String = "UTC", _ values: [String: String] = [:]) async throws {
        household = try await TestHousehold(zone: zone, clock: TestClock("2026-02-20"))
        record = try await household.person("Anna")
        var content = try entry("drug", ["name": "Lisinopril", "unit": "tablet"].merging(values) { $1 })
        let first = WallMoment(day: try Day(parsing: "2026-02-01"))
        let pattern = try PlanRule.Pattern(.daily, parsing: times, anchor: first.day) { UUID() }
        content.addRule(PlanRule(id: UUID(), from: first, pattern: pattern, recordedAt: Instant(microseconds: 0)))
        plan = try #require(try await household.journal.entries.addEntry(content, to: record, household.owner).entry)
        try household.clock.set("2026-03-02T12:00:00Z")
    }

    /// A caregiver with a grant for the plans.
    func caregiver(_ name: String, _ edit: (inout GrantTerms) -> Void = { _ in }) async throws -> Caller {
        let caller = try await household.account(name)
        var terms = GrantTerms(sections: [.myhealth])
        edit(&terms)
        _ = try await journal.sharing.grant(terms, to: caller.account, on: record, owner)
        return caller
    }

    func feed(_ made: NewCalendar) async -> Result<ICalendar, JournalError> {
        do throws(JournalError) {
            let found = try await journal.reminders.calendar(atSecret: made.secret, components: .event)
            guard let found else { throw JournalError(.failed, "nothing was known before") }
            return .success(found)
        } catch {
            return .failure(error)
        }
    }
}

@Suite("Calendars of planned doses")
struct CalendarTests {
    private static let gone = Result<Int, JournalError>.failure(.noCalendar)

    @Test("A feed has the doses of a week back and 60 days ahead, and each fetch is recorded")
    func content() async throws {
        let scene = try await CareScene()
        let made = try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), scene.owner)
        let before = try scene.household.head
        let calendar = try await scene.feed(made).get()
        let days = 7 + 1 + 60
        #expect(calendar.components.count == 2 * days)
        #expect(calendar.components.allSatisfy { $0.summary == "Something is due" && $0.description == nil })
        #expect(!calendar.text.contains("Lisinopril"))
        #expect(Set(calendar.components.map(\.id)).count == calendar.components.count)
        let read = try #require(try scene.household.events(after: before).last?.event.data as? RecordRead)
        #expect(read.access.action == .calendar)
        #expect(read.access.sections == [.myhealth])
        #expect(try scene.household.events(after: before).last?.stamp.actor == scene.owner.account)

        let named = try await scene.journal.reminders.calendar(
            of: scene.record,
            CalendarOptions(showsNames: true, times: .floating),
            scene.owner
        )
        #expect(named.components.first?.summary == "Lisinopril, 1 tablet")
        #expect(named.components.first?.start == .floating(try WallMoment(parsing: "2026-02-23T08:00")))
    }

    @Test("A dose keeps its name when it moves, and its revision grows")
    func revisions() async throws {
        let scene = try await CareScene()
        let made = try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), scene.owner)
        let before = try await scene.feed(made).get().components
        var zone = EntryContent(kind: Zone.kind)
        zone.date = .instant(try Instant(parsing: "2026-03-01T00:00:00Z"))
        zone.body[Zone.zone] = .text("Asia/Kathmandu")
        _ = try await scene.journal.entries.addEntry(zone, to: scene.record, scene.owner)
        let after = try await scene.feed(made).get().components
        let old = try #require(before.last)
        let moved = try #require(after.first { $0.id == old.id })
        #expect(moved.start != old.start)
        #expect(moved.sequence > old.sequence)
    }

    @Test("Doses of a pause are not in the feed, and a logged dose has no alarm")
    func states() async throws {
        let scene = try await CareScene("08:00=1")
        _ = try await scene.journal.care.logDose(
            DoseRequest(plan: scene.plan, target: .wall(try WallMoment(parsing: "2026-03-02T08:00")), status: .taken),
            in: scene.record,
            scene.owner
        )
        var pause = FieldValues()
        pause[PlanFields.Pause.from] = .text("2026-03-10")
        pause[PlanFields.Pause.until] = .text("2026-03-20")
        _ = try await scene.journal.entries.correctEntry(scene.plan, scene.owner) {
            $0.body[PlanFields.pauses] = .list([.group(pause)])
        }
        let calendar = try await scene.journal.reminders.calendar(of: scene.record, CalendarOptions(), scene.owner)
        let days = 7 + 1 + 60 - 10
        #expect(calendar.components.count == days)
        let today = try #require(calendar.components.first { $0.start == .utc(Instant.parsed("2026-03-02T08:00:00Z")) })
        #expect(!today.hasAlarm)
        #expect(calendar.components.count { $0.hasAlarm } == calendar.components.count - 1)
    }

    @Test("An address stops working when it is unlinked, and when the account may no longer read")
    func ends() async throws {
        let scene = try await CareScene()
        let nurse = try await scene.caregiver("nurse")
        let own = try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), scene.owner)
        let theirs = try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), nurse)
        #expect(
            try await scene.journal.reminders.calendars(of: .doses(of: scene.record), nurse).map(\.id) == [theirs.id]
        )
        #expect(
            try await scene.journal.reminders.calendars(of: .doses(of: scene.record), scene.owner).map(\.id) == [
                own.id, theirs.id,
            ]
        )
        _ = try await scene.feed(theirs).get()

        let before = try scene.household.head
        _ = try await scene.journal.sharing.revoke(nurse.account, on: scene.record, scene.owner)
        #expect(await scene.feed(theirs).map { _ in 0 } == CalendarTests.gone)
        #expect(try scene.household.events(after: before).contains { $0.type == AccessDenied.type })

        #expect(
            await refusal {
                _ = try await scene.journal.reminders.unlinkCalendar(own.id, of: .doses(of: scene.record), nurse)
            }?
            .code
                == .refused
        )
        _ = try await scene.journal.reminders.unlinkCalendar(own.id, of: .doses(of: scene.record), scene.owner)
        #expect(await scene.feed(own).map { _ in 0 } == CalendarTests.gone)
        #expect(
            try await !scene.journal.reminders.unlinkCalendar(own.id, of: .doses(of: scene.record), scene.owner)
                .isChanged
        )

        let again = try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), scene.owner)
        _ = try await scene.feed(again).get()
        var eraser = scene.owner
        eraser.reason = "asked by the family"
        _ = try await scene.journal.erasure.eraseRecord(scene.record, eraser)
        #expect(await scene.feed(again).map { _ in 0 } == CalendarTests.gone)
        #expect(
            await refusal { _ = try await scene.journal.reminders.calendar(atSecret: "hjf_x", components: .event) }
                == .noCalendar
        )
    }

    @Test("Only those who may read the plans can link a calendar, and a token for reading cannot")
    func whoMayLink() async throws {
        let scene = try await CareScene()
        let doctor = try await scene.caregiver("doctor") { $0.sections = [.doctorlist] }
        let tool = try await scene.household.account("scale", .tool)
        var reading = scene.owner
        reading.scope = .read
        for caller in [doctor, tool, reading] {
            #expect(
                await refusal {
                    _ = try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), caller)
                }?
                .code
                    == .refused
            )
        }
    }

    @Test("A record has a limited number of linked calendars")
    func limit() async throws {
        let scene = try await CareScene()
        var made: [NewCalendar] = []
        for _ in 0..<Limits.calendars {
            made.append(try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), scene.owner))
        }
        #expect(
            await refusal {
                _ = try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), scene.owner)
            }?
            .code
                == .conflict
        )
        _ = try await scene.journal.reminders.unlinkCalendar(made[0].id, of: .doses(of: scene.record), scene.owner)
        _ = try await scene.journal.reminders.linkCalendar(to: .doses(of: scene.record), scene.owner)
    }
}

extension Instant {
    /// Parses a time of a test.
    static func parsed(_ text: String) -> Instant {
        guard let instant = try? Instant(parsing: text) else { preconditionFailure("not a time: \(text)") }
        return instant
    }
}
