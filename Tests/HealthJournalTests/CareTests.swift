import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import TestSupport
import Testing

@testable import JournalCore

/// Plans, doses and stock of a record in a journal.
@Suite("Care")
struct CareTests {
    /// A journal with a record that has a plan.
    private struct Scene {
        let household: TestHousehold
        let record: UUID
        let plan: UUID

        /// The clock starts at noon UTC of 2026-03-02; the plan begins the day before, and is recorded in February.
        ///
        /// With `needed`, doses may be taken when needed as well.
        init(
            _ times: String = "08:00=1,20:00=1",
            zone: String = "UTC",
            needed: Bool = false,
            _ values: [String: String] = [:]
        ) async throws {
            household = try await TestHousehold(zone: zone, clock: TestClock("2026-02-27"))
            record = try await household.person("Anna")
            var content = try entry("drug", ["name": "Lisinopril"].merging(values) { $1 })
            content.addRule(try rule(.daily, times))
            if needed { content.addRule(try rule(.asNeeded, "1")) }
            plan = try #require(
                try await household.journal.entries.addEntry(content, to: record, household.owner).entry
            )
            try household.clock.set("2026-03-02T12:00:00Z")
        }

        func dose(_ edit: (inout DoseRequest) throws -> Void = { _ in }) async throws -> DoseResult {
            var request = DoseRequest(plan: plan, status: .taken)
            try edit(&request)
            return try await household.journal.care.logDose(request, in: record, household.owner)
        }

        func due(_ from: String, _ to: String, asOf: AsOf? = nil, now: Instant? = nil) async throws -> [SlotStatus] {
            let question = CareQuestion(from: try Day(parsing: from), to: try Day(parsing: to), asOf: asOf, now: now)
            return try await household.journal.care.due(of: record, question, household.owner).plans
                .flatMap(\.day.slots)
        }

        func states(_ from: String, _ to: String) async throws -> [SlotState] { try await due(from, to).map(\.state) }
    }

    private static func rule(_ form: PlanRule.Pattern.Form, _ text: String, from: String = "2026-03-01") throws
        -> PlanRule
    {
        let first = try WallMoment(parsing: from)
        let pattern = try PlanRule.Pattern(form, parsing: text, anchor: first.day) { UUID() }
        return PlanRule(id: UUID(), from: first, pattern: pattern, recordedAt: Instant(microseconds: 0))
    }

    private static func wall(_ text: String) throws -> DoseRequest.Target { .wall(try WallMoment(parsing: text)) }

    @Test("A dose that is logged twice is one entry, and one that differs is a conflict")
    func repeated() async throws {
        let scene = try await Scene()
        func log(_ at: String, _ repetition: DoseRepetition = .refuse) async throws -> DoseResult {
            try await scene.dose {
                $0.target = try CareTests.wall("2026-03-02T08:00")
                $0.at = .instant(try Instant(parsing: at))
                $0.repetition = repetition
            }
        }
        let first = try await log("2026-03-02T08:05:00Z")
        let head = try scene.household.head
        let second = try await log("2026-03-02T08:09:00Z")
        #expect(second.write.entry == first.write.entry)
        #expect(!second.write.isChanged)
        #expect(try scene.household.head == head)
        let conflict = await refusal { _ = try await log("2026-03-02T11:00:00Z") }
        #expect(conflict?.code == .conflict)
        #expect(conflict?.field == "slot")
        #expect(conflict?.message.contains("taken at 2026-03-02 08:05") == true)
        #expect(conflict?.message.contains("taken at 2026-03-02 11:00") == true)
        let again = try await log("2026-03-02T11:00:00Z", .again)
        #expect(again.warnings == [.unplanned])
        #expect(again.write.entry != first.write.entry)
        let corrected = try await log("2026-03-02T08:30:00Z", .instead)
        #expect(corrected.write.entry == first.write.entry)
        #expect(
            try await scene.due("2026-03-02", "2026-03-03").first?.dose?.at == Instant(parsing: "2026-03-02T08:30:00Z")
        )
    }

    @Test("A dose that was taken back can be logged again, in one append")
    func undone() async throws {
        let scene = try await Scene()
        let first = try await scene.dose { $0.target = try CareTests.wall("2026-03-02T08:00") }
        let entry = try #require(first.write.entry)
        _ = try await scene.household.journal.entries.retractEntry(entry, scene.household.owner)
        #expect(try await scene.states("2026-03-02", "2026-03-03") == [.open, .later])
        let head = try scene.household.head
        let again = try await scene.dose {
            $0.target = try CareTests.wall("2026-03-02T08:00")
            $0.status = .skipped
            $0.reason = .sideEffect
        }
        #expect(again.write.entry == entry)
        #expect(try await scene.states("2026-03-02", "2026-03-03") == [.skipped, .later])
        let types = try scene.household.events(after: head).map(\.stamp.position).prefix(2)
        #expect(Array(types) == [head + 1, head + 2])
    }

    @Test("Without a time, the one dose that is open is meant; with two, the request is refused")
    func openDose() async throws {
        let scene = try await Scene("08:00=1,13:00=2,23:00=1")
        // At 12:00, the dose of 13:00 is open, and that of 08:00 still is.
        let conflict = await refusal { _ = try await scene.dose() }
        #expect(conflict?.code == .conflict)
        _ = try await scene.dose { $0.target = try CareTests.wall("2026-03-02T08:00") }
        let open = try await scene.dose()
        let slot = try await scene.due("2026-03-02", "2026-03-03")[1]
        #expect(slot.dose?.id == open.write.entry)
        #expect(slot.state == .taken)
        #expect(slot.dose?.amount?.description == "2")
        // A pill of 23:00 that is taken after midnight is that of the day before.
        try scene.household.clock.set("2026-03-03T00:20:00Z")
        _ = try await scene.dose()
        #expect(try await scene.states("2026-03-02", "2026-03-04") == [.taken, .taken, .taken, .later, .later, .later])
    }

    @Test("A dose at a time for which the plan has none is asked about, with the next one")
    func extraDose() async throws {
        let scene = try await Scene("08:00=1")
        func log(_ at: String, isConfirmed: Bool = false) async throws -> DoseResult {
            try await scene.dose {
                $0.at = .instant(try Instant(parsing: at))
                $0.isConfirmed = isConfirmed
            }
        }
        _ = try await log("2026-03-02T08:05:00Z")
        let asked = await refusal { _ = try await log("2026-03-02T11:00:00Z") }
        let next = try Instant(parsing: "2026-03-03T08:00:00Z")
        #expect(asked?.field == "confirmed")
        #expect(asked?.doubts == [DoseDoubt(.unplanned(next: next))])
        #expect(asked?.message.contains("the next one is planned for 2026-03-03 08:00") == true)
        #expect(try await log("2026-03-02T11:00:00Z", isConfirmed: true).warnings == [.unplanned])
        // Nor is a dose the next one that was taken early.
        _ = try await scene.dose {
            $0.target = try CareTests.wall("2026-03-03T08:00")
            $0.isConfirmed = true
        }
        let again = await refusal { _ = try await log("2026-03-02T11:30:00Z") }
        #expect(again?.doubts == [DoseDoubt(.unplanned(next: try Instant(parsing: "2026-03-04T08:00:00Z")))])
    }

    @Test("What is unusual about a dose is said, and the dose is recorded")
    func warnings() async throws {
        let scene = try await Scene("08:00=1", ["minimumInterval": "240", "maximum.doses": "2", "maximum.per": "1440"])
        func log(_ at: String, isConfirmed: Bool = true) async throws -> [DoseWarning] {
            try await scene.dose {
                $0.target = .slot(.once(rule: UUID()))
                $0.at = .instant(try Instant(parsing: at))
                $0.amount = ExactDecimal(coefficient: 1, scale: 0)
                $0.isConfirmed = isConfirmed
            }
            .warnings
        }
        #expect(try await log("2026-03-02T01:00:00Z") == [.unplanned])
        for (at, doubt) in [
            ("2026-03-02T02:00:00Z", DoseDoubt(.gap(240), possibleFrom: try .init(parsing: "2026-03-02T05:00:00Z")))
        ] {
            let asked = await refusal { _ = try await log(at, isConfirmed: false) }
            #expect(asked?.code == .conflict)
            #expect(asked?.field == "confirmed")
            #expect(asked?.doubts == [doubt])
        }
        #expect(try await log("2026-03-02T02:00:00Z") == [.tooSoon, .unplanned])
        #expect(try await log("2026-03-02T08:00:00Z") == [.overMaximum, .unplanned])
        _ = try await scene.household.journal.entries.changePlan(scene.plan, scene.household.owner) { content in
            content.pause(from: WallMoment(day: Day(daysSince1970: 20_513)), until: nil, why: nil)
        }
        #expect(try await log("2026-03-01T01:00:00Z").contains(.paused))
        _ = try await scene.household.journal.entries.changePlan(scene.plan, scene.household.owner) { content in
            content.stop(at: WallMoment(day: Day(daysSince1970: 20_514)), why: .finished)
        }
        #expect(try await log("2026-03-02T11:00:00Z").contains(.stopped))
        let future = await refusal { _ = try await log("2026-03-02T13:00:00Z") }
        #expect(future?.code == .invalid)
        #expect(future?.field == "date")
    }

    @Test("More at once than the plan ever has is asked about, also when it is taken when needed")
    func muchWhenNeeded() async throws {
        let scene = try await Scene("08:00=1", needed: true)
        func log(_ amount: Int64, isConfirmed: Bool = false) async throws -> [DoseWarning] {
            try await scene.dose {
                $0.target = .asNeeded
                $0.at = .instant(try Instant(parsing: "2026-03-02T03:00:00Z"))
                $0.amount = ExactDecimal(coefficient: amount, scale: 0)
                $0.isConfirmed = isConfirmed
            }
            .warnings
        }
        let asked = await refusal { _ = try await log(40) }
        #expect(asked?.doubts == [DoseDoubt(.planned(ExactDecimal(coefficient: 1, scale: 0)))])
        #expect(try await log(1) == [])
        #expect(try await log(40, isConfirmed: true).contains(.moreThanPlanned))
    }

    @Test("The same dose without a planned time is asked about if it is logged twice within minutes")
    func sameWhenNeeded() async throws {
        let scene = try await Scene("08:00=1", needed: true)
        func log(_ at: String, isConfirmed: Bool = false) async throws -> DoseResult {
            try await scene.dose {
                $0.target = .asNeeded
                $0.at = .instant(try Instant(parsing: at))
                $0.isConfirmed = isConfirmed
            }
        }
        let first = try await log("2026-03-02T03:00:00Z")
        let asked = await refusal { _ = try await log("2026-03-02T03:05:00Z") }
        #expect(asked?.doubts == [DoseDoubt(.same(try Instant(parsing: "2026-03-02T03:00:00Z")))])
        #expect(asked?.message.contains("the same amount is recorded already as taken at 2026-03-02 03:00") == true)
        #expect(try await log("2026-03-02T03:05:00Z", isConfirmed: true).write.entry != first.write.entry)
        _ = try await log("2026-03-02T03:15:00Z")
    }

    @Test("A dose that is planned for later is asked about before it is recorded")
    func earlyIsAsked() async throws {
        let scene = try await Scene("08:00=1,20:00=1")
        // It is 12:00, and a dose is open from two hours before its time on.
        let asked = await refusal { _ = try await scene.dose { $0.target = try CareTests.wall("2026-03-02T20:00") } }
        #expect(asked?.doubts == [DoseDoubt(.early(try Instant(parsing: "2026-03-02T20:00:00Z")))])
        #expect(try await scene.states("2026-03-02", "2026-03-03") == [.open, .later])
    }

    @Test("A dose long before its plan is asked about, because its date may be mistyped")
    func longBefore() async throws {
        let scene = try await Scene("08:00=1")
        func doubts(_ at: String) async -> [DoseDoubt.Cause] {
            let asked = await refusal {
                _ = try await scene.dose {
                    $0.target = .asNeeded
                    $0.at = .instant(try Instant(parsing: at))
                }
            }
            return asked?.doubts.map(\.cause) ?? []
        }
        let begin = DoseDoubt.Cause.beforePlan(try Day(parsing: "2026-03-01"))
        #expect(await doubts("2025-03-02T03:00:00Z").contains(begin))
        #expect(await !doubts("2026-02-27T03:00:00Z").contains(begin))
    }

    @Test("A pause that begins at the moment at which the plan is resumed is removed")
    func resumedAtOnce() async throws {
        let scene = try await Scene("08:00=1,20:00=1")
        let now = WallMoment(day: try Day(parsing: "2026-03-02"))
        func change(_ edit: @escaping @Sendable (inout EntryContent) throws(ModelError) -> Void) async throws {
            _ = try await scene.household.journal.entries.changePlan(scene.plan, scene.household.owner, edit)
        }
        try await change { $0.pause(from: now, until: nil, why: nil) }
        #expect(try await scene.states("2026-03-02", "2026-03-03") == [.paused, .paused])
        try await change { content throws(ModelError) in try content.resume(at: now) }
        #expect(try await scene.states("2026-03-02", "2026-03-03") == [.open, .later])
    }

    @Test("A maximum number of doses limits how much is taken, however few doses it is")
    func mostByAmount() async throws {
        let scene = try await Scene("08:00=1", needed: true, ["maximum.doses": "3", "maximum.per": "1440"])
        func log(_ at: String, _ amount: Int64, isConfirmed: Bool = true) async throws -> [DoseWarning] {
            try await scene.dose {
                $0.target = .asNeeded
                $0.at = .instant(try Instant(parsing: at))
                $0.amount = ExactDecimal(coefficient: amount, scale: 0)
                $0.isConfirmed = isConfirmed
            }
            .warnings
        }
        #expect(try await !log("2026-03-02T01:00:00Z", 2).contains(.overMaximum))
        let asked = await refusal { _ = try await log("2026-03-02T03:00:00Z", 2, isConfirmed: false) }
        let most = DoseDoubt.Cause.amount(ExactDecimal(coefficient: 3, scale: 0), period: 1_440)
        #expect(asked?.doubts.first?.cause == most)
        #expect(asked?.doubts.first?.possibleFrom == (try Instant(parsing: "2026-03-03T01:00:00Z")))
        #expect(try await !log("2026-03-02T03:00:00Z", 1).contains(.overMaximum))
        #expect(try await log("2026-03-02T05:00:00Z", 1).contains(.overMaximum))
    }

    @Test("Who logs a dose again with another amount or a comment is told that another dose is logged")
    func otherAmount() async throws {
        let scene = try await Scene("08:00=1,20:00=1")
        func log(_ amount: Int64?, comment: String? = nil, _ repetition: DoseRepetition = .refuse) async throws -> Bool
        {
            try await scene.dose {
                $0.target = try CareTests.wall("2026-03-02T08:00")
                $0.amount = amount.map { ExactDecimal(coefficient: $0, scale: 0) }
                $0.comment = comment
                $0.repetition = repetition
                $0.isConfirmed = true
            }
            .write.isChanged
        }
        #expect(try await log(nil))
        #expect(try await !log(nil))
        #expect(try await !log(1))
        for again in [(Int64?(2), String?.none), (nil, "she spat half of it out")] {
            let refused = await refusal { _ = try await log(again.0, comment: again.1) }
            #expect(refused?.code == .conflict)
            #expect(refused?.field == "slot")
        }
        #expect(try await log(2, comment: nil, .instead))
    }

    @Test("More than is planned, and a dose of another day, are said; a dose outside the plan has the usual amount")
    func unusual() async throws {
        let scene = try await Scene("08:00=1,20:00=1")
        func log(_ wall: String, _ amount: Int64?, isConfirmed: Bool = true) async throws -> [DoseWarning] {
            try await scene.dose {
                $0.target = try CareTests.wall(wall)
                $0.amount = amount.map { ExactDecimal(coefficient: $0, scale: 0) }
                $0.isConfirmed = isConfirmed
            }
            .warnings
        }
        #expect(try await log("2026-03-02T08:00", nil, isConfirmed: false) == [])
        let asked = await refusal { _ = try await log("2026-03-01T20:00", 40, isConfirmed: false) }
        #expect(asked?.doubts == [DoseDoubt(.planned(ExactDecimal(coefficient: 1, scale: 0)))])
        #expect(try await log("2026-03-01T20:00", 40) == [.moreThanPlanned])
        #expect(try await log("2026-03-05T08:00", nil) == [.early])
        #expect(try await log("2026-03-05T20:00", 2) == [.moreThanPlanned, .early])
        let extra = try await scene.dose {
            $0.target = .asNeeded
            $0.at = .instant(try Instant(parsing: "2026-03-02T08:05:00Z"))
            $0.isConfirmed = true
        }
        let entry = try #require(extra.write.entry)
        let dose = try await scene.household.journal.entries.entry(
            entry,
            of: Dose.kind,
            in: scene.record,
            scene.household.owner
        )
        #expect(dose.content.body.decimal(Dose.amount)?.description == "1")
    }

    @Test("Part of a dose, and a dose that was skipped because it was advised")
    func partly() async throws {
        let scene = try await Scene("08:00=2,20:00=2")
        _ = try await scene.dose {
            $0.target = try CareTests.wall("2026-03-01T08:00")
            $0.amount = ExactDecimal(coefficient: 1, scale: 0)
        }
        _ = try await scene.dose {
            $0.target = try CareTests.wall("2026-03-01T20:00")
            $0.status = .skipped
            $0.reason = .advised
        }
        let question = CareQuestion(from: try Day(parsing: "2026-03-01"), to: try Day(parsing: "2026-03-02"))
        let answer = try await scene.household.journal.care.due(of: scene.record, question, scene.household.owner)
        let total = answer.adherence(by: .plan).total
        #expect(total.partly == 1)
        #expect(total.advised == 1)
        #expect(total.settled == 1)
        #expect(total.percentage == 0)
    }

    @Test("Every past answer can be had again")
    func asOf() async throws {
        let scene = try await Scene()
        let household = scene.household
        var answers: [(position: UInt64, slots: [SlotStatus])] = []
        let now = try Instant(parsing: "2026-03-20T12:00:00Z")
        func remember() async throws {
            let position = try household.head
            answers.append((position, try await scene.due("2026-03-01", "2026-04-10", now: now)))
        }
        try await remember()
        _ = try await scene.dose { $0.target = try CareTests.wall("2026-03-02T08:00") }
        try await remember()
        _ = try await household.journal.entries.changePlan(scene.plan, household.owner) { content throws(ModelError) in
            let rule = try? CareTests.rule(.daily, "09:00=2", from: "2026-03-10")
            content.changeSchedule(to: [rule].compactMap(\.self), from: WallMoment(day: try Day(parsing: "2026-03-10")))
        }
        try await remember()
        _ = try await household.add(
            "zone",
            ["date": "2026-03-15T00:00:00Z", "zone": "Asia/Kathmandu"],
            to: scene.record
        )
        try await remember()
        _ = try await household.journal.entries.correctEntry(scene.plan, household.owner) {
            content throws(ModelError) in
            try content.set("rules.0.times.0.at", text: "07:30")
        }
        try await remember()
        _ = try await household.journal.entries.retractEntry(scene.plan, household.owner)
        try await remember()
        for (position, slots) in answers {
            let again = try await scene.due("2026-03-01", "2026-04-10", asOf: .position(position), now: now)
            #expect(again == slots, "as of \(position)")
        }
        #expect(Set(answers.map { $0.slots.map(\.due) }).count == 5)
        #expect(answers.last?.slots.isEmpty == true)
        // The correction moved the times of the past, and the dose that was logged still fills its place.
        #expect(answers[4].slots[2].state == .taken && answers[4].slots[2].due.wall.description == "2026-03-02T07:30")
    }

    @Test("A plan that is recorded today has missed nothing before")
    func beforeKept() async throws {
        let scene = try await Scene("08:00=1")
        #expect(try await scene.states("2026-02-26", "2026-03-04") == [.missed, .open, .later])
        _ = try await scene.household.journal.entries.changePlan(scene.plan, scene.household.owner) {
            content throws(ModelError) in
            let rule = try? CareTests.rule(.daily, "06:00=1", from: "2026-03-01")
            content.changeSchedule(to: [rule].compactMap(\.self), from: WallMoment(day: try Day(parsing: "2026-03-01")))
        }
        #expect(try await scene.states("2026-02-26", "2026-03-04") == [.beforeKept, .beforeKept, .later])
    }

    @Test("Only those who may read or contribute to the section see and log doses, and each look is on record")
    func access() async throws {
        let scene = try await Scene()
        let household = scene.household
        let stranger = try await household.account("Stranger")
        let question = CareQuestion()
        let refused = await refusal {
            _ = try await household.journal.care.due(of: scene.record, question, stranger)
        }
        #expect(refused?.code == .refused)
        let dose = DoseRequest(plan: scene.plan, target: try CareTests.wall("2026-03-02T08:00"), status: .taken)
        let unlogged = await refusal { _ = try await household.journal.care.logDose(dose, stranger) }
        #expect(unlogged?.code == .refused)
        let nurse = try await household.account("Nurse")
        let terms = GrantTerms(sections: [.myhealth], verbs: [.read, .contribute])
        _ = try await household.journal.sharing.grant(terms, to: nurse.account, on: scene.record, household.owner)
        _ = try await household.journal.care.logDose(dose, nurse)
        let before = try household.head
        _ = try await household.journal.care.today(of: scene.record, question, nurse)
        _ = try await household.journal.care.stock(of: scene.record, question, nurse)
        #expect(try household.head == before + 2)
        // The plan of another record is not found in this one.
        let other = try await household.person("Berta")
        let misplaced = await refusal { _ = try await household.journal.care.logDose(dose, in: other, household.owner) }
        #expect(misplaced?.code == .notFound)
    }

    @Test("Two people who log the same dose at once make one entry")
    func concurrent() async throws {
        let scene = try await Scene()
        let dose = DoseRequest(plan: scene.plan, target: try CareTests.wall("2026-03-02T08:00"), status: .taken)
        let (journal, owner) = (scene.household.journal, scene.household.owner)
        let results = try await withThrowingTaskGroup(of: DoseResult.self) { group in
            for _ in 0..<8 { group.addTask { try await journal.care.logDose(dose, owner) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(results.map(\.write.entry)).count == 1)
        #expect(results.count { $0.write.isChanged } == 1)
    }

    @Test("The stock falls with each dose that is taken, and runs out on a day")
    func stock() async throws {
        let scene = try await Scene("08:00=1", ["unit": "tablet", "trackStock": "true", "refillLead": "3"])
        let household = scene.household
        func stock() async throws -> StockAnswer {
            let all = try await household.journal.care.stock(of: scene.record, CareQuestion(), household.owner)
            return try #require(all.first)
        }
        #expect(try await stock().stock.level == nil)
        let values = ["date": "2026-03-01T00:00:00Z", "of": scene.plan.text, "what": "received", "amount": "10"]
        _ = try await household.add("supply", values, to: scene.record)
        #expect(try await stock().stock.level?.description == "10")
        // Nothing was logged for the first day, which is missed; the dose of today is open.
        #expect(try await stock().runOutDay?.description == "2026-03-12")
        _ = try await scene.dose { $0.target = try CareTests.wall("2026-03-02T08:00") }
        let after = try await stock()
        #expect(after.stock.level?.description == "9")
        #expect(after.runOutDay?.description == "2026-03-12")
        #expect(after.refillBy?.description == "2026-03-09")
        _ = try await household.journal.entries.changePlan(scene.plan, household.owner) { content throws(ModelError) in
            content.pause(
                from: try WallMoment(parsing: "2026-03-05"),
                until: try WallMoment(parsing: "2026-03-15"),
                why: nil
            )
        }
        #expect(try await stock().runOutDay?.description == "2026-03-22")
    }

    @Test("This program's time zones are those of Foundation, at any time")
    func zones() throws {
        var random = SeededGenerator("time zones")
        for _ in 0..<40 {
            let name = try #require(TimeZone.knownTimeZoneIdentifiers.randomElement(using: &random))
            let offsets = try #require(try SystemZones.table(of: [name]).zones[name])
            let zone = try #require(TimeZone(identifier: name))
            for _ in 0..<50 {
                let seconds = Int64(random.below(5_000_000_000)) - 1_000_000_000
                let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
                #expect(
                    offsets.offset(at: Instant(microseconds: seconds * 1_000_000)) == expected,
                    "\(name) at \(seconds), HEALTHJOURNAL_SEED=\(random.seed)"
                )
            }
        }
        #expect(throws: ModelError.self) { try SystemZones.table(of: ["Europe/Atlantis"]) }
    }
}
